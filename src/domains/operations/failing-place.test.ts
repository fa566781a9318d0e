// A place that fails: tried again within the hour, an error in the log each time, and under Needs attention until it works.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openLogLines } from '#test/log-lines.ts'
import { countAttentionItems, listAttentionItems } from '#test/needs.ts'
import { openTestShop } from '#test/shop.ts'
import { runDueBackup, startBackupRun } from './run-backup.ts'
import type { Backups } from '#contract/operations/backups.ts'

const hourMs = 3_600_000

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
  expect(await backupTargets[0].list()).toHaveLength(1)
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
  expect(await backupTargets[0].list()).toHaveLength(1)
  expect(await backupTargets[1]!.list()).toHaveLength(1)
  expect(await countAttentionItems(await admin())).toMatchObject({ count: 0, has_backup_problem: false })
  now = new Date(now.getTime() + hourMs)
  await runDueBackup(shop.services)
  expect(await backupTargets[1]!.list()).toHaveLength(1)
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
  const own = shop.services.backupTargets[0].label
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
