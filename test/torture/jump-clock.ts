// The clock is set by an hour or a month and back again while people buy, and the sweep runs at each time.
import { mkdirSync, chmodSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { openFakeClock } from '../fake-clock.ts'
import { readTableList } from '../table-list.ts'
import { startHourlyShop } from './hourly.ts'
import { openSale } from './sale.ts'
import type { Findings, ScenarioOptions } from './scenario.ts'

const jumps = ['-1h', '+1h', '+31d'] as const
const stayMs = 3_000

type Counts = Map<string, number>

type Options = ScenarioOptions & {
  /** Where all have the clock: the shop's and the database's processes; else the shop alone. */
  openDatabaseServer?: (env: Record<string, string>) => Promise<AsyncDisposable & { url: string }>
}

export async function jumpClock({
  dataDir,
  buyers,
  rounds,
  seed,
  openDatabaseServer,
}: Options): Promise<Findings> {
  chmodSync(dataDir, 0o755)
  const clock = openFakeClock(join(dataDir, 'clock'))
  await using server = await openDatabaseServer?.(clock.env)
  await using shop = await startHourlyShop(dataDir, {
    ...clock.env,
    ...(server && { DATABASE_URL: server.url }),
  })
  const postgres = server ? undefined : await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
  const database = openDatabase(server?.url ?? postgres!.url)
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  await leaveTraces(shop.url, dataDir)
  const isAsked = async () => (await database.pool.query('select from auth.pending_sign_ups')).rowCount
  while (await isAsked()) await sleep(100)

  const recoveries: number[] = []
  let swept = 0
  let backupsInJumps = 0
  for (let round = 1; round <= rounds; round++) {
    for (const jump of jumps) {
      const before = await countRows(database, dataDir)
      const backups = await countBackups(database)
      await clock.set(jump)
      const ms = await sale.untilSold()
      await shop.sweep()
      await sleep(stayMs)
      await clock.set('+0')
      recoveries.push(ms, await sale.untilSold())
      await shop.sweep()
      swept += countGone(before, await countRows(database, dataDir))
      backupsInJumps += (await countBackups(database)) - backups
      await shop.sweep()
      console.log(
        `${String(round).padStart(3)}  ${jump} and back, sold again after ${recoveries.slice(-2).join(' and ')} ms`,
      )
    }
  }
  await sale.finish()
  // PostgreSQL's own timeouts go by the clock that jumps.
  const found = await sale.audit(database, [200, 201, 401, ...(server ? [503] : [])])
  const late = await database.pool.query<{ count: number }>(
    `select count(*) from pgboss.job where state < 'active' and start_after > now() + interval '7 hours'`,
  )
  const backups = await countBackups(database)
  await database.close()
  await postgres?.stop()
  const exitCode = await shop.stop()
  return {
    ...found,
    recoveries,
    figures: { ...found.figures, 'nightly backups and rehearsals': backups },
    violations: {
      ...found.violations,
      // A job that runs when PostgreSQL's clock jumps ahead counts as dead, and is run again: one Message-ID, twice.
      'receipts sent twice': server ? 0 : (found.figures['receipts sent more than once'] ?? 0),
      'rows and files swept by a jump that was taken back': swept,
      'backups begun while the clock was wrong': backupsInJumps,
      'nightly backups of one day beyond the first': Math.max(0, backups - 2),
      'jobs that wait for a day far ahead': late.rows[0]!.count,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

/** What the sweep deletes after days: an account that was never confirmed, and an upload that was never finished. */
async function leaveTraces(url: string, dataDir: string): Promise<void> {
  await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'never-confirmed@example.com', password: 'a long enough password' }),
  })
  mkdirSync(join(dataDir, 'uploads'), { recursive: true })
  await writeFile(join(dataDir, 'uploads', '0'.repeat(32)), 'half a book')
}

/** Of what the hourly sweep deletes from. */
async function countRows({ pool }: Pick<Database, 'pool'>, dataDir: string): Promise<Counts> {
  const counts: Counts = new Map()
  for (const { name, deletedBy } of readTableList()) {
    if (!deletedBy.includes('hourly')) continue
    const { rows } = await pool.query<{ count: number }>(`select count(*) from ${name}`)
    counts.set(name, rows[0]!.count)
  }
  counts.set('uploads', (await readdir(join(dataDir, 'uploads'))).length)
  return counts
}

function countGone(before: Counts, after: Counts): number {
  let gone = 0
  for (const [name, count] of before) {
    const less = Math.max(0, count - (after.get(name) ?? 0))
    if (less > 0) console.log(`     ${less} gone from ${name}`)
    gone += less
  }
  return gone
}

async function countBackups({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const query = `select count(*) from backup_runs where started_by = 'schedule'`
  return (await pool.query<{ count: number }>(query)).rows[0]!.count
}
