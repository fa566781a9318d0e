// A byte that changes in the copy elsewhere: the next rehearsal of that place finds it, the next backup mends it, and what
// is restored from there is whole.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { openStorageAt } from '#platform/open-storage.ts'
import type { Storage } from '#platform/storage.ts'
import { createTestDatabase } from '#test/database.ts'
import { openFaultyBucket } from '#test/faulty-bucket.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { listNames, prepareStores } from '#test/stores.ts'
import { checkRehearsal } from '../../commands/checks/check-storage.ts'
import { openPlaceAt } from './backup-places.ts'
import { readBackupStates } from './backup-runs.ts'
import type { EncryptionKeys } from './encryption.ts'
import { findBackup } from './find-backup.ts'
import { restore } from './restore.ts'
import { startBackupRun } from './run-backup.ts'

const stores = prepareStores()
const identity = await generateX25519Identity()
const publicKey = await identityToRecipient(identity)

async function openShopWithCopy(url: string, env: Record<string, string> = {}) {
  const shop = await openTestShop({ env: { BACKUP_URL: url, RATE_LIMIT: 'off', ...env }, hasWorkers: false })
  await (await shop.person()).buy((await shop.product('digital')).id)
  const [, elsewhere] = shop.services.backupPlaces
  const start = async (kind: 'backup' | 'rehearsal', places?: string[]) =>
    (await (
      await startBackupRun(shop.services, { kind, started_by: 'test', ...(places && { places }) })
    ).finished)!
  return {
    ...shop,
    backUp: () => start('backup'),
    rehearse: () => start('rehearsal', [elsewhere!.label]),
    label: elsewhere!.label,
  }
}

async function flipByte(storage: Storage, path: string): Promise<void> {
  const bytes = await buffer(await storage.read(path))
  bytes[bytes.length >> 1]! ^= 1
  await storage.write(path, bytes)
}

/** Of the rows of purchases, and of an ebook. */
async function findObjects(url: string, keys: EncryptionKeys) {
  const store = await openPlaceAt(url, keys).open()
  const manifest = await store.read((await store.list())[0]!)
  const names = await listNames(openStorageAt(url), 'objects/')
  const pathOf = (sha256: string) => names.find((name) => name.includes(sha256))!
  const rows = manifest.tables.find(({ name }) => name === 'public.purchases')!
  const file = manifest.files.find(({ name }) => name.startsWith('ebooks/'))!
  return { rows: pathOf(rows.object), file: pathOf(file.sha256), manifest, store }
}

async function expectRestorable(shop: TestShop, url: string, keys: EncryptionKeys): Promise<void> {
  await using empty = await stores.open('folder')
  await using database = await createTestDatabase({ empty: true })
  const { manifest, store } = await findObjects(url, keys)
  const storage = openStorageAt(empty.url)
  const target = { databaseUrl: database.url, storage, clock: shop.services.clock }
  const { old, filesWritten, lost } = await restore(target, store, manifest)
  expect([filesWritten, lost]).toEqual([manifest.files.length, []])
  await shop.services.database.pool.query(`drop database ${old}`)
}

async function stateOf(shop: TestShop, place: string) {
  const states = await readBackupStates(shop.services.db)
  return states.find((state) => state.place === place && state.kind === 'rehearsal')
}

const readable = stores.kinds.flatMap((kind) => [
  [kind, 'not encrypted', {}, {}] as const,
  [kind, 'with its key here', { BACKUP_IDENTITY: identity }, { identity }] as const,
])

test.each(readable)('a %s elsewhere, %s: damage is found, mended, and gone', async (kind, _, env, keys) => {
  await using elsewhere = await stores.open(kind)
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

test.each(stores.kinds)('a %s whose key is not here: bytes are compared, damage is mended', async (kind) => {
  await using elsewhere = await stores.open(kind)
  await using shop = await openShopWithCopy(elsewhere.url, { BACKUP_PUBLIC_KEY: publicKey })
  await shop.backUp()
  expect(await shop.rehearse()).toMatchObject({ orders: null, unchecked: 0, problems: [] })
  const storage = openStorageAt(elsewhere.url)
  const { rows, file } = await findObjects(elsewhere.url, { identity })
  await flipByte(storage, rows)
  await storage.remove(file)
  expect((await shop.rehearse()).problems.toSorted()).toEqual(
    [`${rows} is damaged: its bytes are not those that were written`, `${file} is missing`].toSorted(),
  )
  expect(await stateOf(shop, shop.label)).toMatchObject({ failing_since: expect.any(Date) })
  expect((await shop.backUp()).problems).toEqual([])
  expect(await shop.rehearse()).toMatchObject({ unchecked: 0, problems: [] })
  await expectRestorable(shop, elsewhere.url, { identity })
})

test('a rehearsal with objects of which no checksum is stored is not good, and the next backup writes them again', async () => {
  const pings: unknown[] = []
  await using server = createServer((_, response) => {
    pings.push(1)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await using elsewhere = await stores.open('folder')
  await using shop = await openShopWithCopy(elsewhere.url, {
    BACKUP_PUBLIC_KEY: publicKey,
    BACKUP_PING_URL: `http://127.0.0.1:${port}`,
  })
  await shop.backUp()
  expect(pings).toHaveLength(1)
  // As in a restored database, but for the manifest: few objects are known.
  await shop.services.database.pool.query(`delete from backup_objects where path like 'objects/%'`)
  const { backup, checked, unchecked, problems } = await shop.rehearse()
  expect([checked, problems]).toEqual([2, []])
  expect(unchecked).toBeGreaterThan(10)
  expect(pings).toHaveLength(1)
  const says = `2 of ${2 + unchecked!} objects of ${backup} could be compared`
  expect(await stateOf(shop, shop.label)).toMatchObject({
    succeeded_at: null,
    problem: expect.stringContaining(says),
  })
  expect(await checkRehearsal(shop.services.db, shop.services.backupPlaces[1]!)).toMatchObject({
    state: 'warn',
    says: expect.stringContaining(says),
  })

  expect((await shop.backUp()).problems).toEqual([])
  expect(await shop.rehearse()).toMatchObject({ unchecked: 0, problems: [] })
  expect(pings).toHaveLength(3)
  expect(await stateOf(shop, shop.label)).toMatchObject({ succeeded_at: expect.any(Date), problem: null })
  await expectRestorable(shop, elsewhere.url, { identity })
})

test('a place that refuses to overwrite retains its unchecked objects, and still gets its backups', async () => {
  await using bucket = await openFaultyBucket(stores.open('bucket'))
  await using shop = await openShopWithCopy(bucket.url, { BACKUP_PUBLIC_KEY: publicKey })
  await shop.backUp()
  const { file } = await findObjects(bucket.url, { identity })
  await shop.services.database.pool.query('delete from backup_objects where path = $1', [file])
  bucket.proxy.fail('PUT', { status: 403, code: 'AccessDenied' })
  expect((await shop.backUp()).problems).toEqual([])
  expect(await shop.rehearse()).toMatchObject({ unchecked: 1, problems: [] })
})

test('a damaged manifest and a damaged list of objects are found, and the next backup has its own', async () => {
  await using elsewhere = await stores.open('folder')
  await using shop = await openShopWithCopy(elsewhere.url, { BACKUP_PUBLIC_KEY: publicKey })
  const { backup } = await shop.backUp()
  const storage = openStorageAt(elsewhere.url)
  await flipByte(storage, `backups/${backup}.json.age`)
  await flipByte(storage, `backups/${backup}.objects`)
  const { problems } = await shop.rehearse()
  for (const name of [`backups/${backup}.json.age`, `backups/${backup}.objects`])
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name} is damaged`)))
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})

test('a digit that changes in a manifest that is not encrypted is found; one without a checksum is read', async () => {
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
  const found = findBackup(elsewhere.url, {}, { source: elsewhere.url, wanted: undefined })
  await expect(found).rejects.toThrow(/is damaged.*Nothing was changed/)

  const { checksum, ...older } = JSON.parse(whole)
  expect(checksum).toMatch(/^[\da-f]{64}$/)
  await storage.write(path, Buffer.from(JSON.stringify(older, null, 2)))
  expect((await shop.rehearse()).problems).toEqual([])
  await storage.write(path, Buffer.from(changed))
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})

const withContent: [string, Record<string, string>][] = [
  ['without encryption', {}],
  ['with the key', { BACKUP_IDENTITY: identity }],
]

test.each(withContent)('a rehearsal %s compares the list of objects', async (_, env) => {
  await using elsewhere = await stores.open('folder')
  await using shop = await openShopWithCopy(elsewhere.url, env)
  const { backup } = await shop.backUp()
  const storage = openStorageAt(elsewhere.url)
  const path = `backups/${backup}.objects`
  await flipByte(storage, path)
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining(`${path} is damaged`)])
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
  await storage.remove(`backups/${(await shop.backUp()).backup}.objects`)
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining('.objects cannot be read')])
})

test('a place that refuses to overwrite is named, with what to do, and gets the rest', async () => {
  await using bucket = await openFaultyBucket(stores.open('bucket'))
  await using shop = await openShopWithCopy(bucket.url)
  await shop.backUp()
  const { file } = await findObjects(bucket.url, {})
  await flipByte(bucket.direct, file)
  await shop.rehearse()
  bucket.proxy.fail('PUT', { status: 403, code: 'AccessDenied' })
  const { problems } = await shop.backUp()
  expect(problems).toEqual([
    expect.stringMatching(
      new RegExp(
        `^The backup in .+ is not whole: the \\w+ “.+” .* cannot be written: The place refuses to overwrite ${file}, .*set BACKUP_URL to`,
      ),
    ),
  ])
  const state = (await readBackupStates(shop.services.db)).find(
    ({ place, kind }) => place === shop.label && kind === 'backup',
  )
  expect(state).toMatchObject({ failing_since: expect.any(Date), problem: problems[0] })
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})
