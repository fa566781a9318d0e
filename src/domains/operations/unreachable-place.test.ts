// A place that stops responding during a restore has lost nothing.
import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { openFaultyBucket } from '#test/faulty-bucket.ts'
import { openTestShop } from '#test/shop.ts'
import { listNames, prepareStores } from '#test/stores.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { openPlaceAt } from './backup-targets.ts'
import { createBackup, type Progress, shopSource } from './create-backup.ts'
import { restore } from './restore.ts'

const stores = prepareStores()

test('a bucket that stops responding is not damaged: no file is given up, and nothing is changed', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  await using bucket = await openFaultyBucket(stores.open('bucket'))
  await using files = await stores.open('folder')
  await using database = await createTestDatabase({ empty: true })
  const { config, storage, clock } = shop.services
  const store = await openPlaceAt(bucket.url, {}).open()
  const source = shopSource(config, shop.services.database.url, storage)
  const { manifest } = await createBackup(source, [store])
  const target = { databaseUrl: database.url, storage: openStorageAt(files.url), clock }
  const fail = (method: string, times: number) =>
    bucket.proxy.fail(method, { status: 503, code: 'ServiceUnavailable' }, times)
  const atFiles =
    (...faults: [string, number][]): Progress =>
    (step) =>
      step === 'files' && faults.splice(0).forEach(([method, times]) => fail(method, times))
  const tryRestore = (onProgress: Progress) =>
    restore({ ...target, withoutDamagedFiles: true }, store, manifest, onProgress)

  // Two rounds of five attempts each, and the look whether it responds at all.
  await expect(tryRestore(atFiles(['HEAD', 15]))).rejects.toThrow(
    /does not respond: .*status 503.* Nothing was changed: try again/,
  )
  expect(await listNames(target.storage, 'ebooks/')).toEqual([])
  // One object that cannot be read where the place responds is lost.
  const { lost } = await tryRestore(atFiles(['GET', 10]))
  expect(lost).toHaveLength(1)
})
