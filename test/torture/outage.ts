// A database that cannot be reached, or hardly, for a while, again and again. The shop is never restarted; requests are
// refused with a time to try again, or wait, but never for ever.
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { startShop } from '../running-shop.ts'
import { createRandom } from './random.ts'
import { openSale } from './sale.ts'
import type { Findings, ScenarioOptions } from './scenario.ts'

export type Outage = {
  /** What the shop connects to. */
  databaseUrl: string
  /** Another way to the same database, which the outage does not touch. */
  auditUrl: string
  /** Resolves when the outage has begun: with what ends it. */
  begin(round: number): Promise<() => void | Promise<void>>
  seconds: number
  /** Until it has to sell again. */
  maxSeconds: number
  /** PostgreSQL notices only after ten minutes that connections were lost. */
  leavesConnections?: boolean
}

/** As docs/operations.md says it. */
const maxWaitMs = 25_000
const maxConnections = 21
/** Of the shop: its connections to the database, and what it listens on. */
const socketLimit = maxConnections + 5
/** Until idle connections of buyers are closed. */
const untilSweptMs = 15_000

export async function tortureOutage(options: ScenarioOptions, outage: Outage): Promise<Findings> {
  const { dataDir, buyers, rounds, seed } = options
  await using shop = await startShop(dataDir, { env: { DATABASE_URL: outage.databaseUrl } })
  await using database = openDatabase(outage.auditUrl, { max: 1 })
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const random = createRandom(seed)
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await sleep(random.between(1_000, 3_000))
    const end = await outage.begin(round)
    await sleep(outage.seconds * 1_000)
    const sold = sale.untilSold()
    await end()
    const ms = await sold
    recoveries.push(ms)
    console.log(`${String(round).padStart(3)}  ${outage.seconds} s, sold again after ${ms} ms`)
  }
  await sale.finish()
  await sleep(untilSweptMs)
  const connections = await countConnections(database)
  const sockets = countSockets(shop.pid())
  const tooMany = outage.leavesConnections ? 0 : Math.max(0, connections - maxConnections)
  const stopping = Date.now()
  const exitCode = await shop.stop()
  const stopMs = Date.now() - stopping
  const found = await sale.audit(database, [200, 201, 503])
  const { maxMs, withoutRetryAfter } = sale.crowd
  return {
    ...found,
    recoveries,
    figures: {
      ...found.figures,
      'milliseconds that the slowest request took': maxMs,
      'connections to the database afterwards': connections,
      'sockets of the shop afterwards': sockets,
      'milliseconds until the shop was closed': stopMs,
    },
    violations: {
      ...found.violations,
      'refusals that did not say when to try again': withoutRetryAfter,
      [`milliseconds that a request took over ${maxWaitMs}`]: Math.max(0, maxMs - maxWaitMs),
      [`rounds that did not sell within ${outage.maxSeconds} s`]: recoveries.filter(
        (ms) => ms > outage.maxSeconds * 1_000,
      ).length,
      [`connections to the database over ${maxConnections}`]: tooMany,
      [`sockets of the shop over ${socketLimit}`]: Math.max(0, sockets - socketLimit),
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

async function countConnections({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) from pg_stat_activity where application_name like 'lectern%' and pid <> pg_backend_pid()`,
  )
  return rows[0]!.count
}

function countSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((fd) => isSocket(join(folder, fd))).length
}

/** One that was closed in the meantime is none. */
function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:')
  } catch {
    return false
  }
}
