// What a purchase gives: every state of it, on every way to the bytes, for every person.
import { expect, test } from 'vitest'
import { purchaseStatuses, type PurchaseStatus } from '#contract/purchases.ts'
import { openTestShop } from '#test/shop.ts'

const gives: Record<PurchaseStatus, boolean> = {
  pending: false,
  completed: true,
  partially_refunded: true,
  refunded: false,
  canceled: false,
  disputed: false,
}

test('each state of a purchase opens or closes each way to the file, and only for its buyer', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { pool } = shop.services.database
  const people = {
    buyer: await shop.person(),
    other: await shop.person(),
    admin: await shop.person({ role: 'admin' }),
  }
  const { id } = await people.buyer.buy((await shop.product('digital')).id)
  const ask = (person: keyof typeof people | undefined) =>
    (person ? people[person] : shop).call('POST', `/api/purchases/${id}/download`, { body: {} })
  const { url } = (await (await ask('buyer')).json()) as { url: string }
  for (const status of purchaseStatuses) {
    await pool.query('update purchases set status = $1', [status])
    const answers = [
      await ask('buyer'),
      await shop.call('GET', url),
      await ask('other'),
      await ask('admin'),
      await ask(undefined),
    ]
    const expected = gives[status] ? [200, 200, 404, 404, 401] : [409, 409, 404, 404, 401]
    expect([status, ...answers.map((answer) => answer.status)]).toEqual([status, ...expected])
  }
})

test('a bundle gives the files of its parts, also those that come later', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const reader = await shop.person()
  const { id } = await reader.buy((await shop.product('bundle')).id)
  await pool.query(
    `delete from product_files where product_id in (select id from products where format = 'bundle')`,
  )
  const ask = () => reader.call('POST', `/api/purchases/${id}/download`, { body: { file_format: 'epub' } })
  const part = (await (await ask()).json()) as { url: string; file_name: string }
  expect((await shop.call('GET', part.url)).status).toBe(200)
  await pool.query('delete from bundle_items')
  expect((await ask()).status).toBe(404)
})

test('access ends when all the money is asked back, not when a part is', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const reader = await shop.person()
  const { id } = await reader.buy((await shop.product('digital')).id)
  const ask = async () => (await reader.call('POST', `/api/purchases/${id}/download`, { body: {} })).status
  const request = (amount: number) =>
    pool.query(
      `insert into refund_requests (id, purchase_id, amount, is_by_reader) values (gen_random_uuid(), $1, $2, true)`,
      [id, amount],
    )
  await request(5)
  expect(await ask()).toBe(200)
  await pool.query('delete from refund_requests')
  await request(14.99)
  expect(await ask()).toBe(409)
})
