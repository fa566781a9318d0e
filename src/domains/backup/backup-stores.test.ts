// Backups of a shop with its files in a store, to a store: written, thinned out, and restored on an empty machine.
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { createTestDatabase } from '#test/database.ts'
import { openFaultyBucket } from '#test/faulty-bucket.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { listNames, prepareStores } from '#test/stores.ts'
import { openPlaceAt } from './backup-targets.ts'
import { objectsOf } from './backup-store.ts'
import { checkObjects } from './object-damage.ts'
import { restore, type RestoreProgress } from './restore.ts'
import { startBackupRun } from './run-backup.ts'
import { runDueBackup } from './due-backups.ts'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdtempDisposable, rm, writeFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openLogLines } from '#test/log-lines.ts'
import { countAttentionItems, listAttentionItems } from '#test/needs.ts'
import type { Backups } from '#contract/backup/backups.ts'
import { createBackup, shopSource } from './create-backup.ts'
import { backup_runs } from '#tables/backup.ts'
import { findObjects, flipByte, openShopWithCopy, stateOf } from '#test/backup-copy.ts'

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
  expect(await checkObjects(store, await store.read(second.backup!), () => undefined)).toEqual(new Map())
})

// A place that fails: tried again within the hour, an error in the log each time, and under Needs attention until it works.

test('a place that fails is tried again each hour, alone, until it has its backup', async () => {
  await using parent = await mkdtempDisposable(join(tmpdir(), 'lectern-elsewhere-'))
  const folder = join(parent.path, 'backups')
  await writeFile(folder, 'not a folder')
  const { log, lines } = openLogLines()
  let now = new Date('2026-11-22T12:00:00Z')
  await using shop = await openTestShop({
    env: { BACKUP_URL: pathToFileURL(folder).href, RATE_LIMIT: 'off' },
    clock: () => now,
    hasWorkers: false,
    log,
  })
  const { backupTargets } = shop.services
  const failures = () => lines.filter(({ msg }) => msg === 'a place of backups has failed')
  await runDueBackup(shop.services)
  expect(await backupTargets()[0].list()).toHaveLength(1)
  expect(failures()).toMatchObject([{ place: folder, level: 'error' }])
  // A session would be too old after an hour.
  const admin = () => shop.person({ role: 'admin' })
  expect((await listAttentionItems(await admin())).items).toMatchObject([
    { kind: 'backup', run: 'backup', place: folder, reason: expect.stringContaining(folder) },
  ])
  expect(await countAttentionItems(await admin())).toMatchObject({ count: 1, has_backup_problem: true })

  now = new Date(now.getTime() + hourMs)
  await runDueBackup(shop.services)
  expect(failures()).toHaveLength(2)
  await rm(folder)
  now = new Date(now.getTime() + hourMs)
  await runDueBackup(shop.services)
  // The first is not made again.
  expect(await backupTargets()[0].list()).toHaveLength(1)
  expect(await backupTargets()[1]!.list()).toHaveLength(1)
  expect(await countAttentionItems(await admin())).toMatchObject({ count: 0, has_backup_problem: false })
  now = new Date(now.getTime() + hourMs)
  await runDueBackup(shop.services)
  expect(await backupTargets()[1]!.list()).toHaveLength(1)
  const { runs, places } = (await (await (await admin()).call('GET', '/api/admin/backups')).json()) as Backups
  expect(runs.filter(({ kind }) => kind === 'backup')).toMatchObject([
    { state: 'done', place: folder, problems: [] },
    { state: 'failed' },
    { state: 'done', place: null, problems: [expect.stringContaining(folder)] },
  ])
  expect(places[1]).toMatchObject({ backup_problem: null, others: 0 })
})

test('in alternate weeks the place elsewhere is rehearsed; a problem there does not keep the other from its turn', async () => {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'lectern-elsewhere-'))
  let now = new Date('2026-11-22T12:00:00Z')
  await using shop = await openTestShop({
    env: { BACKUP_URL: pathToFileURL(elsewhere.path).href },
    clock: () => now,
    hasWorkers: false,
  })
  const { pool } = shop.services.database
  const own = shop.services.backupTargets()[0].label
  const pass = async (hours: number) => {
    now = new Date(now.getTime() + hours * hourMs)
    await runDueBackup(shop.services)
  }
  const rehearsed = async () =>
    (
      await pool.query<{ place: string }>(
        `select place from backup_runs where kind = 'rehearsal' order by started_at, id`,
      )
    ).rows.map(({ place }) => place)
  await pass(0)
  for (const _ of [1, 2]) await pass(24 * 7)
  expect(await rehearsed()).toEqual([own, elsewhere.path, own])
  await pass(24 * 7)
  await pool.query(`update backup_runs set problems = '["damaged"]' where place = $1`, [elsewhere.path])
  await pass(24)
  expect((await rehearsed()).slice(3)).toEqual([elsewhere.path, own])
})

test('a good backup and a good rehearsal call BACKUP_PING_URL, one with a problem does not', async () => {
  const calls: string[] = []
  let status = 200
  await using server = createServer(({ method, url }, response) => {
    calls.push(`${method} ${url}`)
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { log, lines } = openLogLines()
  await using shop = await openTestShop({
    env: { BACKUP_PING_URL: `http://127.0.0.1:${port}/ping/secret` },
    hasWorkers: false,
    log,
  })
  const run = async (kind: 'backup' | 'rehearsal') =>
    (await startBackupRun(shop.services, { kind, started_by: 'test' })).finished
  await run('backup')
  await run('rehearsal')
  expect(calls).toEqual(['GET /ping/secret', 'GET /ping/secret'])

  const { rows } = await shop.services.database.pool.query<{ file_path: string }>(
    'select file_path from product_files limit 1',
  )
  const content = await shop.services.storage.read(rows[0]!.file_path)
  await shop.services.storage.remove(rows[0]!.file_path)
  expect((await run('backup'))!.problems).toHaveLength(1)
  expect(calls).toHaveLength(2)
  content.destroy()

  status = 500
  await run('rehearsal').catch(() => undefined)
  expect(JSON.stringify(lines)).not.toContain('secret')
})

// A new shop beside the backups of the one whose disk died: they stay, until its author has restored them.

const backUp = async ({ services }: TestShop) =>
  (await (
    await startBackupRun(services, { kind: 'backup', started_by: 'test' })
  ).finished)!

test('a new shop removes no backup that it has neither made nor restored, and says what to do', async () => {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'lectern-foreign-'))
  const options = {
    env: { BACKUP_URL: pathToFileURL(elsewhere.path).href, BACKUP_PASSPHRASE: 'in the beginning' },
    hasWorkers: false,
  }
  const list = async () => (await readdir(elsewhere.path, { recursive: true })).toSorted()
  {
    await using lost = await openTestShop(options)
    await backUp(lost)
  }
  const before = await list()
  expect(before.filter((path) => path.endsWith('.json.age'))).toHaveLength(1)

  await using shop = await openTestShop(options)
  const { services } = shop
  for (const _ of ['the first', 'once more']) {
    expect((await backUp(shop)).problems).toEqual([expect.stringContaining(elsewhere.path)])
    expect(await list()).toEqual(before)
  }
  expect((await listAttentionItems(await shop.person({ role: 'admin' }))).items).toMatchObject([
    {
      kind: 'backup',
      place: elsewhere.path,
      reason: expect.stringMatching(
        /backups of other data .* docs\/recovery\.md.* new folder, in BACKUP_URL/,
      ),
    },
  ])

  // As a restore records it.
  const id = '01900000-0000-7000-8000-000000000000'
  await services.db
    .insert(backup_runs)
    .values({ id, kind: 'restore', started_by: 'shell', started_at: new Date() })
  expect((await backUp(shop)).problems).toEqual([])
  expect(await list()).not.toEqual(before)
})

test('a new database removes none of the backups that another one has left in DATA_DIR', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-foreign-'))
  const options = { env: { DATA_DIR: folder.path }, hasWorkers: false }
  const list = async () => (await readdir(join(folder.path, 'backups'), { recursive: true })).toSorted()
  {
    await using lost = await openTestShop(options)
    for (const _ of [1, 2, 3]) expect((await backUp(lost)).problems).toEqual([])
  }
  const before = await list()
  expect(before.filter((path) => path.endsWith('.json'))).toHaveLength(3)

  await using shop = await openTestShop(options)
  const { finished } = await startBackupRun(shop.services, { kind: 'backup', started_by: 'test' })
  expect(await finished).toBeUndefined()
  expect(await list()).toEqual(before)
  expect((await listAttentionItems(await shop.person({ role: 'admin' }))).items).toMatchObject([
    {
      kind: 'backup',
      reason: expect.stringMatching(/backups of other data .* move all that is in .*backups/),
    },
  ])
})

test('beside the backup that an upgrade has made, and that is in no list of runs, a shop makes its own', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { config, database, storage, backupTargets } = shop.services
  const { name } = await createBackup(shopSource(config, database.url, storage), [
    await backupTargets()[0].open(),
  ])
  const { backup, problems } = await backUp(shop)
  expect(problems).toEqual([])
  expect(await backupTargets()[0].list()).toEqual([backup, name])
})

test('the first backup of a shop that was killed at its end does not keep the next from being made', async () => {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'lectern-foreign-'))
  await using shop = await openTestShop({
    env: { BACKUP_URL: pathToFileURL(elsewhere.path).href },
    hasWorkers: false,
  })
  await backUp(shop)
  await shop.services.db.update(backup_runs).set({ backup: null, finished_at: null })
  expect((await backUp(shop)).problems).toEqual([])
})

// A place that stops responding during a restore has lost nothing.

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
    (...faults: [string, number][]): RestoreProgress =>
    (step) =>
      step === 'files' && faults.splice(0).forEach(([method, times]) => fail(method, times))
  const tryRestore = (onProgress: RestoreProgress) =>
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

// A place elsewhere that refuses to overwrite.

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
        `^The backup in .+ is not whole: the \\w+ “.+” .* cannot be written: The place refuses to overwrite ${file}, .*name a new folder`,
      ),
    ),
  ])
  const state = await stateOf(shop, shop.label, 'backup')
  expect(state).toMatchObject({ failing_since: expect.any(Date), problem: problems[0] })
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})
