// Backups of a shop with its files in a store, to a store: written, thinned out, and restored on an empty machine.
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openStorageAt } from '#platform/open-storage.ts'
import { createTestDatabase } from '#test/database.ts'
import { openFaultyBucket } from '#test/faulty-bucket.ts'
import { openTestShop } from '#test/shop.ts'
import { listNames, prepareStores } from '#test/stores.ts'
import { openPlaceAt } from './backup-targets.ts'
import { objectsOf } from './backup-store.ts'
import { findMissingObjects, restore } from './restore.ts'
import { startBackupRun } from './run-backup.ts'

const stores = prepareStores()
const passphrase = 'in the beginning'

async function openShopWithSale(env: {
  STORAGE_URL: string
  BACKUP_URL: string
  BACKUP_PASSPHRASE?: string
}) {
  const shop = await openTestShop({ env, hasWorkers: false })
  await (await shop.person()).buy((await shop.product('digital')).id)
  async function backUp() {
    const { finished } = await startBackupRun(shop.services, { kind: 'backup', started_by: 'test' })
    return (await finished)!
  }
  return { ...shop, backUp }
}

test.each(stores.kinds)('a %s holds backups, and what is restored from it is whole', async (kind) => {
  await using files = await stores.open(kind)
  await using elsewhere = await stores.open(kind)
  await using shop = await openShopWithSale({ STORAGE_URL: files.url, BACKUP_URL: elsewhere.url })
  await shop.backUp()
  const { backup, problems } = await shop.backUp()
  expect(problems).toEqual([])

  // Of one day the newest stays, and every object that it needs.
  const place = openPlaceAt(elsewhere.url, {})
  expect(await place.list()).toEqual([backup])
  const store = await place.open()
  const manifest = await store.read(backup!)
  const objects = await listNames(openStorageAt(elsewhere.url), 'objects/')
  expect(objects).toHaveLength(new Set(objectsOf(manifest)).size)

  await using emptied = await stores.open(kind)
  await using database = await createTestDatabase({ empty: true })
  const storage = openStorageAt(emptied.url)
  const target = { databaseUrl: database.url, storage, clock: shop.services.clock }
  const { old, filesWritten } = await restore(target, store, manifest)
  expect(filesWritten).toBe(manifest.files.length)
  for (const { name } of manifest.files) {
    const [restored, original] = await Promise.all(
      [storage, shop.services.storage].map(async (each) => buffer(await each.read(name))),
    )
    expect(restored!.equals(original!)).toBe(true)
  }
  await shop.services.database.pool.query(`drop database ${old}`)
})

test('a backup to a bucket that fails is none there, and the next one is whole', async () => {
  await using bucket = await openFaultyBucket(stores.open('bucket'))
  await using files = await stores.open('folder')
  await using shop = await openShopWithSale({
    STORAGE_URL: files.url,
    BACKUP_URL: bucket.url,
    BACKUP_PASSPHRASE: passphrase,
  })
  const place = openPlaceAt(bucket.url, { passphrase })
  const fault = { status: 503, code: 'SlowDown' }
  bucket.proxy.fail('PUT', { delayMs: 0 }, 5)
  bucket.proxy.fail('PUT', fault, 5)
  const first = await shop.backUp()
  expect(first.problems).toEqual([
    expect.stringMatching(/^There is no backup in s3:.*: writing objects.* failed: status 503/),
  ])
  expect(await place.list()).toEqual([])

  const second = await shop.backUp()
  expect(second.problems).toEqual([])
  expect(await place.list()).toEqual([second.backup])
  const store = await place.open()
  expect(await findMissingObjects(store, await store.read(second.backup!))).toEqual([])
})
