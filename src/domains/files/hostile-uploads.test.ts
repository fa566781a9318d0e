// A hostile file on its way to the products: refused by a document that says what to do, while the shop goes on.
import { expect, test } from 'vitest'
import { makeEpub } from '#test/epub.ts'
import { openTestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'

const fields = { name: 'A Book', price: 5, format: 'digital' }

test('a hostile EPUB is refused in plain words, the shop responds meanwhile, and the next book is accepted', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const add = async (content: Buffer) => {
    const upload_id = await upload(shop, admin, content, 'book.epub')
    return admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
  }
  const slow = makeEpub({ 'META-INF/container.xml': '<rootfile '.repeat(50_000) })
  const responses = await Promise.all([
    add(slow),
    ...Array.from({ length: 20 }, () => shop.call('GET', '/api/health')),
  ])
  expect(responses.map(({ status }) => status)).toEqual([201, ...Array<number>(20).fill(200)])
  expect(await responses[0].json()).toMatchObject({
    editions: [{ findings: [expect.stringContaining('not well-formed')] }],
  })

  const refused = await add(makeEpub({ 'O/b.opf': '<!DOCTYPE a [<!ENTITY b "c">]><package>&b;</package>' }))
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    code: 'uploads.too_complex',
    detail: expect.stringMatching(/DOCTYPE.*Please export the book again and upload the new file\.$/),
  })
  expect((await add(makeEpub())).status).toBe(201)
})

test('of many files at once those that find no place are asked to come back, and then are taken', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const book = makeEpub()
  const ids = await Promise.all(Array.from({ length: 24 }, () => upload(shop, admin, book, 'book.epub')))
  const add = async (upload_id: string) => {
    const response = await admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
    return { upload_id, status: response.status, retry: response.headers.get('retry-after') }
  }
  const responses = await Promise.all(ids.map(add))
  const busy = responses.filter(({ status }) => status === 503)
  expect(busy.length).toBeGreaterThan(0)
  expect(busy.every(({ retry }) => Number(retry) > 0)).toBe(true)
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(24 - busy.length)
  expect((await add(busy[0]!.upload_id)).status).toBe(201)
})
