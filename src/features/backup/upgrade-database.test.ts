// Data of an older version: backed up before they are changed, and the backup leads back.
import { readFileSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '#platform/db/client.ts'
import { migrateTo } from '#platform/db/migrate.ts'
import { createLog } from '#platform/log.ts'
import { createTestDatabase } from '#test/database.ts'
import { readConfig } from '../../config.ts'
import { openBackupPlaces } from './backup-places.ts'
import { findMissingObjects } from './intact-objects.ts'
import { openUploadReader } from '../ebooks/check.ts'
import { rehearse } from './rehearse.ts'
import { upgradeDatabase } from './upgrade-database.ts'

const journal: { entries: { when: number }[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../platform/db/migrations/meta/_journal.json'), 'utf8'),
)

async function openOldShop() {
  await using undo = new AsyncDisposableStack()
  const empty = undo.use(await createTestDatabase({ empty: true }))
  const folder = undo.use(await mkdtempDisposable(join(tmpdir(), 'lectern-old-')))
  const client = new Client(empty.url)
  await client.connect()
  await migrateTo(client, journal.entries[0]!.when)
  await client.query(`insert into profiles (user_id, email) values (gen_random_uuid(), 'ruth@example.com')`)
  await client.end()
  const database = undo.use(openDatabase(empty.url))
  const config = readConfig({ DATA_DIR: folder.path })
  const stack = undo.move()
  return { database, config, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('an older database is backed up, brought to this version, and not backed up again', async () => {
  await using old = await openOldShop()
  const { database, config } = old
  const log = createLog('silent')
  await upgradeDatabase(database, config, log)
  const { rows } = await database.pool.query(
    'select email, (select count(*) from backup_runs) as runs from profiles',
  )
  expect(rows).toEqual([{ email: 'ruth@example.com', runs: 0 }])
  const store = await openBackupPlaces(config)[0].open()
  const [name, ...others] = await store.list()
  expect(others).toEqual([])
  expect(await store.read(name!)).toMatchObject({
    schema_version: journal.entries[0]!.when,
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

  await upgradeDatabase(database, config, log)
  expect(await store.list()).toEqual([name])
})

test('where a migration fails the data are as they were, and the error says what to do', async () => {
  await using old = await openOldShop()
  const { database, config } = old
  await database.pool.query('create table backup_runs (something text)')
  const log = createLog('silent')
  vi.spyOn(log, 'info')
  await expect(upgradeDatabase(database, config, log)).rejects.toThrow(
    /are as they were: start the version before again.* "lectern restore '.*\/backups' [\dTZ-]+ --yes"/,
  )
  expect(log.info).toHaveBeenCalledWith(expect.stringContaining('backed up as'))
  const { rows } = await database.pool.query('select count(*) from drizzle.__drizzle_migrations')
  expect(rows).toEqual([{ count: 1 }])
})

test('a shop of the version before that goes on selling does not look like missing data', async () => {
  await using old = await openOldShop()
  const { database, config } = old
  const log = createLog('silent')
  let signedUp: Promise<unknown> | undefined
  vi.spyOn(log, 'info').mockImplementation(() => {
    signedUp = database.pool.query(
      `insert into profiles (user_id, email) values (gen_random_uuid(), 'naomi@example.com')`,
    )
  })
  await upgradeDatabase(database, config, log)
  await signedUp
  expect((await database.pool.query('select from profiles')).rowCount).toBe(2)
})

test('where data would be missing afterwards they stay of the older version, also for the next start', async () => {
  await using old = await openOldShop()
  const { database, config } = old
  const log = createLog('silent')
  vi.spyOn(log, 'info').mockImplementation(() => void database.pool.query('delete from profiles'))
  await expect(upgradeDatabase(database, config, log)).rejects.toThrow(
    /are as they were: start the version before again.*Data would be missing afterwards/,
  )
  const { rows } = await database.pool.query('select count(*) from drizzle.__drizzle_migrations')
  expect(rows).toEqual([{ count: 1 }])
})

test('starts that are refused one after the other keep one backup, the newest', async () => {
  await using old = await openOldShop()
  const { database, config } = old
  await database.pool.query('create table backup_runs (something text)')
  const store = await openBackupPlaces(config)[0].open()
  const log = createLog('silent')
  for (const email of ['naomi@example.com', 'boaz@example.com', 'obed@example.com']) {
    await database.pool.query(`insert into profiles (user_id, email) values (gen_random_uuid(), $1)`, [email])
    await expect(upgradeDatabase(database, config, log)).rejects.toThrow('are as they were')
  }
  const [name, ...others] = await store.list()
  expect(others).toEqual([])
  const manifest = await store.read(name!)
  expect(manifest.sums.users).toBe(4)
  expect(await findMissingObjects(store, manifest)).toEqual([])
})

test('where the backup fails nothing is migrated', async () => {
  await using old = await openOldShop()
  const { database, config } = old
  await writeFile(join(config.dataDir, 'backups'), 'not a folder')
  await expect(upgradeDatabase(database, config, createLog('silent'))).rejects.toThrow('Nothing was changed')
  const { rows } = await database.pool.query(`select to_regclass('backup_runs') as found`)
  expect(rows).toEqual([{ found: null }])
})
