// A byte that changes in the copy elsewhere: the next rehearsal of that place finds it, the next backup mends it, and what
// is restored from there is whole.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openStorageAt } from '#platform/open-storage.ts'
import { findObjects, flipByte, identity, openShopWithCopy, publicKey, stateOf } from '#test/backup-copy.ts'
import { createTestDatabase } from '#test/database.ts'
import type { TestShop } from '#test/shop.ts'
import { prepareStores } from '#test/stores.ts'
import { checkRehearsal } from '../../commands/checks.ts'
import type { EncryptionKeys } from './encryption.ts'
import { restore } from './restore.ts'

const stores = prepareStores()

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

/** Places and keys are layers of their own: each is here once, and with encryption both below. */
const readable = [
  ['folder', 'with its key here', { BACKUP_IDENTITY: identity }, { identity }],
  ...stores.buckets.map((kind) => [kind, 'not encrypted', {}, {}] as const),
] as const

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
  expect(await checkRehearsal(shop.services.db, shop.services.backupTargets[1]!)).toMatchObject({
    state: 'warn',
    says: expect.stringContaining(says),
  })

  expect((await shop.backUp()).problems).toEqual([])
  expect(await shop.rehearse()).toMatchObject({ unchecked: 0, problems: [] })
  expect(pings).toHaveLength(3)
  expect(await stateOf(shop, shop.label)).toMatchObject({ succeeded_at: expect.any(Date), problem: null })
  await expectRestorable(shop, elsewhere.url, { identity })
})
