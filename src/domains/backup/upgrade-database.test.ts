// Data of an older version: backed up before they are changed, and the backup leads back.
import { mkdtempDisposable, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { newestMigration } from '#platform/db/migrate.ts'
import { createLog, type Log } from '#platform/log.ts'
import { createTestDatabase } from '#test/database.ts'
import { makeNextMigrations } from '#test/next-migrations.ts'
import { readConfig } from '../../config.ts'
import { nameOf } from './backup-store.ts'
import { openBackupTargets } from './backup-targets.ts'
import { checkObjects } from './object-damage.ts'
import { openUploadReader } from '#domains/files/ebook-reader.ts'
import { rehearse } from './rehearse.ts'
import { upgradeDatabase } from './upgrade-database.ts'
import { readUpgradeBackup, saveUpgradeBackup } from './upgrade-backup.ts'

/** Data of this version, and the migrations of the next one. */
async function openOldShop() {
  await using undo = new AsyncDisposableStack()
  const { url } = undo.use(await createTestDatabase())
  const folder = undo.use(await mkdtempDisposable(join(tmpdir(), 'lectern-old-')))
  const next = undo.use(await makeNextMigrations('create table next (id uuid primary key)'))
  const database = undo.use(openDatabase(url))
  await database.pool.query(
    `insert into profiles (user_id, email) values (gen_random_uuid(), 'ruth@example.com')`,
  )
  const config = readConfig({ DATA_DIR: folder.path })
  const upgrade = (log: Log) => upgradeDatabase(database, config, log, next.path)
  const stack = undo.move()
  return { database, config, upgrade, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const countMigrations = async ({ pool }: Database) =>
  (await pool.query('select count(*) from drizzle.__drizzle_migrations')).rows

test('an older database is backed up, brought to this version, and not backed up again', async () => {
  await using old = await openOldShop()
  const { database, config, upgrade } = old
  const log = createLog('silent')
  await upgrade(log)
  const { rows } = await database.pool.query(
    'select email, (select count(*) from backup_runs) as runs from profiles',
  )
  expect(rows).toEqual([{ email: 'ruth@example.com', runs: 0 }])
  const store = await openBackupTargets(config)[0].open()
  const [name, ...others] = await store.list()
  expect(others).toEqual([])
  expect(await store.read(name!)).toMatchObject({
    schema_version: newestMigration(),
    sums: { users: 1 },
  })
  await using uploadReader = {
    ...openUploadReader(),
    async [Symbol.asyncDispose]() {
      await this.close()
    },
  }
  const needs = { databaseUrl: database.url, tmpDir: config.dataDir, uploadReader }
  expect(await rehearse(needs, store)).toMatchObject({ opened: undefined, problems: [] })

  await upgrade(log)
  expect(await store.list()).toEqual([name])
})

test('where a migration fails the data are as they were, and the error says what to do', async () => {
  await using old = await openOldShop()
  const { database, upgrade } = old
  const before = await countMigrations(database)
  await database.pool.query('create table next (something text)')
  const log = createLog('silent')
  vi.spyOn(log, 'info')
  await expect(upgrade(log)).rejects.toThrow(
    /are as they were: start the version before again.* "lectern restore '.*\/backups' [\dTZ-]+ --yes"/,
  )
  expect(log.info).toHaveBeenCalledWith(expect.stringContaining('backed up as'))
  expect(await countMigrations(database)).toEqual(before)
})

test('a shop of the version before that goes on selling does not look like missing data', async () => {
  await using old = await openOldShop()
  const { database, upgrade } = old
  const log = createLog('silent')
  let signedUp: Promise<unknown> | undefined
  vi.spyOn(log, 'info').mockImplementation(() => {
    signedUp = database.pool.query(
      `insert into profiles (user_id, email) values (gen_random_uuid(), 'naomi@example.com')`,
    )
  })
  await upgrade(log)
  await signedUp
  expect((await database.pool.query('select from profiles')).rowCount).toBe(2)
})

test('where data would be missing afterwards they stay of the older version, also for the next start', async () => {
  await using old = await openOldShop()
  const { database, upgrade } = old
  const before = await countMigrations(database)
  const log = createLog('silent')
  vi.spyOn(log, 'info').mockImplementation(() => void database.pool.query('delete from profiles'))
  await expect(upgrade(log)).rejects.toThrow(
    /are as they were: start the version before again.*Data would be missing afterwards/,
  )
  expect(await countMigrations(database)).toEqual(before)
})

test('starts that are refused one after the other keep one backup, the newest', async () => {
  await using old = await openOldShop()
  const { database, config, upgrade } = old
  await database.pool.query('create table next (something text)')
  const store = await openBackupTargets(config)[0].open()
  const log = createLog('silent')
  for (const email of ['naomi@example.com', 'boaz@example.com', 'obed@example.com']) {
    await database.pool.query(`insert into profiles (user_id, email) values (gen_random_uuid(), $1)`, [email])
    await expect(upgrade(log)).rejects.toThrow('are as they were')
  }
  const [name, ...others] = await store.list()
  expect(others).toEqual([])
  const manifest = await store.read(name!)
  expect(manifest.sums.users).toBe(4)
  expect(await checkObjects(store, manifest, () => undefined)).toEqual(new Map())
})

test('the backup that the command has just made is the only one, and people may have bought and left since', async () => {
  await using old = await openOldShop()
  const { database, config, upgrade } = old
  await database.pool.query('create table next (something text)')
  const log = createLog('silent')
  const store = await openBackupTargets(config)[0].open()
  // A name that leads to no backup counts for nothing.
  await saveUpgradeBackup(config.dataDir, '2026-01-01T00-00-00-000Z')
  await expect(upgrade(log)).rejects.toThrow('are as they were')
  const [name = ''] = await store.list()
  await saveUpgradeBackup(config.dataDir, name)
  await database.pool.query('delete from profiles')
  await expect(upgrade(log)).rejects.toThrow(name)
  await database.pool.query('drop table next')
  await upgrade(log)
  expect(await store.list()).toEqual([name])
  expect(await readUpgradeBackup(config.dataDir)).toBeUndefined()
})

test('a backup that the command made more than an hour ago does not do, however late its consent came', async () => {
  await using old = await openOldShop()
  const { database, config, upgrade } = old
  await database.pool.query('create table next (something text)')
  const log = createLog('silent')
  await expect(upgrade(log)).rejects.toThrow('are as they were')
  const store = await openBackupTargets(config)[0].open()
  const [name = ''] = await store.list()
  const earlier = nameOf(new Date(Date.now() - 61 * 60_000).toISOString())
  const folder = join(config.dataDir, 'backups/backups')
  for (const kind of ['json', 'objects'])
    await rename(join(folder, `${name}.${kind}`), join(folder, `${earlier}.${kind}`))
  await saveUpgradeBackup(config.dataDir, earlier)
  await database.pool.query('drop table next')
  await upgrade(log)
  expect(await store.list()).not.toContain(earlier)
})

test('where the backup fails nothing is migrated', async () => {
  await using old = await openOldShop()
  const { database, config, upgrade } = old
  await writeFile(join(config.dataDir, 'backups'), 'not a folder')
  await expect(upgrade(createLog('silent'))).rejects.toThrow('Nothing was changed')
  const { rows } = await database.pool.query(`select to_regclass('next') as found`)
  expect(rows).toEqual([{ found: null }])
})
