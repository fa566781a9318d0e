// A backup of a shop with sales: made while it sells, rehearsed, restored, and refused when it is damaged.
import { mkdir, readdir, readFile, rm, writeFile, mkdtempDisposable, truncate, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openDatabase } from '#platform/db/client.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { createTestDatabase, databaseUrl } from '#test/database.ts'
import { passphrase, writeKey } from '#test/backup-file.ts'
import { paint } from '#test/pictures.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { addPicture } from '#domains/files/pictures.ts'
import { isBackupLocked } from './backup-lock.ts'
import { openPlaceAt, openBackupTargets } from './backup-targets.ts'
import { openBackupStore, type BackupStore } from './backup-store.ts'
import { createBackup, type BackupSource, shopSource } from './create-backup.ts'
import { rehearse, type RehearsalNeeds } from './rehearse.ts'
import { restore } from './restore.ts'
import { tmpdir } from 'node:os'
import { memoryFolder } from '#test/memory-folder.ts'

function sourceOf({ services }: TestShop): BackupSource {
  const { database, storage, config } = services
  return {
    databaseUrl: database.url,
    storage,
    version: '1.2.3',
    tmpDir: join(config.dataDir, 'backups'),
    secretOf: () => 'the secret of the shop',
  }
}

function needsOf(shop: TestShop): RehearsalNeeds {
  return { ...sourceOf(shop), uploadReader: shop.services.uploadReader }
}

function folderOf({ services }: TestShop): string {
  return join(services.config.dataDir, 'backups')
}

function storeOf(shop: TestShop): BackupStore {
  return openBackupStore(openStorageAt(pathToFileURL(folderOf(shop)).href), undefined)
}

async function openShopWithSales() {
  const shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const ruth = await shop.person({ display_name: 'Ruth\tof\nMoab \\N' })
  await ruth.buy((await shop.product('digital')).id)
  await ruth.buy((await shop.product('bundle')).id)
  return shop
}

async function query(url: string, text: string): Promise<unknown[]> {
  await using database = openDatabase(url, { max: 1 })
  return (await database.pool.query(text)).rows
}

async function objectsIn(shop: TestShop): Promise<string[]> {
  const entries = await readdir(join(folderOf(shop), 'objects'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

test('a backup has every row and file, and one with nothing new adds no object', async () => {
  await using shop = await openShopWithSales()
  const store = storeOf(shop)
  const { name, manifest, problems } = await createBackup(sourceOf(shop), [store])
  expect(problems).toEqual([])
  expect(manifest.sums).toMatchObject({ orders: 2, completed: 2, users: 1 })
  expect(manifest.files.length).toBeGreaterThan(0)
  expect(await store.list()).toEqual([name])
  expect(await store.read(name)).toEqual(manifest)
  expect(manifest.secret).toBeUndefined()

  const before = await objectsIn(shop)
  const again = await createBackup(sourceOf(shop), [store])
  expect(await objectsIn(shop)).toEqual(before)
  await store.deleteOthers([again.name])
  expect(await store.list()).toEqual([again.name])
  expect(await objectsIn(shop)).toEqual(before)
})

test('no object is removed while the list of a backup names one that is not there', async () => {
  await using shop = await openShopWithSales()
  const store = storeOf(shop)
  const first = await createBackup(sourceOf(shop), [store])
  await (await shop.person()).buy((await shop.product('digital')).id)
  const second = await createBackup(sourceOf(shop), [store])
  const before = await objectsIn(shop)
  const list = join(folderOf(shop), 'backups', `${first.name}.objects`)
  const whole = await readFile(list, 'utf8')
  const { object } = first.manifest.tables.find(({ name }) => name === 'public.purchases')!
  const other = object.startsWith('0') ? '1' : '0'
  await writeFile(list, whole.replace(object, other + object.slice(1)))
  await store.deleteOthers([first.name, second.name])
  expect(await objectsIn(shop)).toEqual(before)
  expect(await rehearse(needsOf(shop), store)).toMatchObject({ problems: [] })

  await writeFile(list, whole)
  await store.deleteOthers([second.name])
  expect(before.length).toBeGreaterThan((await objectsIn(shop)).length)
})

test('a backup has the pictures in every size', async () => {
  await using shop = await openShopWithSales()
  const { storage } = shop.services
  const picture = await addPicture(shop.services, await paint().png().toBuffer(), async () => undefined)
  const store = storeOf(shop)
  const { manifest, problems } = await createBackup(sourceOf(shop), [store])
  expect(problems).toEqual([])
  const name = `pictures/${picture.id}/640.webp`
  const entry = manifest.files.find((file) => file.name === name)
  expect(entry?.size).toBe((await storage.stat(name))?.size)
  expect(manifest.tables.find((table) => table.name === 'public.pictures')?.rows).toBe(1)
  expect(await rehearse(needsOf(shop), store)).toMatchObject({ problems: [] })
})

test('the rows of a table that is unchanged but missing in the store are written again', async () => {
  await using shop = await openShopWithSales()
  const store = storeOf(shop)
  const { manifest } = await createBackup(sourceOf(shop), [store])
  const before = await objectsIn(shop)
  const { object } = manifest.tables.find(({ name }) => name === 'public.purchases')!
  await rm(before.find((path) => path.endsWith(object))!)
  await createBackup(sourceOf(shop), [store])
  expect(await objectsIn(shop)).toEqual(before)
})

test('a rehearsal finds a whole backup whole and names what is damaged', async () => {
  await using shop = await openShopWithSales()
  const store = storeOf(shop)
  const { manifest } = await createBackup(sourceOf(shop), [store])
  const { database } = shop.services
  expect(await rehearse(needsOf(shop), store)).toMatchObject({ orders: 2, problems: [] })
  const { rows } = await database.pool.query(
    `select datname from pg_database where datname like current_database() || '%'`,
  )
  expect(rows).toHaveLength(1)

  const [file] = manifest.files
  const path = (await objectsIn(shop)).find((object) => object.endsWith(file!.sha256))!
  const content = await readFile(path)
  content[100]! ^= 1
  await writeFile(path, content)
  const { problems } = await rehearse(needsOf(shop), store)
  expect(problems).toContainEqual(expect.stringContaining(`${file!.name}) cannot be read: the object`))
})

test('a rehearsal opens the file of the newest purchase, and says why it cannot', async () => {
  await using shop = await openShopWithSales()
  const store = storeOf(shop)
  const { manifest } = await createBackup(sourceOf(shop), [store])
  expect(await rehearse(needsOf(shop), store)).toMatchObject({
    opened: expect.stringMatching(/^“.+\.(epub|pdf)” of order #1002$/),
    problems: [],
  })
  for (const { name } of manifest.files) {
    if (!name.startsWith('ebooks/')) continue
    await shop.services.storage.remove(name)
    await shop.services.storage.write(name, Buffer.from('another file'))
  }
  await createBackup(sourceOf(shop), [store])
  expect(await rehearse(needsOf(shop), store)).toMatchObject({
    opened: undefined,
    problems: [expect.stringMatching(/^“.+” of order #1002 cannot be opened: .*(PDF|EPUB)/)],
  })
})

test('rows that were changed in a backup are not restored', async () => {
  await using shop = await openShopWithSales()
  const store = storeOf(shop)
  const { manifest } = await createBackup(sourceOf(shop), [store])
  const purchases = manifest.tables.find(({ name }) => name === 'public.purchases')!
  const profiles = manifest.tables.find(({ name }) => name === 'public.profiles')!
  Object.assign(purchases, { sha256: profiles.sha256 })
  const target = { ...sourceOf(shop), clock: shop.services.clock }
  await expect(restore(target, store, manifest)).rejects.toThrow('The rows of public.purchases are damaged')
  expect((await shop.call('GET', '/api/products')).status).toBe(200)
})

test('where a restored database cannot be prepared the data are as they were', async () => {
  await using shop = await openShopWithSales()
  const store = storeOf(shop)
  const { manifest } = await createBackup(sourceOf(shop), [store])
  const prepare = () => Promise.reject(new Error('killed'))
  const target = { ...sourceOf(shop), clock: shop.services.clock, prepare }
  await expect(restore(target, store, manifest)).rejects.toThrow('killed')
  expect((await shop.call('GET', '/api/products')).status).toBe(200)
  expect(await isBackupLocked(shop.services.database.pool)).toBe(false)
})

test('a restore puts the data of the backup in place, and keeps the data before it', async () => {
  await using shop = await openShopWithSales()
  const store = storeOf(shop)
  const { manifest } = await createBackup(sourceOf(shop), [store])
  const { storage } = shop.services
  const [file] = manifest.files
  await storage.remove(file!.name)

  await using other = await createTestDatabase({ empty: true })
  await query(other.url, 'create table before ()')
  const target = { ...sourceOf(shop), databaseUrl: other.url, clock: shop.services.clock }
  const { old, filesWritten } = await restore(
    {
      ...target,
      async prepare(url) {
        await query(url, 'create table prepared ()')
        expect(await query(other.url, 'select from before')).toEqual([])
        await expect(restore(target, store, manifest)).rejects.toThrow('another restore is under way')
      },
    },
    store,
    manifest,
  )
  expect(await query(other.url, 'select from prepared')).toEqual([])
  expect(filesWritten).toBe(1)
  expect(await storage.stat(file!.name)).toMatchObject({ size: file!.size })
  expect(await query(other.url, 'select display_name from profiles')).toEqual([
    { display_name: 'Ruth\tof\nMoab \\N' },
  ])
  expect(await query(other.url, 'select from auth.sessions')).toEqual([])
  expect(await query(shop.services.database.url, 'select from auth.sessions')).toHaveLength(1)
  expect(await query(databaseUrl(other.url, old), 'select from before')).toEqual([])
  await query(databaseUrl(other.url, 'postgres'), `drop database ${old}`)
})

test('an encrypted backup can be read with its passphrase only', async () => {
  await using shop = await openShopWithSales()
  const address = pathToFileURL(folderOf(shop)).href
  const keys = { passphrase }
  await writeKey(openStorageAt(address))
  const store = await openPlaceAt(address, keys).open()
  const { name, manifest } = await createBackup(sourceOf(shop), [store])
  const reopened = await openPlaceAt(address, keys).open()
  expect(await reopened.read(name)).toEqual({ ...manifest, secret: 'the secret of the shop' })
  expect(await rehearse(needsOf(shop), reopened)).toMatchObject({ problems: [] })
  for (const path of await objectsIn(shop)) {
    expect((await readFile(path)).toString('latin1', 0, 21)).toBe('age-encryption.org/v1')
  }
  const locked = openPlaceAt(address, { passphrase: 'wrong' })
  expect(await locked.list()).toEqual([name])
  await expect(locked.open()).rejects.toThrow('BACKUP_PASSPHRASE')
})

// Encrypted backups whose key was changed, or is missing.

async function openShop() {
  const shop = await openTestShop({ hasWorkers: false })
  const { services } = shop
  const source = shopSource(services.config, services.database.url, services.storage)
  return { ...shop, source, needs: { ...source, uploadReader: services.uploadReader } }
}

test('objects for another key are not taken for those of the place', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-keys-'))
  const address = pathToFileURL(folder.path).href
  const storage = openStorageAt(address)
  await using shop = await openShop()
  const backUp = async () => {
    await writeKey(storage)
    const store = await openPlaceAt(address, { passphrase }).open()
    const { name } = await createBackup(shop.source, [store])
    await store.deleteOthers([name])
    return { store, name }
  }
  await backUp()
  // As after the loss of the passphrase: the backups and their key were removed, and the objects stayed.
  await rm(join(folder.path, 'backups'), { recursive: true })
  const { store, name } = await backUp()
  expect(await rehearse(shop.needs, store)).toMatchObject({ backup: name, problems: [] })
})

test('no new key is made beside encrypted backups', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-keys-'))
  await mkdir(join(folder.path, 'backups'))
  await writeFile(join(folder.path, 'backups/2026-11-22T03-00-00-000Z.json.age'), 'sealed')
  const place = openPlaceAt(pathToFileURL(folder.path).href, { passphrase: 'in the beginning' })
  await expect(place.open()).rejects.toThrow('name a new folder')
  expect(await readdir(folder.path)).toEqual(['backups'])
})

test('a truncated object is written again', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-keys-'))
  await using shop = await openShop()
  const store = await openPlaceAt(pathToFileURL(folder.path).href).open()
  const { manifest } = await createBackup(shop.source, [store])
  const { sha256, size } = manifest.files[0]!
  const path = join(folder.path, 'objects', sha256.slice(0, 2), sha256)
  await truncate(path, 0)
  expect(await store.canRead(sha256, size)).toBe(false)
  await createBackup(shop.source, [store])
  expect(await store.canRead(sha256, size)).toBe(true)
})

test('a folder on the disk of the data is known as such, also before it is made', async () => {
  await using data = await mkdtempDisposable(join(tmpdir(), 'lectern-places-'))
  const isSameDisk = (url: string) =>
    openBackupTargets({
      dataDir: data.path,
      backup: { url, passphrase: undefined, pingUrl: undefined },
    })[1]!.isSameDisk()
  expect(await isSameDisk(pathToFileURL(join(data.path, 'mnt/backups')).href)).toBe(true)
  const isOther = (await stat(memoryFolder())).dev !== (await stat(tmpdir())).dev
  expect(await isSameDisk(pathToFileURL(join(memoryFolder(), 'backups')).href)).toBe(!isOther)
  expect(await isSameDisk('s3://backups?endpoint=http://127.0.0.1:1')).toBe(false)
})
