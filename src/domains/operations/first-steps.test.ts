// What is still to be done, as the admin area shows it.
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { FirstSteps } from '#contract/operations/setup.ts'
import { sampleFiles } from '#domains/catalog/seed.ts'
import type { FileFormat } from '#contract/catalog/products.ts'
import { changeProducts } from '#test/changes.ts'
import { changePurchase, giveFile, giveProduct } from '#test/factories.ts'
import { openTestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'

async function read(admin: Person) {
  const response = (await (await admin.call('GET', '/api/admin/first-steps')).json()) as FirstSteps
  const done = response.steps.filter(({ is_done }) => is_done).map(({ name }) => name)
  return { ...response, done }
}

test('each step ticks itself off once it is true, and only then', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  expect(await read(admin)).toMatchObject({ done: ['admin'], payments: 'none' })

  await (await shop.person()).buy((await shop.product('digital')).id)
  expect((await read(admin)).done).toEqual(['admin'])
  const { id } = await admin.buy((await shop.product('digital')).id)
  expect((await read(admin)).done).toEqual(['admin', 'purchase'])
  await changePurchase(shop.services.db, id, { status: 'canceled' })
  expect((await read(admin)).done).toEqual(['admin'])
})

test('mail is set when it leaves the machine', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:9' }
  await using shop = await openTestShop({ env, hasWorkers: false })
  expect((await read(await shop.person({ role: 'admin' }))).done).toEqual(['admin', 'mail'])
})

test('payments are set when real money is taken: test keys only play', async () => {
  for (const mode of ['test', 'live'] as const) {
    const keys = { STRIPE_SECRET_KEY: `sk_${mode}_x`, STRIPE_WEBHOOK_SECRET: 'whsec_x' }
    const env = { ...keys, SITE_URL: 'https://books.example' }
    await using shop = await openTestShop({ env, hasWorkers: false })
    const { payments, done } = await read(await shop.person({ role: 'admin' }))
    expect([payments, done.includes('payments')]).toEqual([mode, mode === 'live'])
  }
})

test('the book is the author’s own when no product gives the sample, whatever it is called', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { storage, database, db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const { rows } = await database.pool.query<{ product_id: string; file_format: FileFormat }>(
    'select product_id, file_format from product_files',
  )
  const replace = async (name: string, content: (file_format: string) => Readable) => {
    for (const [at, { product_id, file_format }] of rows.entries()) {
      const file_path = `ebooks/${at}-${name}.${file_format}`
      await storage.write(file_path, content(file_format))
      await giveFile(db, { product_id, file_path, file_format, title: name })
    }
  }
  await replace('renamed', (wanted) =>
    createReadStream(sampleFiles.find(({ file_format }) => file_format === wanted)!.source),
  )
  expect((await read(admin)).done).toEqual(['admin'])
  await replace('my-own', (wanted) => Readable.from([`another book as ${wanted}`]))
  expect((await read(admin)).done).toEqual(['admin', 'book'])
})

test('the book waits for its file where it is sold as one, and a copy that was given is no purchase', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { database, db, storage } = shop.services
  const admin = await shop.person({ role: 'admin' })
  await changeProducts(database.db, { archived_at: new Date() })
  expect((await read(admin)).done).toEqual(['admin'])
  await giveProduct(db, { format: 'paperback', is_digital: false })
  expect((await read(admin)).done).toEqual(['admin', 'book'])
  const product_id = await giveProduct(db, { format: 'digital' })
  expect((await read(admin)).done).toEqual(['admin'])
  await storage.write('ebooks/own.pdf', Readable.from(['my own book']))
  await giveFile(db, { product_id, file_path: 'ebooks/own.pdf', file_format: 'pdf', title: 'Own' })
  expect((await read(admin)).done).toEqual(['admin', 'book'])

  const present = { kind: 'copy', product_id }
  const body = { present, list: admin.email, message: '' }
  expect((await admin.call('POST', '/api/admin/gifts', { body })).status).toBe(200)
  expect((await read(admin)).done).toEqual(['admin', 'book'])
})
