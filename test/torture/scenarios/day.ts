// A day of traffic in minutes: a round is an hour by the shop's clock, at the end of which the sweep runs. Memory, files and
// connections stay as they are, and of every table that is swept nothing is left some years later.
import { chmodSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { hasFakeClock, openFakeClock } from '../../fake-clock.ts'
import { readTableList } from '../../table-list.ts'
import { spendHour } from '../day-traffic.ts'
import { openErrands } from '../errands.ts'
import { startHourlyShop } from '../hourly.ts'
import { countConnections, countFiles, residentMemory } from '../process-figures.ts'
import { createRandom } from '../random.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'
import { sendVisitors } from '../visitors.ts'

const hourMs = 3_000
/** An idle connection is closed by then. */
const restMs = 8_000
const maxConnections = 21
/** Of what is in use on the heap, from the second quarter of the day to the last. */
const maxGrowth = 0.1
const megabyte = 1024 * 1024

export const scenario: Scenario = {
  fault: 'a day of traffic, a round an hour',
  rounds: 24,
  buyers: 6,
  needs: hasFakeClock ? '' : 'libfaketime: apt-get install faketime',
  run: spendDay,
}

async function spendDay({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  chmodSync(dataDir, 0o755)
  const clock = openFakeClock(join(dataDir, 'clock'))
  await using shop = await startHourlyShop(dataDir, { ...clock.env, SWEEPS: 'trusting' })
  await using postgres = await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url, { max: 1 })
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const errands = openErrands(shop.url, sale)
  const visitors = sendVisitors(shop.url, 2, createRandom(seed + 2))
  const heaps: number[] = []
  const memories: number[] = []
  let firstFiles = 0
  for (let hour = 1; hour <= rounds; hour++) {
    await clock.set(`+${hour}h`)
    await spendHour(shop.url, sale, errands)
    await sleep(hourMs)
    heaps.push(await shop.sweep())
    memories.push(residentMemory(shop.pid))
    if (hour === 1) firstFiles = countFiles(shop.pid)
    console.log(
      `${String(hour).padStart(3)}  heap ${inMegabytes(heaps.at(-1))} MB, in all ${inMegabytes(memories.at(-1))} MB`,
    )
  }
  await visitors.finish()
  await sale.finish()
  await sleep(restMs)
  const left = {
    files: countFiles(shop.pid) - firstFiles,
    connections: countConnections(Number(new URL(shop.url).port)),
    ...(await countDatabaseConnections(database)),
  }
  const found = await sale.audit(database, [200, 201, 202, 401])
  await clock.set('+1200d')
  await shop.sweep()
  const unswept = await countUnswept(database, dataDir)
  const exitCode = await shop.stop()
  const quarter = Math.max(1, Math.floor(rounds / 4))
  const growth = median(heaps.slice(-quarter)) / median(heaps.slice(quarter, 2 * quarter)) - 1
  return {
    ...found,
    recoveries: [],
    figures: {
      ...found.figures,
      'page views and sign-ins': [...visitors.statuses.values()].reduce((sum, count) => sum + count, 0),
      'megabytes on the heap in the second quarter': inMegabytes(median(heaps.slice(quarter, 2 * quarter))),
      'megabytes on the heap in the last quarter': inMegabytes(median(heaps.slice(-quarter))),
      'megabytes in all in the second quarter': inMegabytes(median(memories.slice(quarter, 2 * quarter))),
      'megabytes in all in the last quarter': inMegabytes(median(memories.slice(-quarter))),
      'connections to the database at rest': left.all,
    },
    violations: {
      ...found.violations,
      'pages and sign-ins that failed': [...visitors.statuses].reduce(
        (sum, [status, count]) => sum + (status === 200 ? 0 : count),
        0,
      ),
      [`percent that the heap grew by, beyond ${100 * maxGrowth}`]: Math.max(
        0,
        Math.round(100 * (growth - maxGrowth)),
      ),
      'files left open': Math.max(0, left.files),
      'connections of visitors left open': left.connections,
      [`connections to the database beyond ${maxConnections}`]: Math.max(0, left.all - maxConnections),
      'connections to the database that do not rest': left.busy,
      'rows and files that nobody sweeps': unswept,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

const inMegabytes = (bytes = 0) => Math.round(bytes / megabyte)
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Of the shop; those of backups and rehearsals must be gone. */
async function countDatabaseConnections({ pool }: Pick<Database, 'pool'>) {
  const { rows } = await pool.query<{ all: number; busy: number }>(`
    select count(*) as all, count(*) filter (where state <> 'idle'
      or application_name not in ('lectern', 'lectern jobs', 'lectern listener')) as busy
    from pg_stat_activity where application_name like 'lectern%' and pid <> pg_backend_pid()`)
  return rows[0]!
}

/** Of the tables whose rows are all deleted some day by the hourly sweep, and of the folder of uploads. */
async function countUnswept({ pool }: Pick<Database, 'pool'>, dataDir: string): Promise<number> {
  let count = (await readdir(join(dataDir, 'uploads'))).length
  const others = await pool.query<{ count: number }>(`
    select (select count(*) from auth.users where email_confirmed_at is null)
      + (select count(*) from mails where purchase_id is null) as count`)
  count += others.rows[0]!.count
  for (const { name, stays, deletedBy } of readTableList()) {
    if (!deletedBy.includes('hourly') || stays.includes('kept') || stays.includes('open')) continue
    const { rows } = await pool.query<{ count: number }>(`select count(*) from ${name}`)
    if (rows[0]!.count > 0) console.log(`     ${rows[0]!.count} left in ${name}`)
    count += rows[0]!.count
  }
  return count
}
