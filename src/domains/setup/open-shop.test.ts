// Opening the shop with the author's own book: once, whole, and only when nothing is missing.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AdminProduct, Product } from '#contract/catalog/products.ts'
import { call, draftOf, readFixture, take } from '#test/book-setup.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { openTestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'
import { changeSetup, chooseOffers, chooseStep, readSetup } from './book-setup.ts'
import { openWithOwnBook } from './opening.ts'
import { listPreviewProducts, hideEmptySection } from './preview-products.ts'

test('a shop opens without its file when that is no longer stored, as the screen says', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const content = await readFixture('songs-of-the-road.epub')
  const upload_id = await upload(shop, admin, content, 'songs-of-the-road.epub')
  await call(admin, 'POST', 'setup/file', { upload_id })
  const offers = [
    { format: 'digital', price: 5 },
    { format: 'paperback', price: 9 },
  ]
  await call(admin, 'PUT', 'setup/offers', { offers })
  await (await shop.services.uploads.claim(upload_id)).remove()
  expect((await call(admin, 'GET', 'setup')).json.file).toMatchObject({ is_stored: false })
  const { revision } = await draftOf(admin)
  expect((await call(admin, 'POST', 'setup/open', { revision })).status).toBe(200)
  const products = (await call<AdminProduct[]>(admin, 'GET', 'products')).json
  const own = products.filter(({ archived_at }) => archived_at === null)
  expect(own.map(({ format, delivery_gap }) => [format, delivery_gap])).toEqual([
    ['digital', 'no_file'],
    ['paperback', null],
  ])
})

test('a format opens as a pre-order until its day, and waits for no file', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const content = await readFixture('songs-of-the-road.epub')
  const upload_id = await upload(shop, admin, content, 'songs-of-the-road.epub')
  await call(admin, 'POST', 'setup/file', { upload_id })
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const offersOf = (release_on: string | null) => [
    { format: 'digital', price: 5, release_on },
    { format: 'paperback', price: 9 },
    { format: 'bundle', price: 12 },
  ]
  const refused = await call(admin, 'PUT', 'setup/offers', { offers: offersOf(dayIn(-1)) })
  expect(refused.json).toMatchObject({ fields: { 'offers.0.release_on': 'Please choose a day to come.' } })
  const day = dayIn(30)
  expect((await call(admin, 'PUT', 'setup/offers', { offers: offersOf(day) })).status).toBe(200)
  await (await shop.services.uploads.claim(upload_id)).remove()
  expect((await call(admin, 'GET', 'setup/check')).json).toMatchObject({ file: null })
  const { revision } = await draftOf(admin)
  expect((await call(admin, 'POST', 'setup/open', { revision })).status).toBe(200)
  const products = (await call<AdminProduct[]>(admin, 'GET', 'products')).json
  expect(
    products.flatMap(({ archived_at, format, is_for_sale, is_released, pending_release }) =>
      archived_at ? [] : [{ format, is_for_sale, is_released, on: pending_release?.on }],
    ),
  ).toEqual([
    { format: 'digital', is_for_sale: true, is_released: false, on: day },
    { format: 'paperback', is_for_sale: true, is_released: true, on: undefined },
    { format: 'bundle', is_for_sale: true, is_released: true, on: day },
  ])
})

test('a book whose words are unfinished is not opened, and names them', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'v-nachale.epub')
  const { revision } = await draftOf(admin)
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  const refused = await call<{ fields: object }>(admin, 'POST', 'setup/open', { revision })
  expect(refused).toMatchObject({ status: 422, json: { code: 'book.unfinished', fields: {} } })
  expect(Object.keys(refused.json.fields)).toEqual(['description'])
  expect((await call<AdminProduct[]>(admin, 'GET', 'products')).json).toHaveLength(4)
})

test('a draft that was changed elsewhere opens nothing', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'songs-of-the-road.epub')
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  const { document, revision } = await draftOf(admin)
  await call(admin, 'PUT', 'book/draft', { revision, document: { ...document, subtitle: 'Another' } })
  const refused = await call(admin, 'POST', 'setup/open', { revision })
  expect(refused.json.code).toBe('book.changed_elsewhere')
  const products = (await call<AdminProduct[]>(admin, 'GET', 'products')).json
  expect(products.map(({ archived_at }) => archived_at)).toEqual([null, null, null, null])
})

test('an own product with the name of a sample product is not deleted', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: sample, name } = await shop.product('digital')
  const own = { name, description: '', price: 3, format: 'digital', contents: [] }
  const { id } = (await call<AdminProduct>(admin, 'POST', 'products', own)).json
  await take(shop, admin, 'songs-of-the-road.epub')
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 5 }] })
  const { revision } = await draftOf(admin)
  expect((await call(admin, 'POST', 'setup/open', { revision })).status).toBe(200)
  const products = (await call<AdminProduct[]>(admin, 'GET', 'products')).json
  const find = (wanted: string) => products.find((each) => each.id === wanted)
  expect(find(id)).toMatchObject({ archived_at: null, price: 5, editions: [{ file_format: 'epub' }] })
  expect(find(sample)).toBeUndefined()
})

test('a step that is chosen while the shop opens does not close it again', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { db, clock, database } = shop.services
  await chooseStep(shop.services, 'open')
  const { choosing } = await db.transaction(async (tx) => {
    await changeSetup(tx, clock, { step: 'done', file: null })
    const refused = expect(chooseStep(shop.services, 'words')).rejects.toMatchObject({ code: 'setup.opened' })
    await untilWaiting(database, 1)
    return { choosing: refused }
  })
  await choosing
  expect((await readSetup(shop.services)).step).toBe('done')
})

test('a file that is stored slowly does not keep the shop from opening', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { services } = shop
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'songs-of-the-road.epub')
  const author = { id: null, email: 'author@example.com', ip: null }
  await chooseOffers(services, author, { offers: [{ format: 'digital', price: 5, release_on: null }] })
  const { revision } = await draftOf(admin)
  const storage: typeof services.storage = {
    ...services.storage,
    async write(...file) {
      await sleep(1_500)
      await services.storage.write(...file)
    },
  }
  const shorten = "set idle_in_transaction_session_timeout = '1s'"
  const { pool } = services.database
  await Promise.all(
    Array.from({ length: pool.options.max }, () => pool.query(`${shorten}; select pg_sleep(0.1)`)),
  )
  await openWithOwnBook({ ...services, storage }, revision, author)
  expect((await readSetup(services)).step).toBe('done')
})

test('a shop that is killed at any step of opening is as before, and the next call opens it', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { services } = shop
  const { pool } = services.database
  const admin = await shop.person({ role: 'admin' })
  await take(shop, admin, 'songs-of-the-road.epub')
  // It is archived, as somebody has bought it.
  await admin.buy((await shop.product('paperback')).id)
  const offers = [
    { format: 'digital', price: 7 },
    { format: 'paperback', price: 12 },
    { format: 'bundle', price: 15 },
  ]
  await call(admin, 'PUT', 'setup/offers', { offers })
  const { revision } = await draftOf(admin)
  const open = () => call(admin, 'POST', 'setup/open', { revision })
  const read = async () => ({
    setup: (await call(admin, 'GET', 'setup')).json,
    products: (await call<AdminProduct[]>(admin, 'GET', 'products')).json,
    draft: await draftOf(admin),
    events: (await call(admin, 'GET', 'audit')).json,
  })
  const before = await read()
  expect(before.setup.file).toMatchObject({ is_stored: true })

  await pool.query(`
    create function die() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`)
  for (const step of [
    'insert on unsettled_files',
    'insert on products',
    'insert on product_files',
    'insert on bundle_items',
    'update of archived_at on products',
    'delete on bundle_items',
    'delete on product_files',
    'delete on products',
    'insert on book_versions',
    'update on book_draft',
    'update on book_setup',
    'insert on audit_log',
    'delete on unsettled_files',
  ]) {
    await pool.query(`create trigger die before ${step} for each row execute function die()`)
    const { status } = await open()
    await pool.query(`drop trigger die on ${step.split(' ').at(-1)}`)
    expect([step, status >= 500]).toEqual([step, true])
    expect([step, await read()]).toEqual([step, before])
  }

  const lost: typeof services.storage = {
    ...services.storage,
    async write() {
      // A process that is killed here gives nothing back: the upload has to be in its place all the time.
      expect((await readSetup(services)).file).toMatchObject({ is_stored: true })
      throw new Error('killed')
    },
  }
  const author = { id: null, email: 'author@example.com', ip: null }
  await expect(openWithOwnBook({ ...services, storage: lost }, revision, author)).rejects.toThrow('killed')
  expect(await read()).toEqual(before)

  expect((await open()).status).toBe(200)
  const products = (await call<AdminProduct[]>(admin, 'GET', 'products')).json
  const own = products.filter(({ archived_at }) => archived_at === null)
  expect(own.map(({ format, price, delivery_gap }) => [format, price, delivery_gap])).toEqual([
    ['digital', 7, null],
    ['paperback', 12, null],
    ['bundle', 15, null],
  ])
  expect((await open()).json.code).toBe('setup.opened')
  expect((await readSetup(services)).step).toBe('done')
})

// The preview of a book under way shows what its author offers.

test('the preview offers nothing of the sample once an own book was brought, and each format as it is chosen', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const preview = () => listPreviewProducts(shop.services)
  expect(await preview()).toBeUndefined()
  await take(shop, admin, 'songs-of-the-road.epub')
  expect(await preview()).toEqual([])
  const { document } = await draftOf(admin)
  const shelf = (products: Product[] | undefined) =>
    hideEmptySection(document, products).sections.find(({ name }) => name === 'purchase')?.is_shown
  expect([shelf([]), shelf(undefined)]).toEqual([false, true])
  const offers = [
    { format: 'digital', price: 5 },
    { format: 'paperback', price: 9 },
    { format: 'bundle', price: 12 },
  ]
  await call(admin, 'PUT', 'setup/offers', { offers })
  expect(await preview()).toMatchObject([
    { name: 'Songs of the Road', price: 5, file_formats: ['epub'], ships: false, is_available_soon: true },
    { name: 'Songs of the Road (Paperback)', price: 9, file_formats: [], ships: true },
    { price: 12, holds: ['digital', 'paperback'], is_digital: true, ships: true },
  ])
})
