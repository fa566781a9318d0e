// Filled shops of the versions that were published, and one of today: this version restores each, and brings it to its own
// schema. The files are made by `npm run release`.
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openDatabase } from '#platform/db/client.ts'
import { compareSchema } from '#platform/db/migrate.ts'
import { createLog } from '#platform/log.ts'
import { openUploadReader } from '#domains/files/ebook-reader.ts'
import { createTestDatabase } from '#test/database.ts'
import { readSums } from '#test/sales-sums.ts'
import { openTestShop } from '#test/shop.ts'
import { readConfig } from '../../config.ts'
import { openPlaceAt } from './backup-targets.ts'
import { createBackup, shopSource } from './create-backup.ts'
import { rehearse } from './rehearse.ts'
import { loadBackup } from './load-backup.ts'
import { upgradeDatabase } from './upgrade-database.ts'

async function expectRestorable(folder: string): Promise<void> {
  await using data = await mkdtempDisposable(join(tmpdir(), 'lectern-upgraded-'))
  await using empty = await createTestDatabase({ empty: true })
  const store = await openPlaceAt(pathToFileURL(folder).href).open()
  const [name = ''] = await store.list()
  const manifest = await store.read(name)
  const { url } = empty
  const uploadReader = openUploadReader()
  const restored = await rehearse({ databaseUrl: url, tmpDir: data.path, uploadReader }, store)
  await uploadReader.close()
  expect(restored).toMatchObject({ opened: expect.stringContaining('of order'), problems: [] })

  await loadBackup(url, store, manifest, () => undefined)
  await using database = openDatabase(url)
  await upgradeDatabase(database, readConfig({ DATA_DIR: data.path }), createLog('silent'))
  expect(await compareSchema(database.pool)).toBe('same')
  const { kept, counted, keptApart, countedApart, wrongUsers } = await readSums(database)
  expect([kept, keptApart, wrongUsers]).toEqual([counted, countedApart, []])
  const { rows } = await database.pool.query('select count(*)::int as orders from purchases')
  expect(rows).toEqual([{ orders: manifest.sums.orders }])
}

test('a shop of this version is restored, and is what it was', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-filled-'))
  await using shop = await openTestShop({ hasWorkers: false })
  const buyer = await shop.person()
  for (const format of ['digital', 'paperback', 'bundle']) await buyer.buy((await shop.product(format)).id)
  const { config, database, storage } = shop.services
  const store = await openPlaceAt(pathToFileURL(folder.path).href).open()
  await createBackup(shopSource(config, database.url, storage), [store])
  await expectRestorable(folder.path)
})

const filledShops = globSync('test/filled-shops/*.tar', { cwd: join(import.meta.dirname, '../../..') })

test.each(filledShops)('%s is restored, and brought to the schema of this version', async (file) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-filled-'))
  execFileSync('tar', ['-xf', join(import.meta.dirname, '../../..', file), '-C', folder.path])
  await expectRestorable(folder.path)
})
