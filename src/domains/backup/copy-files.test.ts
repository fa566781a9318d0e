// Files that cannot be read, a lock that is lost while files are copied, and older backups that cannot be removed.
import { mkdtempDisposable, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Storage } from '#platform/storage.ts'
import { openTestShop } from '#test/shop.ts'
import { openPlaceAt } from './backup-targets.ts'
import { checkObjects } from './object-damage.ts'
import { createBackup, shopSource } from './create-backup.ts'
import { startBackupRun } from './run-backup.ts'

async function openShop() {
  const shop = await openTestShop({ hasWorkers: false })
  const { config, database, storage } = shop.services
  return { ...shop, source: shopSource(config, database.url, storage) }
}

async function openStore() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-copies-'))
  const store = await openPlaceAt(pathToFileURL(folder.path).href).open()
  return { store, [Symbol.asyncDispose]: () => folder.remove() }
}

function failingOn(storage: Storage, failing: string, open: () => Readable): Storage {
  return {
    ...storage,
    read: async (name, ...rest) => (name === failing ? open() : storage.read(name, ...rest)),
  }
}

test('a file that cannot be read is a problem, and all others are in the backup', async () => {
  await using shop = await openShop()
  await using place = await openStore()
  const { manifest } = await createBackup(shop.source, [place.store])
  const [broken, ...others] = manifest.files
  await using empty = await openStore()
  const storage = failingOn(shop.services.storage, broken!.name, () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('a')
        throw new Error('EIO: i/o error, read')
      })(),
    ),
  )
  const { problems, failures } = await createBackup({ ...shop.source, storage }, [empty.store])
  expect(problems).toEqual([
    expect.stringMatching(
      /^the \w+ “.+” of the product “.+” \(ebooks\/.+\) cannot be read, so it is not in the backup: EIO: i\/o error, read$/,
    ),
  ])
  expect(problems[0]).toContain(broken!.name)
  expect(failures.size).toBe(0)
  const [name] = await empty.store.list()
  expect((await empty.store.read(name!)).files).toEqual(others)
})

test('a damaged file stays in the place that has it whole, and is left out of the other', async () => {
  await using shop = await openShop()
  await using place = await openStore()
  const { manifest } = await createBackup(shop.source, [place.store])
  const [damaged, ...others] = manifest.files
  await using empty = await openStore()
  const storage = failingOn(shop.services.storage, damaged!.name, () =>
    Readable.from([Buffer.alloc(damaged!.size)]),
  )
  const written = await createBackup({ ...shop.source, storage }, [place.store, empty.store])
  expect(written.problems).toEqual([expect.stringMatching(/ is damaged: its checksum has changed$/)])
  const expected = [manifest.files, others]
  for (const [nth, { store }] of [place, empty].entries()) {
    const own = await store.read(written.name)
    expect(own.files).toEqual(expected[nth])
    expect(await checkObjects(store, own, () => undefined)).toEqual(new Map())
  }
})

test('a run whose lock is lost writes no backup and removes nothing', async () => {
  await using shop = await openShop()
  const { services } = shop
  const run = async (storage: Storage) =>
    (await startBackupRun({ ...services, storage }, { kind: 'backup', started_by: 'test' })).finished
  const first = await run(services.storage)
  const cutting: Storage = {
    ...services.storage,
    async stat(name) {
      await services.database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'lectern backup lock' and datname = current_database()`,
      )
      return services.storage.stat(name)
    },
  }
  expect(await run(cutting)).toBeUndefined()
  expect(await services.backupTargets()[0].list()).toEqual([first!.backup])
  const { rows } = await services.database.pool.query('select problems from backup_runs where backup is null')
  expect(rows).toEqual([{ problems: [expect.stringContaining('another backup may have begun')] }])
})

test('a backup that lost an object while it was made is none', async () => {
  await using shop = await openShop()
  const { services } = shop
  const run = async (storage: Storage) =>
    (await startBackupRun({ ...services, storage }, { kind: 'backup', started_by: 'test' })).finished
  const first = await run(services.storage)
  const losing: Storage = {
    ...services.storage,
    async stat(name) {
      await rm(join(services.config.dataDir, 'backups/objects'), { recursive: true, force: true })
      return services.storage.stat(name)
    },
  }
  expect(await run(losing)).toBeUndefined()
  expect(await services.backupTargets()[0].list()).toEqual([first!.backup])
  const { rows } = await services.database.pool.query('select problems from backup_runs where backup is null')
  expect(rows).toEqual([{ problems: [expect.stringMatching(/objects of the backup were removed/)] }])
})

test('a run that cannot remove older backups has made its own', async () => {
  await using shop = await openShop()
  const { config, backupTargets } = shop.services
  const run = async () =>
    (await startBackupRun(shop.services, { kind: 'backup', started_by: 'test' })).finished
  const first = await run()
  await rm(join(config.dataDir, `backups/backups/${first!.backup}.objects`))
  const second = await run()
  expect(second!.problems).toEqual([expect.stringMatching(/^Older backups in .* could not be removed: /)])
  expect(await backupTargets()[0].list()).toContain(second!.backup)
})
