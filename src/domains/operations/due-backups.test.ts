// Backups and rehearsals by the clock.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { startRun } from './backup-runs.ts'
import { isBackupDue, runDueBackup } from './run-backup.ts'

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
