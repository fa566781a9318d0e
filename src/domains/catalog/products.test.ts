// Rules of the product list.
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { hourMs } from '#contract/durations.ts'
import { productList, type Product, type AdminProduct } from '#contract/catalog/products.ts'
import { changeProducts } from '#test/changes.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { given } from '#test/given.ts'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import { upload } from '#test/upload.ts'
import { sweepStoredFiles } from '#domains/catalog/products.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

test('products come lowest price first, and no response has the path of a file', async () => {
  await using shop = await openTestShop()
  const user = await shop.person()
  const response = await shop.call('GET', '/api/products')
  const text = await response.text()
  const products = productList.parse(JSON.parse(text))
  expect(products.map(({ format, price }) => [format, price])).toEqual([
    ['digital', 14.99],
    ['paperback', 24.99],
    ['hardcover', 39.99],
    ['bundle', 49.97],
  ])
  expect(Object.keys(JSON.parse(text)[0])).toEqual([
    'id',
    'name',
    'description',
    'price',
    'format',
    'is_digital',
    'ships',
    'is_sold_out',
    'cover_url',
    'cover',
    'parts',
    'holds',
    'file_formats',
    'contents',
    'bonuses',
    'file_sizes',
  ])

  const { rows } = await shop.services.database.pool.query<{ file_path: string }>(
    'select file_path from products where file_path is not null',
  )
  expect(rows).toHaveLength(2)
  const purchase = await user.buy(products[0]!.id)
  const responses = [
    text,
    JSON.stringify(purchase),
    await (await user.call('GET', '/api/purchases')).text(),
    await (await user.call('POST', `/api/purchases/${purchase.id}/download`, { body: {} })).text(),
    await (await shop.call('GET', '/api/openapi.json')).text(),
  ]
  for (const words of responses) {
    expect(words).not.toMatch(/file_path|ebooks\//)
    for (const { file_path } of rows) expect(words).not.toContain(file_path)
  }
})

test('a price changed in the database shows on the next request, and is what the next buyer pays', async () => {
  await using shop = await openTestShop()
  const { id } = await shop.product('paperback')
  const user = await shop.person()
  await changeProducts(shop.services.db, { price: 550n }, id)
  const cheapest = async () => productList.parse(await (await shop.call('GET', '/api/products')).json())[0]
  await expect.poll(cheapest).toMatchObject({ id, price: 5.5 })
  expect(await user.buy(id)).toMatchObject({ amount: 5.5 })
})

test('a product and a published book notify all processes that the shop changed', async () => {
  const { pool, url } = shop.services.database
  const listener = new Client({ connectionString: url })
  await listener.connect()
  try {
    const channels: string[] = []
    listener.on('notification', ({ channel }) => channels.push(channel))
    await listener.query('listen shop_changed')
    await pool.query('update products set position = position')
    await expect.poll(() => channels).toEqual(['shop_changed'])
    await pool.query(`insert into book_versions (number, document, published_by) values (1, $1, 'author')`, [
      sampleBook,
    ])
    await expect.poll(() => channels).toEqual(['shop_changed', 'shop_changed'])
  } finally {
    await listener.end()
  }
})

// Products at a price of 0.

test('what a free product gives to everybody requires a recent proof', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { id: ebook } = await shop.product('digital')
  const { id: bundle } = await shop.product('bundle')
  const path = `/api/admin/products/${bundle}`
  const change = async (body: object) => {
    const response = await admin.call('PATCH', path, { body })
    return response.ok ? 200 : ((await response.json()) as { code: string }).code
  }
  const contain = (ids: string[]) => admin.call('PUT', `${path}/parts`, { body: { ids } })
  expect(await change({ price: 0, is_for_sale: false })).toBe(200)
  await given.passwordsGiven(shop, '1 hour')

  const refused = 'auth.reauthentication_needed'
  expect(await (await contain([ebook])).json()).toMatchObject({ code: refused })
  expect(await change({ is_for_sale: true })).toBe(refused)
  expect(await change({ description: 'As before' })).toBe(200)
  expect(await change({ price: 20, is_for_sale: true })).toBe(200)
  expect((await contain([ebook])).status).toBe(200)
})

// Products that are copied, put into the archive and brought back.

test('a copy has the words, the price and the parts, and is hidden', async () => {
  const admin = await shop.person({ role: 'admin' })
  const copy = async (id: string) =>
    (await (await admin.call('POST', `/api/admin/products/${id}/copies`)).json()) as AdminProduct
  const bundle = await shop.product('bundle')
  const source = (await (await admin.call('GET', `/api/admin/products/${bundle.id}`)).json()) as AdminProduct
  const { description, price, format, contents, parts } = source
  const copied = await copy(bundle.id)
  const same = { description, price, format, contents, parts, is_digital: true }
  expect(copied).toMatchObject({ ...same, is_hidden: true, is_for_sale: false, editions: [], sold: 0 })
  expect(copied.name).toBe(`${bundle.name} (copy)`)
  expect(await copy((await shop.product('digital')).id)).toMatchObject({ delivery_gap: 'no_file' })
  const long = { name: 'x'.repeat(200), price: 1, format: 'paperback' }
  const made = await admin.call('POST', '/api/admin/products', { body: long })
  const { id } = (await made.json()) as AdminProduct
  expect((await copy(id)).name).toBe(`${'x'.repeat(193)} (copy)`)
  expect((await admin.call('POST', `/api/admin/products/${randomUUID()}/copies`)).status).toBe(404)
})

test('what is archived is not sold, nor shown from there, and stays with its owners', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('digital')
  const bought = await user.buy(id)
  const archive = (is_archived: boolean) =>
    admin.call('PUT', `/api/admin/products/${id}/archived`, { body: { is_archived } })
  const change = (body: object) => admin.call('PATCH', `/api/admin/products/${id}`, { body })
  const listed = async () => {
    const products = (await (await shop.call('GET', '/api/products')).json()) as Product[]
    return products.some((product) => product.id === id)
  }
  const archived = (await (await archive(true)).json()) as AdminProduct
  expect(archived).toMatchObject({ is_for_sale: false, archived_at: expect.any(String) })
  expect((await archive(true)).status).toBe(200)
  expect(await listed()).toBe(false)
  expect((await user.call('POST', '/api/purchases', { body: { product_id: id } })).status).toBe(404)
  expect(await (await change({ is_for_sale: true })).json()).toMatchObject({ code: 'products.archived' })
  expect((await change({ description: 'Out of print.' })).status).toBe(200)
  const download = await user.call('POST', `/api/purchases/${bought.id}/download`, { body: {} })
  expect(download.status).toBe(200)

  expect(await (await archive(false)).json()).toMatchObject({ is_hidden: true, archived_at: null })
  expect((await change({ is_for_sale: true })).status).toBe(200)
  expect(await listed()).toBe(true)
  const { rows } = await shop.services.database.pool.query(
    `select action from audit_log where action like '%archived' order by id`,
  )
  expect(rows).toEqual([{ action: 'products.archived' }, { action: 'products.unarchived' }])
})

// The shelf: uploads that are checked, products that change, and nothing half done.

const sample = (extension: string) =>
  readFile(new URL(`../../../content/edition/sample.${extension}`, import.meta.url))
const stored = ({ services }: TestShop) =>
  readdir(join(services.config.dataDir, 'files/ebooks')).then((names) => names.length)
const fields = { name: 'A New Book', price: 9.99, format: 'digital' }

test('an uploaded ebook is in the store, and its buyer gets those very bytes', async () => {
  const admin = await shop.person({ role: 'admin' })
  const user = await shop.person()
  const epub = await sample('epub')
  const upload_id = await upload(shop, admin, epub, 'My Book.EPUB')
  const made = await admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
  expect(made.status).toBe(201)
  const product = (await made.json()) as AdminProduct
  expect(product).toMatchObject({ ...fields, is_digital: true, is_for_sale: true, sold: 0 })
  expect(product.editions).toMatchObject([{ file_format: 'epub', file_size: epub.length, findings: [] }])
  const listed = (await (await shop.call('GET', '/api/products')).json()) as Product[]
  expect(listed.map(({ id }) => id)).toContain(product.id)

  const { id } = await user.buy(product.id)
  const link = await user.call('POST', `/api/purchases/${id}/download`, { body: {} })
  const { url, file_name } = (await link.json()) as { url: string; file_name: string }
  expect(file_name).toBe('A New Book.epub')
  const bytes = Buffer.from(await (await shop.call('GET', url)).arrayBuffer())
  expect(bytes.equals(epub)).toBe(true)
  const { rows } = await shop.services.database.pool.query(
    `select file_path from product_files where product_id = $1`,
    [product.id],
  )
  expect(rows[0].file_path).toMatch(/^ebooks\/\d+-A-New-Book\.epub$/)
})

test('what is no ebook is refused with reasons, leaves nothing behind, and may be tried again', async () => {
  const admin = await shop.person({ role: 'admin' })
  const before = await stored(shop)
  const files: [string, Buffer][] = [
    ['fake.pdf', Buffer.from('this is no PDF at all')],
    ['program.exe', Buffer.from('MZ')],
    ['renamed.pdf', await sample('epub')],
    ['cut.epub', (await sample('epub')).subarray(0, 5000)],
    ['empty.epub', Buffer.alloc(1)],
  ]
  for (const [name, content] of files) {
    const upload_id = await upload(shop, admin, content, name)
    const refused = await admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
    expect([name, refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      name,
      422,
      'uploads.not_an_ebook',
    ])
  }
  expect(await stored(shop)).toBe(before)
  const unknown = await admin.call('POST', '/api/admin/products', {
    body: { ...fields, upload_id: 'f'.repeat(32) },
  })
  expect(unknown.status).toBe(404)
})

test('findings say in plain words what a user would stumble over', async () => {
  const admin = await shop.person({ role: 'admin' })
  const container = strToU8('<container><rootfiles><rootfile full-path="O/b.opf"/></rootfiles></container>')
  const book = strToU8(`<package><metadata><dc:title>B</dc:title></metadata><manifest>
    <item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="z"/></spine></package>`)
  const epub = zipSync({
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': container,
    'O/b.opf': book,
    'O/a.xhtml': strToU8('<html/>'),
  })
  const locked = Buffer.concat([
    (await sample('pdf')).subarray(0, 2000),
    Buffer.from('trailer << /Encrypt 5 0 R >>'),
  ])
  const mobi = Buffer.alloc(100)
  mobi.write('BOOKMOBI', 60)
  const findingsOf = async (content: Buffer, name: string) => {
    const upload_id = await upload(shop, admin, content, name)
    const made = await admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
    return ((await made.json()) as AdminProduct).editions[0]!.findings.join(' ')
  }
  expect(await findingsOf(Buffer.from(epub), 'x.epub')).toMatch(
    /1 of the chapters.*1 of the EPUB’s files.*b\.xhtml/,
  )
  expect(await findingsOf(locked, 'x.pdf')).toMatch(/cut off.*encrypted/)
  expect(await findingsOf(mobi, 'x.mobi')).toMatch(/EPUB/)
  expect(await findingsOf(await sample('pdf'), 'x.pdf')).toBe('')
})

test('of two who finish one upload at once, one gets the product; of two titles in one millisecond, both', async () => {
  await using shop = await openTestShop({ hasWorkers: false, clock: () => new Date('2030-01-01T00:00:00Z') })
  const admin = await shop.person({ role: 'admin' })
  const pdf = await sample('pdf')
  const add = (upload_id: string) =>
    admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
  const once = await upload(shop, admin, pdf, 'a.pdf')
  const statuses = (await Promise.all([add(once), add(once)])).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([201, 404]))
  const ids = await Promise.all([upload(shop, admin, pdf, 'b.pdf'), upload(shop, admin, pdf, 'c.pdf')])
  const both = await Promise.all(ids.map(add))
  expect(both.map(({ status }) => status)).toEqual([201, 201])
})

test('a new edition is what old owners get; the old file stays', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const { id } = await admin.buy(product_id)
  const before = await stored(shop)
  const changed = Buffer.concat([await sample('pdf'), Buffer.from('\n%second edition\nstartxref\n0\n%%EOF')])
  const upload_id = await upload(shop, admin, changed, 'second.pdf')
  const path = `/api/admin/products/${product_id}/editions`
  expect((await admin.call('POST', path, { body: { upload_id } })).status).toBe(201)
  expect(await stored(shop)).toBe(before + 1)
  const body = { file_format: 'pdf' }
  const { url } = (await (await admin.call('POST', `/api/purchases/${id}/download`, { body })).json()) as {
    url: string
  }
  expect(Buffer.from(await (await shop.call('GET', url)).arrayBuffer()).equals(changed)).toBe(true)
})

test('a changed price is the next buyer’s, never the last one’s; a hidden product is not sold', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id, price } = await shop.product('digital')
  const change = (body: object) => admin.call('PATCH', `/api/admin/products/${id}`, { body })
  const bought = await admin.buy(id)
  const during = await Promise.all([
    ...Array.from({ length: 12 }, () => admin.buy(id)),
    change({ price: 20 }),
  ])
  const amounts = new Set(during.slice(0, 12).map((purchase) => (purchase as { amount: number }).amount))
  for (const amount of amounts) expect([price, 20]).toContain(amount)
  expect((await admin.buy(id)).amount).toBe(20)
  const own = (await (await admin.call('GET', '/api/purchases')).json()) as OwnPurchases
  expect(own.items.find((each) => each.id === bought.id)!.amount).toBe(price)

  expect((await change({ is_for_sale: false })).status).toBe(200)
  const refused = await admin.call('POST', '/api/purchases', { body: { product_id: id } })
  expect(refused.status).toBe(404)
  expect((await admin.call('GET', '/api/purchases')).status).toBe(200)
  expect((await change({ price: 1.005 })).status).toBe(422)
  expect((await change({})).status).toBe(422)
})

test('the log says of a change what was changed, and nothing of what stayed', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id, name, price } = await shop.product('digital')
  const body = { name, price: 20, is_for_sale: true }
  for (const again of [body, body])
    expect((await admin.call('PATCH', `/api/admin/products/${id}`, { body: again })).status).toBe(200)
  const { rows } = await shop.services.database.pool.query(
    `select detail from audit_log where action = 'products.changed'`,
  )
  expect(rows).toEqual([{ detail: { price: { from: price, to: 20 } } }])
})

test('the order of the product list is the order of the page', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { products } = await shop.services.catalogue.get()
  const ids = products.map(({ id }) => id).toReversed()
  expect((await admin.call('PUT', '/api/admin/products/order', { body: { ids } })).status).toBe(200)
  await expect
    .poll(async () => (await shop.services.catalogue.get()).products.map(({ id }) => id))
    .toEqual(ids)
})

test('admins who change the order, a product and a bundle at once do not block each other for good', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { products } = await shop.services.catalogue.get()
  const ids = products.map(({ id }) => id)
  const bundle = await shop.product('bundle')
  const part = await shop.product('paperback')
  const parts = products.filter(({ format }) => format !== 'bundle').map(({ id }) => id)
  const order = (body: object) => admin.call('PUT', '/api/admin/products/order', { body })
  for (let round = 0; round < 20; round += 1) {
    const responses = await Promise.all([
      order({ ids }),
      order({ ids: ids.toReversed() }),
      order({ ids: [...ids.slice(2), ...ids.slice(0, 2)] }),
      admin.call('PUT', `/api/admin/products/${bundle.id}/parts`, {
        body: { ids: round % 2 ? parts : [part.id] },
      }),
      admin.call('PATCH', `/api/admin/products/${part.id}`, {
        body: { format: round % 2 ? 'paperback' : 'hardcover' },
      }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  }
})

test('a file whose product never came to be is swept away, one that is sold is not', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const { storage, database } = shop.services
  const before = await stored(shop)
  await storage.write('ebooks/1-orphan.pdf', Buffer.from('%PDF-'))
  await database.pool.query(`insert into unsettled_files (file_path) values ('ebooks/1-orphan.pdf')`)
  await sweepStoredFiles(shop.services)
  expect(await stored(shop)).toBe(before + 1)
  now = new Date(now.getTime() + 25 * hourMs)
  await sweepStoredFiles(shop.services)
  expect(await stored(shop)).toBe(before)
})
