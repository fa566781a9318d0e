// What cannot be delivered is not for sale, however it came to be so.
import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import {
  type Product,
  adminProduct,
  type AdminProduct,
  type EditionComparison,
} from '#contract/catalog/products.ts'
import { ownPurchases } from '#contract/orders/purchases.ts'
import { changeProducts, loseFiles } from '#test/changes.ts'
import type { Person } from '#test/users.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { upload } from '#test/upload.ts'
import { makeBook } from '#test/epub.ts'
import { compareEdition } from '#domains/delivery/products.ts'
import { openProductsShop } from '#test/products.ts'
import { publishBook } from '#test/legal.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

const sample = (name: string) => readFile(new URL(`../../../content/${name}`, import.meta.url))
const isListed = async (shop: TestShop, id: string) => {
  const products = (await (await shop.call('GET', '/api/products')).json()) as Product[]
  return products.some((each) => each.id === id)
}
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

function adminProductsOf(admin: Person) {
  const call = async (method: string, path: string, body?: object) => {
    const response = await admin.call(method, `/api/admin/products${path}`, body && { body })
    if (!response.ok) throw new Error(await codeOf(response))
    return adminProduct.parse(await response.json())
  }
  return {
    add: (fields: object) => call('POST', '', { name: 'A Study Guide', price: 5, ...fields }),
    read: (id: string) => call('GET', `/${id}`),
    change: (id: string, fields: object) => call('PATCH', `/${id}`, fields),
    hold: (id: string, ids: string[]) => call('PUT', `/${id}/parts`, { ids }),
    addFile: (id: string, body: object) => call('POST', `/${id}/editions`, body),
  }
}

test('a digital product is for sale from its first file on, and no longer when it has none', async () => {
  const admin = await shop.person({ role: 'admin' })
  const adminProducts = adminProductsOf(admin)
  const { id, ...made } = await adminProducts.add({ format: 'digital' })
  expect(made).toMatchObject({
    is_digital: true,
    is_for_sale: false,
    is_hidden: false,
    delivery_gap: 'no_file',
  })
  const buy = () => admin.call('POST', '/api/purchases', { body: { product_id: id } })
  expect(await isListed(shop, id)).toBe(false)
  expect(await codeOf(await buy())).toBe('products.not_found')
  expect(await adminProducts.change(id, { is_for_sale: true })).toMatchObject({ is_for_sale: false })

  const upload_id = await upload(shop, admin, await sample('edition/sample.epub'), 'guide.epub')
  expect(await adminProducts.addFile(id, { upload_id })).toMatchObject({
    is_for_sale: true,
    delivery_gap: null,
  })
  expect(await isListed(shop, id)).toBe(true)
  expect((await buy()).status).toBe(201)

  await loseFiles(shop.services.db, id)
  await expect.poll(() => isListed(shop, id)).toBe(false)
  expect(await codeOf(await buy())).toBe('products.not_found')
  expect(await adminProducts.read(id)).toMatchObject({ is_for_sale: false, delivery_gap: 'no_file' })
  await changeProducts(shop.services.db, { download_url: 'https://files.example/x' })
  expect(await adminProducts.read(id)).toMatchObject({ is_for_sale: true, delivery_gap: null })
})

test('a bundle is for sale when it holds something and each digital part of it has a file', async () => {
  const admin = await shop.person({ role: 'admin' })
  const adminProducts = adminProductsOf(admin)
  const paperback = await shop.product('paperback')
  const guide = await adminProducts.add({ format: 'digital' })
  const { id, ...made } = await adminProducts.add({ format: 'bundle' })
  expect(made).toMatchObject({ is_digital: false, is_for_sale: false, delivery_gap: 'empty_bundle' })
  expect(await adminProducts.hold(id, [paperback.id])).toMatchObject({ is_digital: false, is_for_sale: true })
  const both = await adminProducts.hold(id, [paperback.id, guide.id])
  expect(both).toMatchObject({ is_digital: true, is_for_sale: false, delivery_gap: 'part_without_file' })
  const refused = await admin.call('POST', '/api/purchases', { body: { product_id: id } })
  expect(await codeOf(refused)).toBe('products.not_found')
  // Kept elsewhere, a part's file does not reach the bundle's owner.
  await changeProducts(shop.services.db, { download_url: 'https://x.example/' }, guide.id)
  expect((await adminProducts.read(id)).delivery_gap).toBe('part_without_file')
  await adminProducts.change(guide.id, { format: 'paperback' })
  expect(await adminProducts.read(id)).toMatchObject({
    is_digital: false,
    is_for_sale: true,
    delivery_gap: null,
  })
  await adminProducts.change(guide.id, { format: 'digital' })
  const upload_id = await upload(shop, admin, await sample('edition/sample.pdf'), 'guide.pdf')
  await adminProducts.addFile(guide.id, { upload_id })
  expect(await adminProducts.read(id)).toMatchObject({
    is_digital: true,
    is_for_sale: true,
    delivery_gap: null,
  })
})

test('what is digital follows the format; saying otherwise is refused, by the table, too', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const adminProducts = adminProductsOf(admin)
  const refused = async (method: string, path: string, body: object) => {
    const response = await admin.call(method, `/api/admin/products${path}`, { body })
    return (await response.json()) as { code: string; fields?: Record<string, string> }
  }
  const paper = { name: 'On paper', price: 1, format: 'paperback' }
  for (const body of [
    { ...paper, is_digital: true },
    { ...paper, format: 'digital', is_digital: false },
  ])
    expect(await refused('POST', '', body)).toMatchObject({
      code: 'request.invalid',
      fields: { is_digital: expect.any(String) },
    })
  const { id, is_digital } = await adminProducts.add(paper)
  expect(is_digital).toBe(false)
  expect(await refused('PATCH', `/${id}`, { is_digital: true })).toMatchObject({ code: 'request.invalid' })
  expect(await adminProducts.change(id, { format: 'digital' })).toMatchObject({
    is_digital: true,
    is_for_sale: false,
  })
  expect(await adminProducts.change(id, { format: 'hardcover' })).toMatchObject({
    is_digital: false,
    is_for_sale: true,
  })
  const upload_id = await upload(shop, admin, await sample('edition/sample.pdf'), 'book.pdf')
  expect(await refused('POST', `/${id}/editions`, { upload_id })).toMatchObject({
    code: 'products.no_download',
  })
  const byHand = shop.services.database.pool.query('update products set is_digital = true where id = $1', [
    id,
  ])
  await expect(byHand).rejects.toThrow(/products_is_digital/)
  const { id: part } = await shop.product('digital')
  expect(await refused('PATCH', `/${part}`, { format: 'bundle' })).toMatchObject({
    code: 'products.not_a_bundle',
  })
})

test('two changes at once leave what is digital as the parts then are', async () => {
  const admin = await shop.person({ role: 'admin' })
  const adminProducts = adminProductsOf(admin)
  const bundle = await adminProducts.add({ format: 'bundle' })
  const guide = await adminProducts.add({ format: 'paperback' })
  for (const format of ['digital', 'paperback', 'digital', 'hardcover']) {
    await adminProducts.hold(bundle.id, [])
    await Promise.all([adminProducts.hold(bundle.id, [guide.id]), adminProducts.change(guide.id, { format })])
    expect((await adminProducts.read(bundle.id)).is_digital).toBe(format === 'digital')
  }
})

test('a checkout that is open when the file goes away is still settled; a new one is refused', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: stripe.env, hasWorkers: false })
  const user = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const { id } = await user.buy(product_id)
  const [session] = stripe.sessions.values()
  await changeProducts(shop.services.db, { file_path: null }, product_id)
  await loseFiles(shop.services.db, product_id)
  const other = await shop.person()
  const refused = await other.call('POST', '/api/purchases', { body: { product_id } })
  expect(await codeOf(refused)).toBe('products.not_found')
  stripe.pay(session!.id)
  await user.call('POST', `/api/purchases/${id}/settle`)
  const own = ownPurchases.parse(await (await user.call('GET', '/api/purchases')).json()).items
  expect(own).toMatchObject([{ id, status: 'completed' }])
})

test('a bundle of two ebooks gives both, and its bonus to its owners alone', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const adminProducts = adminProductsOf(admin)
  const [bundle, digital] = [await shop.product('bundle'), await shop.product('digital')]
  const second = Buffer.concat([
    await sample('edition/sample.pdf'),
    Buffer.from('\n%second\nstartxref\n0\n%%EOF'),
  ])
  const upload_id = await upload(shop, admin, second, 'guide.pdf')
  const guide = await adminProducts.add({ format: 'digital', upload_id })
  await adminProducts.hold(bundle.id, [digital.id, guide.id])
  for (const { id } of [bundle, digital]) await admin.buy(id)
  const [alone, together] = ownPurchases.parse(await (await admin.call('GET', '/api/purchases')).json()).items
  const named = (purchase: typeof alone) =>
    purchase?.product.files.map(({ title, file_format }) => `${title}: ${file_format}`)
  const book = "Nine P's that Change Everything"
  expect(named(alone)).toEqual([`${book}: epub`, `${book}: pdf`])
  expect(named(together)).toEqual([
    'A Study Guide: pdf',
    `${book}: epub`,
    `${book}: pdf`,
    'Nine Prayers and Questions: pdf',
  ])
  const get = (purchase: typeof alone, body: object) =>
    admin.call('POST', `/api/purchases/${purchase!.id}/download`, { body })
  const wanted = [
    { product_id: bundle.id, bytes: await sample('bonus/bonus.pdf') },
    { product_id: guide.id, bytes: second },
    { product_id: digital.id, bytes: await sample('edition/sample.pdf') },
  ]
  for (const { product_id, bytes } of wanted) {
    const { url } = (await (await get(together, { product_id, file_format: 'pdf' })).json()) as {
      url: string
    }
    expect(Buffer.from(await (await shop.call('GET', url)).arrayBuffer()).equals(bytes)).toBe(true)
  }
  for (const product_id of [bundle.id, guide.id, crypto.randomUUID()])
    expect((await get(alone, { product_id })).status).toBe(404)
})

test('a bundle’s card names its bonus, and each product’s its files and the author’s lines', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const adminProducts = adminProductsOf(admin)
  const listed = async () => (await (await shop.call('GET', '/api/products')).json()) as Product[]
  const [digital, paperback, , bundle] = await listed()
  expect(digital).toMatchObject({ file_formats: ['epub', 'pdf'], bonuses: [] })
  expect(paperback).toMatchObject({ file_formats: [], contents: ['Soft cover', 'Room in the margins'] })
  expect(bundle).toMatchObject({ file_formats: ['epub', 'pdf'], bonuses: ['Nine Prayers and Questions'] })
  const lines = ['Large print', 'A ribbon']
  expect(await adminProducts.change(paperback!.id, { contents: lines })).toMatchObject({ contents: lines })
  expect((await listed())[1]).toMatchObject({ contents: lines })
  for (const contents of [['x'.repeat(121)], Array(9).fill('x'), [''], ['two\nlines'], ['\0'], 'x'])
    await expect(adminProducts.change(paperback!.id, { contents })).rejects.toThrow('request.invalid')
  const upload_id = await upload(shop, admin, await sample('bonus/bonus.pdf'), 'more.pdf')
  await adminProducts.addFile(bundle!.id, { upload_id, title: 'A Letter' })
  expect((await listed())[3]).toMatchObject({ bonuses: ['A Letter'] })
  const next = await upload(shop, admin, await sample('bonus/bonus.pdf'), 'more.pdf')
  await adminProducts.addFile(bundle!.id, { upload_id: next })
  expect((await listed())[3]).toMatchObject({ bonuses: ['A Letter'] })

  const epub = await upload(shop, admin, await sample('edition/sample.epub'), 'guide.epub')
  const guide = await adminProducts.add({ format: 'digital', upload_id: epub })
  await adminProducts.hold(bundle!.id, [guide.id])
  const held = (await listed()).find(({ id }) => id === bundle!.id)
  expect(held).toMatchObject({ file_formats: ['epub'], bonuses: ['A Letter'] })
})

// A new edition is a decision: what its file holds is shown first, each edition can be downloaded, and made current again.

const pages = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, nth) => [
      `c${nth}.xhtml`,
      `<h1>Chapter ${nth + 1}</h1><p>${'Words of this chapter. '.repeat(40)}</p>`,
    ]),
  )

const book = (title: string, isbn: string, chapters = 3) =>
  makeBook(pages(chapters), {
    metadata: `<dc:title>${title}</dc:title><dc:identifier>urn:isbn:${isbn}</dc:identifier><dc:language>en</dc:language>`,
  })

const one = '9780306406157'
const another = '9783161484100'

async function openEditionsShop() {
  const shop = await openProductsShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const send = (content: Buffer) => upload(shop, admin, content, 'book.epub')
  const add = async (content: Buffer) => {
    const body = { upload_id: await send(content) }
    return (await (
      await admin.call('POST', `/api/admin/products/${id}/editions`, { body })
    ).json()) as AdminProduct
  }
  const check = async (upload_id: string) =>
    admin.call('POST', `/api/admin/products/${id}/editions/check`, { body: { upload_id } })
  const restore = (file_id: string) =>
    admin.call('POST', `/api/admin/products/${id}/editions/${file_id}/current`)
  const link = (person: Person, file_id: string) => person.call('POST', `/api/admin/editions/${file_id}/link`)
  return { ...shop, admin, id, send, add, check, restore, download: link }
}

test('the file is described beside the edition on sale, and another book is warned of', async () => {
  await using shop = await openEditionsShop()
  await shop.add(book('The Sons of Sceva', one))
  const compare = async (content: Buffer) =>
    (await (await shop.check(await shop.send(content))).json()) as EditionComparison
  const listed_chapters = 3
  const words = [{ word: 'A part', line: '', is_part: true }]
  for (let n = 1; n <= listed_chapters; n++) words.push({ word: `Chapter ${n}`, line: '', is_part: false })
  await publishBook(shop.admin, { words })
  expect(await compare(book('The Sons of Sceva!', one, 4))).toMatchObject({
    title: 'The Sons of Sceva!',
    file_format: 'epub',
    chapters: 4,
    listed_chapters,
    owners: 1,
    reading: 'read',
    reading_on_sale: 'read',
    warnings: [],
  })
  const { warnings, ...other } = await compare(book('A Cookbook', another))
  expect(other).toMatchObject({ chapters: 3, listed_chapters: null })
  expect(warnings).toEqual([
    'The title of this file is “A Cookbook”; that of the edition on sale is “The Sons of Sceva”.',
    `The ISBN of this file is ${another}; that of the edition on sale is ${one}.`,
  ])
  // It is refused as the edition would be, and the upload stays for the edition.
  expect((await shop.check(await shop.send(Buffer.from('no ebook')))).status).toBe(422)
  const upload_id = await shop.send(book('The Sons of Sceva', one))
  expect((await shop.check(upload_id)).status).toBe(200)
  const body = { upload_id }
  expect((await shop.admin.call('POST', `/api/admin/products/${shop.id}/editions`, { body })).status).toBe(
    201,
  )
})

test('a file that could not be read in time is not compared, and nothing is claimed of it', async () => {
  await using shop = await openEditionsShop()
  await shop.add(book('The Sons of Sceva', one))
  const upload_id = await shop.send(book('A Cookbook', another))
  const { uploadReader } = shop.services
  /** Readings of books never end, as on a machine that is too busy. */
  const busyReader = {
    ...uploadReader,
    run: (...[task, signal]: Parameters<typeof uploadReader.run>) =>
      task.kind === 'book' ? uploadReader.run(task, AbortSignal.abort()) : uploadReader.run(task, signal),
  }
  const busy = { ...shop.services, uploadReader: busyReader }
  const comparison = await compareEdition(busy, shop.id, upload_id)
  expect(comparison).toMatchObject({
    reading: 'timed_out',
    reading_on_sale: 'timed_out',
    title: null,
    warnings: [],
  })
  expect(await compareEdition(shop.services, shop.id, upload_id)).toMatchObject({
    reading: 'read',
    reading_on_sale: 'read',
    warnings: { length: 2 },
  })
  // A book of pictures may be sold, and there is no text to compare.
  const pictures = await shop.send(makeBook({ 'a.xhtml': '<img src="a.png"/>' }))
  expect(await compareEdition(shop.services, shop.id, pictures)).toMatchObject({
    reading: 'unreadable',
    reading_on_sale: 'read',
  })
})

test('an earlier edition is made current again under a number of its own, emails nobody, and its file is the same', async () => {
  await using shop = await openEditionsShop()
  const first = book('The Sons of Sceva', one)
  await shop.add(first)
  const { editions } = await shop.add(book('A Cookbook', another))
  const [wrong, right] = editions
  const made = await shop.restore(right!.id)
  expect(made.status).toBe(201)
  const { editions: now } = (await made.json()) as AdminProduct
  expect(now.slice(0, 3).map(({ edition }) => edition)).toEqual([
    wrong!.edition + 1,
    wrong!.edition,
    right!.edition,
  ])
  const { url } = await shop.link('epub')
  const file = await shop.fetchFile(url)
  expect(Buffer.from(await file.arrayBuffer()).equals(first)).toBe(true)
  const { rows } = await shop.services.database.pool.query('select from scheduled_emails')
  expect(rows).toEqual([])
  expect((await shop.restore(shop.purchase.id)).status).toBe(404)
  const { rows: log } = await shop.services.database.pool.query(
    `select detail from audit_log where action = 'products.edition_restored'`,
  )
  expect(log).toEqual([{ detail: { file_format: 'epub', edition: right!.edition } }])
})

test('the author downloads each edition, for as long as the session and the role last', async () => {
  await using shop = await openEditionsShop()
  const first = book('The Sons of Sceva', one)
  await shop.add(first)
  const { editions } = await shop.add(book('The Sons of Sceva', one, 5))
  const earlier = editions[1]!
  const linked = await shop.download(shop.admin, earlier.id)
  const { url } = (await linked.json()) as { url: string }
  const file = await shop.fetchFile(url, { range: 'bytes=0-9' })
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    206,
    expect.stringContaining(`edition ${earlier.edition}.epub`),
  ])
  expect(Buffer.from(await (await shop.fetchFile(url)).arrayBuffer()).equals(first)).toBe(true)
  expect((await shop.download(shop.user, earlier.id)).status).toBe(403)
  // Of a reader's link and an author's, neither is the other.
  expect((await shop.fetchFile(url.replace('edition-files', 'files'))).status).toBe(404)
  await shop.services.database.pool.query(`delete from user_roles where user_id = $1`, [shop.admin.id])
  expect((await shop.fetchFile(url)).status).toBe(403)
})
