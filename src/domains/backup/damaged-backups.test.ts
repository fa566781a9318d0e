// A byte that changes in the copy elsewhere: the next rehearsal of that place finds it, the next backup mends it, and what
// is restored from there is whole.
import { expect, test } from 'vitest'
import { openStorageAt } from '#platform/open-storage.ts'
import { findObjects, flipByte, openShopWithCopy, stateOf } from '#test/backup-copy.ts'
import { passphrase, writeKey } from '#test/backup-file.ts'
import { createTestDatabase } from '#test/database.ts'
import { type TestShop, openTestShop } from '#test/shop.ts'
import { prepareStores, listNames } from '#test/stores.ts'
import type { Passphrases } from './place-key.ts'
import { restore, type RestoreTarget } from './restore.ts'
import type { DamagedFile } from './object-damage.ts'
import { findBackup } from './find-backup.ts'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { openDatabase } from '#platform/db/client.ts'
import { countAttentionItems, listAttentionItems } from '#test/needs.ts'
import { upload } from '#test/upload.ts'
import type { AdminProduct } from '#contract/catalog/products.ts'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import { openPlaceAt } from './backup-targets.ts'
import { createBackup, shopSource } from './create-backup.ts'
import { findReturnedFiles, saveLostFiles } from '#domains/catalog/lost-files.ts'
import type { Manifest } from './manifest.ts'

const stores = prepareStores()

async function expectRestorable(shop: TestShop, url: string, keys: Passphrases): Promise<void> {
  await using empty = await stores.open('folder')
  await using database = await createTestDatabase({ empty: true })
  const { manifest, store } = await findObjects(url, keys)
  const storage = openStorageAt(empty.url)
  const target = { databaseUrl: database.url, storage, clock: shop.services.clock }
  const { old, filesWritten, lost } = await restore(target, store, manifest)
  expect([filesWritten, lost]).toEqual([manifest.files.length, []])
  await shop.services.database.pool.query(`drop database ${old}`)
}

const encrypting = { BACKUP_PASSPHRASE: passphrase }

/** Places and keys are layers of their own: each is here once. */
const readable = [
  ['folder', 'encrypted', encrypting, { passphrase }],
  ...stores.buckets.map((kind) => [kind, 'not encrypted', {}, {}] as const),
] as const

test.each(readable)('a %s elsewhere, %s: damage is found, mended, and gone', async (kind, _, env, keys) => {
  await using elsewhere = await stores.open(kind)
  await writeKey(openStorageAt(elsewhere.url))
  await using shop = await openShopWithCopy(elsewhere.url, env)
  await shop.backUp()
  const storage = openStorageAt(elsewhere.url)
  const { rows, file } = await findObjects(elsewhere.url, keys)
  await flipByte(storage, file)
  const found = await shop.rehearse()
  expect(found).toMatchObject({ place: shop.label })
  expect(found.problems.join('\n')).toMatch(
    /^the \w+ “.+” of the product “.+” \(ebooks\/.+\) cannot be read/m,
  )
  await flipByte(storage, rows)
  expect((await shop.rehearse()).problems).toContainEqual(
    expect.stringContaining('The rows of public.purchases cannot be read'),
  )
  expect(await stateOf(shop, shop.label)).toMatchObject({
    succeeded_at: null,
    failing_since: expect.any(Date),
    problem: expect.stringContaining('public.purchases'),
  })

  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
  expect(await stateOf(shop, shop.label)).toMatchObject({ failing_since: null, problem: null })
  await expectRestorable(shop, elsewhere.url, keys)
})

// A restore of a backup in which something is damaged: nothing is changed without a word, an intact copy is found by
// itself, and what is lost is named, not for sale, and asked for.

async function backUp({ services }: TestShop, urls: string[]) {
  const source = shopSource(services.config, services.database.url, services.storage)
  const opened = await Promise.all(urls.map((url) => openPlaceAt(url).open()))
  const { manifest } = await createBackup(source, opened)
  return { manifest, opened }
}

async function damage(url: string, sha256: string): Promise<void> {
  const storage = openStorageAt(url)
  const path = (await listNames(storage, 'objects/')).find((name) => name.includes(sha256))!
  const bytes = await buffer(await storage.read(path))
  bytes[bytes.length >> 1]! ^= 1
  await storage.write(path, bytes)
}

const epubOf = ({ files }: Manifest) => files.find(({ name }) => name.endsWith('.epub'))!

async function openTarget({ services }: TestShop, url: string): Promise<RestoreTarget & AsyncDisposable> {
  const database = await createTestDatabase({ empty: true })
  return {
    databaseUrl: database.url,
    storage: openStorageAt(url),
    clock: services.clock,
    async prepare(restored, lost) {
      await using opened = openDatabase(restored, { max: 1 })
      await saveLostFiles(opened.db, lost, services.clock())
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a damaged ebook stops the restore before anything is changed, by its title; with the flag all else comes back', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  await (await shop.person()).buy((await shop.product('digital')).id)
  await using place = await stores.open('folder')
  await using files = await stores.open('folder')
  const { manifest, opened } = await backUp(shop, [place.url])
  const epub = epubOf(manifest)
  await damage(place.url, epub.sha256)
  await using target = await openTarget(shop, files.url)
  const { name } = await shop.product('digital')
  await expect(restore(target, opened[0]!, manifest)).rejects.toThrow(
    new RegExp(`the EPUB “.+” of the product “${name}” \\(${epub.name}\\): .*--without-damaged-files`, 's'),
  )
  expect(await listNames(openStorageAt(files.url), 'ebooks/')).toEqual([])
  {
    await using before = openDatabase(target.databaseUrl, { max: 1 })
    const { rows } = await before.pool.query(`select to_regclass('public.products') is null as is_empty`)
    expect(rows).toEqual([{ is_empty: true }])
  }

  const restored = await restore({ ...target, withoutDamagedFiles: true }, opened[0]!, manifest)
  expect(restored.lost).toEqual([expect.stringContaining(`of the product “${name}” (${epub.name})`)])
  expect(restored.filesWritten).toBe(manifest.files.length - 1)
  await using after = openDatabase(target.databaseUrl, { max: 1 })
  const { rows } = await after.pool.query(
    `select p.name, delivery_gap(p) as gap, (select count(*)::int from purchases) as orders from products p
      where delivery_gap(p) is not null order by p.price`,
  )
  expect(rows).toEqual([
    { name, gap: 'lost_file', orders: 1 },
    { name: (await shop.product('bundle')).name, gap: 'lost_file', orders: 1 },
  ])
  await shop.services.database.pool.query(`drop database ${restored.old}`)
})

test('an intact copy in another place or in the shop’s own files is used by itself, and a damaged file there is mended', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  await using place = await stores.open('folder')
  await using other = await stores.open('folder')
  await using files = await stores.open('folder')
  const { manifest, opened } = await backUp(shop, [place.url, other.url])
  const [first, second, third] = manifest.files
  const rows = manifest.tables.find(({ name }) => name === 'public.products')!
  for (const sha256 of [first!.sha256, second!.sha256, rows.object]) await damage(place.url, sha256)
  await damage(other.url, second!.sha256)
  const storage = openStorageAt(files.url)
  const contentOf = async ({ name }: { name: string }) => buffer(await shop.services.storage.read(name))
  await storage.write(second!.name, await contentOf(second!))
  await storage.write(third!.name, Buffer.alloc(third!.size))
  await using target = await openTarget(shop, files.url)
  await expect(restore(target, opened[0]!, manifest)).rejects.toThrow('the rows of public.products')
  const restored = await restore({ ...target, otherStores: [opened[1]!] }, opened[0]!, manifest)
  expect(restored.lost).toEqual([])
  for (const file of manifest.files)
    expect((await buffer(await storage.read(file.name))).equals(await contentOf(file))).toBe(true)
  await shop.services.database.pool.query(`drop database ${restored.old}`)
})

test('a lost file is not for sale, its buyers are told, and the author is asked for it until it is there again', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { services } = shop
  const product = await shop.product('digital')
  const [admin, buyer] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buyer.buy(product.id)
  const { rows } = await services.database.pool.query<{ name: string }>(
    `select file_path as name from product_files where product_id = $1 and file_format = 'epub'`,
    [product.id],
  )
  const { name } = rows[0]!
  await using place = await stores.open('folder')
  const { manifest } = await backUp(shop, [place.url])
  const lost: DamagedFile = { ...manifest.files.find((file) => file.name === name)!, reason: '' }
  const content = await buffer(await services.storage.read(name))
  const link = await buyer.call('POST', `/api/purchases/${id}/download`, { body: { file_format: 'epub' } })
  const { url } = (await link.json()) as { url: string }

  await saveLostFiles(services.db, [lost], new Date())
  await services.storage.write(name, Buffer.alloc(content.length))
  const download = (file_format?: string) =>
    buyer.call('POST', `/api/purchases/${id}/download`, { body: { ...(file_format && { file_format }) } })
  const refused = await download('epub')
  expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'downloads.lost' }])
  expect((await (await shop.call('GET', url)).json()) as object).toMatchObject({ code: 'downloads.lost' })
  // The other format is there.
  expect((await download()).status).toBe(200)
  const own = (await (await buyer.call('GET', '/api/purchases')).json()) as OwnPurchases
  expect(own.items[0]!.product.files.map(({ file_format, is_lost }) => [file_format, is_lost])).toEqual([
    ['epub', true],
    ['pdf', false],
  ])
  const read = async () =>
    (await (await admin.call('GET', `/api/admin/products/${product.id}`)).json()) as AdminProduct
  expect(await read()).toMatchObject({ is_for_sale: false, delivery_gap: 'lost_file' })
  const bought = await (
    await shop.person()
  ).call('POST', '/api/purchases', { body: { product_id: product.id } })
  expect([bought.status, await bought.json()]).toMatchObject([404, { code: 'products.not_found' }])
  expect((await listAttentionItems(admin)).items).toMatchObject([
    {
      kind: 'lost_file',
      product: { id: product.id, name: product.name },
      file_name: expect.stringMatching(/\.epub$/),
    },
  ])
  // It is in no backup, which is no problem each night.
  expect((await backUp(shop, [place.url])).manifest.files.map((file) => file.name)).not.toContain(name)

  // As long as the content is another one, it is not back.
  await findReturnedFiles(services)
  expect(await countAttentionItems(admin)).toMatchObject({ count: 1 })
  await services.storage.write(name, content)
  await findReturnedFiles(services)
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect((await download('epub')).status).toBe(200)

  await saveLostFiles(services.db, [lost], new Date())
  const epub = await readFile(new URL('../../../content/edition/sample.epub', import.meta.url))
  const upload_id = await upload(shop, admin, epub, 'again.epub')
  const added = await admin.call('POST', `/api/admin/products/${product.id}/editions`, {
    body: { upload_id },
  })
  expect(added.status).toBe(201)
  expect(await read()).toMatchObject({ is_for_sale: true, delivery_gap: null })
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect((await download('epub')).status).toBe(200)
})

// A manifest, or the list of objects that a backup needs, which changes in the copy elsewhere.

test('a damaged manifest that is encrypted is found, and the next backup has its own', async () => {
  await using elsewhere = await stores.open('folder')
  const storage = openStorageAt(elsewhere.url)
  await writeKey(storage)
  await using shop = await openShopWithCopy(elsewhere.url, encrypting)
  const { backup } = await shop.backUp()
  await flipByte(storage, `backups/${backup}.json.age`)
  expect((await shop.rehearse()).problems).toEqual([
    expect.stringContaining(`backups/${backup}.json.age cannot be read`),
  ])
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})

test('a digit that changes in a manifest that is not encrypted is found, and so is a missing checksum', async () => {
  await using elsewhere = await stores.open('folder')
  await using shop = await openShopWithCopy(elsewhere.url)
  const { backup } = await shop.backUp()
  const storage = openStorageAt(elsewhere.url)
  const path = `backups/${backup}.json`
  const whole = (await buffer(await storage.read(path))).toString()
  const changed = whole.replace(/("last_value": "\d*)(\d)"/, (_, before, digit) => `${before}${9 - digit}"`)
  expect(changed).not.toBe(whole)
  await storage.write(path, Buffer.from(changed))
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining(`${path} is damaged`)])
  const found = findBackup(elsewhere.url, undefined, { source: elsewhere.url, wanted: undefined })
  await expect(found).rejects.toThrow(/is damaged.*Nothing was changed/)

  const { checksum, ...unchecked } = JSON.parse(whole)
  expect(checksum).toMatch(/^[\da-f]{64}$/)
  await storage.write(path, Buffer.from(JSON.stringify(unchecked, null, 2)))
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining(`${path} is damaged`)])
  await storage.write(path, Buffer.from(changed))
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})

const withContent: [string, Record<string, string>][] = [
  ['without encryption', {}],
  ['with encryption', encrypting],
]

test.each(withContent)('a rehearsal %s compares the list of objects', async (_, env) => {
  await using elsewhere = await stores.open('folder')
  const storage = openStorageAt(elsewhere.url)
  await writeKey(storage)
  await using shop = await openShopWithCopy(elsewhere.url, env)
  const { backup } = await shop.backUp()
  const path = `backups/${backup}.objects`
  await flipByte(storage, path)
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining(`${path} is damaged`)])
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
  await storage.remove(`backups/${(await shop.backUp()).backup}.objects`)
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining('.objects cannot be read')])
})
