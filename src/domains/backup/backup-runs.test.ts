// Backups by a button and by the clock: one at a time, stored with their result, and an email when something is wrong.
import { mkdir, mkdtempDisposable, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { databaseUrl } from '#test/database.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { Backups } from '#contract/backup/backups.ts'
import { startBackupRun } from './run-backup.ts'
import { isBackupDue, runDueBackup } from './due-backups.ts'
import { listRuns, startRun } from './backup-runs.ts'

async function read(admin: Person): Promise<Backups> {
  return (await (await admin.call('GET', '/api/admin/backups')).json()) as Backups
}

const start = (person: Person, kind: string) => person.call('POST', '/api/admin/backups', { body: { kind } })

async function waitUntilIdle(admin: Person): Promise<Backups> {
  await expect.poll(async () => (await read(admin)).runs.some(({ state }) => state === 'running')).toBe(false)
  return read(admin)
}

test('an admin backs up and rehearses; another user may not', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  expect((await start(await shop.person(), 'backup')).status).toBe(403)
  expect((await start(admin, 'restore')).status).toBe(422)
  expect((await read(admin)).runs).toEqual([])

  expect((await start(admin, 'backup')).status).toBe(202)
  const { places, runs } = await waitUntilIdle(admin)
  expect(runs).toMatchObject([{ kind: 'backup', state: 'done', started_by: admin.email, problems: [] }])
  expect(places).toMatchObject([
    { is_same_disk: true, is_encrypted: false, backups: [{ name: runs[0]!.backup }] },
  ])
  expect(Date.parse(places[0]!.backups![0]!.created_at)).toBeGreaterThan(Date.now() - 60_000)

  expect((await start(admin, 'rehearsal')).status).toBe(202)
  const { runs: after } = await waitUntilIdle(admin)
  expect(after[0]).toMatchObject({ kind: 'rehearsal', state: 'done', backup: runs[0]!.backup, problems: [] })
})

test('a backup that ends while the places are listed is not shown as done without its backup', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const [place] = shop.services.backupTargets()
  const list = place.list.bind(place)
  const listing = vi.spyOn(place, 'list').mockImplementationOnce(async () => {
    const before = await list()
    const { finished } = await startBackupRun(shop.services, { kind: 'backup', started_by: 'test' })
    await finished
    return before
  })
  expect(await read(admin)).toMatchObject({ places: [{ backups: [] }], runs: [] })
  expect(listing).toHaveBeenCalled()
  expect(await read(admin)).toMatchObject({ places: [{ backups: [{}] }], runs: [{ state: 'done' }] })
})

test('of two at once one is refused, and a run whose process ended is shown as lost', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const { finished } = await startRun(shop.services, { kind: 'backup', started_by: 'test' }, async () => {
    await promise
    throw new Error('there is no room')
  })
  expect((await read(admin)).runs).toMatchObject([{ state: 'running' }])
  const refused = await start(admin, 'backup')
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'backups.busy' }])
  resolve()
  expect(await finished).toBeUndefined()
  expect((await read(admin)).runs).toMatchObject([{ state: 'failed', problems: ['there is no room'] }])

  await shop.services.database.pool.query('update backup_runs set finished_at = null')
  expect((await read(admin)).runs).toMatchObject([{ state: 'lost' }])
})

test('a run that ends while it is looked at is not shown as lost', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const result = { backup: 'x', orders: 0, files: 0, problems: [] }
  const states = new Set<string>()
  for (let nth = 0; nth < 40; nth += 1) {
    const looked = Promise.withResolvers<void>()
    const { finished } = await startRun(
      shop.services,
      { kind: 'backup', started_by: 'test' },
      async () => (await looked.promise, result),
    )
    const over = new AbortController()
    void finished.then(() => over.abort())
    const look = async () => {
      while (!over.signal.aborted) {
        for (const { state } of await listRuns(shop.services)) states.add(state)
        looked.resolve()
      }
    }
    await Promise.all([look(), look(), look()])
  }
  expect([...states].toSorted()).toEqual(['done', 'running'])
})

test('a run is shown as running though clocks were ahead at the run before it', async () => {
  let ahead = 30_000
  const clock = () => new Date(Date.now() + ahead)
  await using shop = await openTestShop({ hasWorkers: false, clock })
  const result = { backup: 'x', orders: 0, files: 0, problems: [] }
  const run = (until: Promise<unknown>) =>
    startRun(shop.services, { kind: 'backup', started_by: 'test' }, async () => (await until, result))
  const before = await run(Promise.resolve())
  await before.finished
  ahead = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const { finished } = await run(promise)
  const states = async () => (await listRuns(shop.services)).map(({ state }) => state)
  expect(await states()).toEqual(['done', 'running'])
  resolve()
  await finished
  expect(await states()).toEqual(['done', 'done'])
})

test('the author gets an email that names a missing file', async () => {
  await using shop = await openTestShop({ env: { ADMIN_EMAIL: 'author@example.com' } })
  const { storage, database } = shop.services
  const { rows } = await database.pool.query<{ file_path: string }>(
    'select file_path from product_files limit 1',
  )
  await storage.remove(rows[0]!.file_path)
  const { finished } = await startBackupRun(shop.services, { kind: 'backup', started_by: 'test' })
  expect((await finished)!.problems).toEqual([expect.stringContaining(rows[0]!.file_path)])
  const mail = await shop.mailbox.to('author@example.com', /backup/)
  expect(mail.text).toContain(rows[0]!.file_path)
})

test('what a killed run has left is removed by the next one; what is in use, or the author may need, stays', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { database, config } = shop.services
  const folder = join(config.dataDir, 'backups')
  for (const path of ['tmp/rows.gz', 'incoming/half']) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), 'half')
  }
  const name = new URL(database.url).pathname.slice(1)
  const left = [
    '_rehearsal',
    '_restored_20260101000000',
    '_restored_20260102000000',
    '_before_20260101000000',
  ]
  for (const end of left) await database.pool.query(`create database ${name}${end} template template0`)
  const user = new Client(databaseUrl(database.url, `${name}_restored_20260102000000`))
  await user.connect()
  const { finished } = await startBackupRun(shop.services, { kind: 'backup', started_by: 'test' })
  expect((await finished)!.problems).toEqual([])
  await user.end()
  expect(
    (await readdir(folder, { recursive: true })).filter((path) => /^(tmp|incoming)./.test(path)),
  ).toEqual([])
  const { rows } = await database.pool.query<{ end: string }>(
    `select substr(datname, $1) as end from pg_database where datname like $2 order by 1`,
    [name.length + 1, `${name}\\_%`],
  )
  expect(rows.map(({ end }) => end)).toEqual(['_before_20260101000000', '_restored_20260102000000'])
  for (const { end } of rows) await database.pool.query(`drop database ${name}${end}`)
})

test('a place that cannot be opened or written is a problem; the other gets its backup', async () => {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'lectern-elsewhere-'))
  const env = { BACKUP_URL: pathToFileURL(elsewhere.path).href, BACKUP_PASSPHRASE: 'in the beginning' }
  await using shop = await openTestShop({ env, hasWorkers: false })
  const run = async () =>
    (await (
      await startBackupRun(shop.services, { kind: 'backup', started_by: 'test' })
    ).finished)!
  const first = await run()
  expect(first.problems).toEqual([])
  expect(await readdir(elsewhere.path)).toContain('key.age')

  await writeFile(join(elsewhere.path, 'key.age'), 'something else')
  const second = await run()
  expect(second.problems).toEqual([
    expect.stringContaining('The file key.age beside these backups is damaged'),
  ])
  const own = await readdir(join(shop.services.config.dataDir, 'backups/backups'))
  expect(own).toContain(`${second.backup}.json`)
})

test('a rehearsal reads the newest backup wherever it is, and says which and where', async () => {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'lectern-elsewhere-'))
  const env = { BACKUP_URL: pathToFileURL(elsewhere.path).href }
  await using shop = await openTestShop({ env, hasWorkers: false })
  const { services } = shop
  const run = async (kind: 'backup' | 'rehearsal') =>
    (await (
      await startBackupRun(services, { kind, started_by: 'test' })
    ).finished)!
  const { backup } = await run('backup')
  const [own, remote] = services.backupTargets()
  expect(await run('rehearsal')).toMatchObject({ backup, place: own.label, problems: [] })

  // As on a machine that has made none itself.
  await rm(own.label, { recursive: true })
  expect(await run('rehearsal')).toMatchObject({ backup, place: remote!.label, problems: [] })
  expect((await read(await shop.person({ role: 'admin' }))).runs[0]).toMatchObject({
    kind: 'rehearsal',
    backup,
    place: elsewhere.path,
  })
})

// Backups and rehearsals by the clock.

test('a day’s backup is due once, after three in the night of the shop’s time zone', () => {
  const due = (now: string, last?: string) =>
    isBackupDue('America/New_York', new Date(now), last ? new Date(last) : undefined)
  expect(due('2026-11-22T07:59:00Z')).toBe(false)
  expect(due('2026-11-22T08:00:00Z')).toBe(true)
  expect(due('2026-11-22T08:00:00Z', '2026-11-22T07:00:00Z')).toBe(false)
  expect(due('2026-11-22T08:00:00Z', '2026-11-22T04:59:00Z')).toBe(true)
  expect(due('2026-11-23T02:00:00Z', '2026-11-22T08:00:00Z')).toBe(false)
})

async function kindsOf({ services }: TestShop): Promise<string[]> {
  const { rows } = await services.database.pool.query<{ kind: string }>(
    'select kind from backup_runs order by started_at, id',
  )
  return rows.map(({ kind }) => kind)
}

test('every night a backup, every week a rehearsal', async () => {
  let now = new Date('2026-11-22T12:00:00Z')
  await using shop = await openTestShop({ clock: () => now, hasWorkers: false })
  const pass = async (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000)
    await runDueBackup(shop.services)
  }
  await pass(0)
  expect(await kindsOf(shop)).toEqual(['backup', 'rehearsal'])
  await pass(1)
  expect(await kindsOf(shop)).toHaveLength(2)
  await pass(24)
  expect(await kindsOf(shop)).toEqual(['backup', 'rehearsal', 'backup'])
  await pass(24 * 6)
  expect(await kindsOf(shop)).toEqual(['backup', 'rehearsal', 'backup', 'backup', 'rehearsal'])
})

test('a clock that was a month ahead does not keep the next night from having its backup', async () => {
  let now = new Date('2026-11-22T12:00:00Z')
  await using shop = await openTestShop({ clock: () => now, hasWorkers: false })
  const runOn = async (moment: string) => {
    now = new Date(moment)
    await runDueBackup(shop.services)
  }
  await runOn('2026-12-23T12:00:00Z')
  await runOn('2026-11-22T13:00:00Z')
  expect(await kindsOf(shop)).toHaveLength(4)
  await runOn('2026-11-22T14:00:00Z')
  expect(await kindsOf(shop)).toHaveLength(4)
})

test('what fails is tried again every hour, with one email a day', async () => {
  let now = new Date('2026-11-22T12:00:00Z')
  await using shop = await openTestShop({ clock: () => now, env: { ADMIN_EMAIL: 'author@example.com' } })
  const { config, database } = shop.services
  const folder = join(config.dataDir, 'backups')
  await rm(folder, { recursive: true, force: true })
  await writeFile(folder, 'not a folder')
  const pass = async (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000)
    await runDueBackup(shop.services)
  }
  for (const hours of [0, 1, 1, 15, 9]) await pass(hours)
  expect(await kindsOf(shop)).toEqual(['backup', 'backup', 'backup', 'backup', 'backup'])
  const { rows } = await database.pool.query(`select from pgboss.job where name = 'mail.backup-failed'`)
  expect(rows).toHaveLength(2)

  await rm(folder)
  await pass(1)
  expect((await kindsOf(shop)).slice(5)).toEqual(['backup', 'rehearsal'])
})

test('a rehearsal that finds a problem is repeated on the next day', async () => {
  let now = new Date('2026-11-22T12:00:00Z')
  await using shop = await openTestShop({ clock: () => now, hasWorkers: false })
  await runDueBackup(shop.services)
  await shop.services.database.pool.query(
    `update backup_runs set problems = '["there are other rows"]' where kind = 'rehearsal'`,
  )
  for (const hours of [1, 23]) {
    now = new Date(now.getTime() + hours * 3_600_000)
    await runDueBackup(shop.services)
  }
  expect(await kindsOf(shop)).toEqual(['backup', 'rehearsal', 'backup', 'rehearsal'])
})

test('a machine without the newest backup does not rehearse, and waits for one that backs up', async () => {
  let now = new Date('2026-11-22T12:00:00Z')
  await using shop = await openTestShop({ clock: () => now, hasWorkers: false })
  const { promise, resolve } = Promise.withResolvers<void>()
  const { finished } = await startRun(shop.services, { kind: 'backup', started_by: 'schedule' }, async () => {
    await promise
    return { backup: '2026-11-22T12-00-00-000Z', orders: 0, files: 0, problems: [] }
  })
  await runDueBackup(shop.services)
  resolve()
  await finished
  now = new Date(now.getTime() + 3_600_000)
  await runDueBackup(shop.services)
  expect(await kindsOf(shop)).toEqual(['backup'])
})
