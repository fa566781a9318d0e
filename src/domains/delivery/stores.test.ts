// An ebook's way from its author to its buyers, in every place where a shop can store it, and when that place fails.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { sweepStoredFiles } from '#domains/catalog/products.ts'
import { changePurchase } from '#test/factories.ts'
import { makeEpub } from '#test/epub.ts'
import { openFaultyBucket } from '#test/faulty-bucket.ts'
import { openTestShop } from '#test/shop.ts'
import { listNames, prepareStores } from '#test/stores.ts'
import { upload } from '#test/upload.ts'

const stores = prepareStores()
const sample = await readFile(new URL('../../../content/edition/sample.epub', import.meta.url))
const fields = { name: 'A New Book', price: 9.99, format: 'digital' }

async function openShopAt(url: string, clock = () => new Date()) {
  const env = { STORAGE_URL: url, TRUST_PROXY: '1' }
  const shop = await openTestShop({ env, clock, isEmpty: true, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const user = await shop.person()

  async function addBook(content: Buffer) {
    const upload_id = await upload(shop, admin, content, 'book.epub')
    const add = () => admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
    return { add, response: await add() }
  }

  /** Of a purchase, the address of its file. */
  async function link(purchase_id: string): Promise<string> {
    const response = await user.call('POST', `/api/purchases/${purchase_id}/download`, { body: {} })
    return ((await response.json()) as { url: string }).url
  }

  async function downloads() {
    const { rows } = await shop.services.database.pool.query(
      'select ip, started_at is not null as is_started from downloads order by created_at, id',
    )
    return rows
  }

  return { ...shop, admin, user, addBook, link, downloads }
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test.each(stores.kinds)(
  'from a %s a buyer gets the author’s bytes, through the shop, and that is recorded',
  async (kind) => {
    await using store = await stores.open(kind)
    await using shop = await openShopAt(store.url)
    const { admin, user } = shop
    const { response } = await shop.addBook(sample)
    expect(response.status).toBe(201)
    const { id: product_id } = (await response.json()) as AdminProduct
    const { id } = await user.buy(product_id)
    const url = await shop.link(id)
    // The shop sends the bytes: nobody is led to the bucket.
    expect(url).toMatch(/^\/api\/files\//)
    expect(await shop.downloads()).toEqual([{ ip: null, is_started: false }])
    const headers = { 'x-forwarded-for': '192.0.2.7' }
    const whole = await shop.call('GET', url, { headers })
    expect([whole.status, whole.headers.get('location')]).toEqual([200, null])
    expect((await bytesOf(whole)).equals(sample)).toBe(true)
    expect(await shop.downloads()).toEqual([{ ip: '192.0.2.7', is_started: true }])
    const part = await shop.call('GET', url, { headers: { range: 'bytes=1000-' } })
    expect(part.status).toBe(206)
    expect((await bytesOf(part)).equals(sample.subarray(1000))).toBe(true)
    const etag = whole.headers.get('etag')!
    expect((await shop.call('GET', url, { headers: { 'if-none-match': etag } })).status).toBe(304)

    const second = makeEpub()
    const body = { upload_id: await upload(shop, admin, second, 'second.epub') }
    expect((await admin.call('POST', `/api/admin/products/${product_id}/editions`, { body })).status).toBe(
      201,
    )
    expect((await bytesOf(await shop.call('GET', await shop.link(id)))).equals(second)).toBe(true)
    expect((await bytesOf(await shop.call('GET', url))).equals(sample)).toBe(true)

    // Asked again at each use: a link that is out does not outlive the right to the book.
    await changePurchase(shop.services.db, id, { status: 'refunded' })
    expect((await shop.call('GET', url)).status).toBe(409)
  },
)

test.each(stores.kinds)(
  'in a %s an upload that was killed before its product was made is swept away',
  async (kind) => {
    await using store = await stores.open(kind)
    let now = new Date()
    await using shop = await openShopAt(store.url, () => now)
    await shop.addBook(sample)
    const { storage, database } = shop.services
    const before = await listNames(storage, 'ebooks/')
    await storage.write('ebooks/1-orphan.epub', sample)
    await database.pool.query(`insert into unsettled_files (file_path) values ('ebooks/1-orphan.epub')`)
    await sweepStoredFiles(shop.services)
    // As a folder has it when the process is killed while it writes.
    await storage.write('incoming/killed', sample)
    expect(await listNames(storage, 'ebooks/')).toHaveLength(2)
    now = new Date(now.getTime() + 25 * 3_600_000)
    await sweepStoredFiles(shop.services)
    expect(await listNames(storage, 'ebooks/')).toEqual(before)
    expect(await listNames(storage, 'incoming/')).toEqual([])
  },
)

test('an upload to a bucket that fails leaves no product, and can be tried again', async () => {
  await using bucket = await openFaultyBucket(stores.openStrict())
  await using shop = await openShopAt(bucket.url)
  const { pool } = shop.services.database
  const count = async () => (await pool.query('select from product_files')).rowCount
  bucket.proxy.fail('PUT', { of: 'request', after: 1_000, what: 'end' }, 5)
  const { add, response } = await shop.addBook(sample)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await response.json()).toMatchObject({ code: 'server.unavailable' })
  expect([await count(), await listNames(bucket.direct, 'ebooks/')]).toEqual([0, []])

  expect((await add()).status).toBe(201)
  expect([await count(), await listNames(bucket.direct, 'ebooks/')]).toEqual([1, [expect.any(String)]])
})

test('a download from a bucket that fails is whole, refused, or visibly broken', async () => {
  await using bucket = await openFaultyBucket(stores.openStrict())
  await using shop = await openShopAt(bucket.url)
  const { response } = await shop.addBook(sample)
  const { id: product_id } = (await response.json()) as AdminProduct
  const { proxy } = bucket
  const before = proxy.calls.length
  const { id } = await shop.user.buy(product_id)
  // A shop goes on selling without its bucket.
  expect(proxy.calls.length).toBe(before)
  const url = await shop.link(id)

  proxy.fail('HEAD', { status: 503, code: 'SlowDown' }, 5)
  const refused = await shop.call('GET', url)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await shop.downloads()).toEqual([{ ip: null, is_started: false }])
  proxy.fail('GET', { status: 500, code: 'InternalError' }, 5)
  expect((await shop.call('GET', url)).status).toBe(503)

  proxy.fail('GET', { of: 'response', after: 1_000, what: 'end' })
  expect((await bytesOf(await shop.call('GET', url))).equals(sample)).toBe(true)

  proxy.fail('GET', { of: 'response', after: 1_000, what: 'end' })
  proxy.fail('GET', { of: 'response', after: 0, what: 'end' }, 5)
  const broken = await shop.call('GET', url)
  expect([broken.status, broken.headers.get('content-length')]).toEqual([200, String(sample.length)])
  await expect(bytesOf(broken)).rejects.toThrow('terminated')
  proxy.fail('GET', { of: 'response', after: 1_000, what: 'damage' })
  await expect(bytesOf(await shop.call('GET', url))).rejects.toThrow('terminated')
})
