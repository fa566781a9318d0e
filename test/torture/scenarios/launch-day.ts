// The day of a launch: two shops on one PostgreSQL behind nginx get 167 page views and 8.3 orders a second, as 100,000 and
// 5,000 in ten minutes would be. A round is one minute. 100 buyers bring that rate, 25 a quarter of it, 200 twice as much.
import { availableParallelism, loadavg } from 'node:os'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#contract/catalog/products.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { findFreePort } from '../../find-free-port.ts'
import { hasNginx, openNginx } from '../../nginx.ts'
import { startShop } from '../../running-shop.ts'
import type { Ledger } from '../buyers.ts'
import { gatherCrowd } from '../crowd.ts'
import { receiveVisitors } from '../launch-visitors.ts'
import { cpuSeconds } from '../process-tree.ts'
import { createRandom } from '../random.ts'
import { collectReceipts } from '../receipts.ts'
import { auditPurchases } from '../sale.ts'
import { auditStatuses, type Findings, type Scenario, type ScenarioOptions } from '../scenario.ts'
import { metricsToken, readMetrics, watchPools } from '../shop-metrics.ts'
import { createTimings, type Timings } from '../timings.ts'

const secondsOfRound = 60
const buyersOfWholeRate = 100
/** For so long a shop repeats what it has read from the database for GET /metrics. */
const metricsCachedMs = 10_000

const kinds = ['page', 'file', 'sign-in', 'order', 'list of own orders']

export const scenario: Scenario = {
  fault: 'launch day at two shops behind nginx',
  rounds: 2,
  buyers: 25,
  needs: hasNginx ? '' : 'nginx: apt-get install nginx-light',
  run: launch,
}

async function launch({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  const ports = [await findFreePort(), await findFreePort()] as const
  const addresses = ports.map((port) => `127.0.0.1:${port}`) as [string, string]
  await using nginx = await openNginx(join(dataDir, 'nginx'), addresses)
  const { url } = nginx
  const env = { DATABASE_URL: postgres.url, SITE_URL: url, TRUST_PROXY: '1', METRICS_TOKEN: metricsToken }
  const shops = await Promise.all(ports.map((port) => startShop(dataDir, { env, port })))
  const { people } = await gatherCrowd(url, buyers)
  const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]

  const processes = {
    nginx: [nginx.pid],
    shops: shops.map((shop) => shop.pid()),
    PostgreSQL: [postmaster(dataDir)],
  }
  const ledger: Ledger = { asked: new Map(), acknowledged: new Map(), contradicted: [] }
  const all: Timings[] = []
  const times = buyers / buyersOfWholeRate
  const random = createRandom(seed + 1)
  const before = await readAll(shops)
  const pools = watchPools(shops.map((shop) => shop.url))
  for (let round = 1; round <= rounds; round++) {
    const timings = createTimings()
    all.push(timings)
    const cpu = watchCpu(processes)
    await receiveVisitors({ url, people, products, random, timings, ledger }, times, secondsOfRound)
    console.log(
      `${String(round).padStart(3)}  ${times} × the rate of the launch day${describe(timings, cpu())}`,
    )
  }
  const pool = await pools.finish()
  const promised = [...ledger.acknowledged.values()].map(({ id }) => id)
  const receipts = await collectReceipts(dataDir, promised)
  await sleep(metricsCachedMs)
  const after = await readAll(shops)
  await Promise.all(shops.map((shop) => shop.stop()))
  await using database = openDatabase(postgres.url)
  const found = await auditPurchases(database, ledger, receipts)
  const statuses = all.flatMap(({ statuses: counts }) => Array.from(counts))
  const responses = auditStatuses(statuses, [200, 201], 'requests that failed')
  const counted = {
    requests: statuses.reduce((sum, [, count]) => sum + count, 0),
    orders: ledger.acknowledged.size,
    receipts: [...receipts.values()].reduce((sum, count) => sum + count, 0),
  }
  return {
    ...found,
    recoveries: [],
    figures: {
      ...found.figures,
      ...responses.figures,
      'bytes an order takes, with its email, job and session': Math.round(
        (await bytesOfOrders(database)) / counted.orders,
      ),
      'connections of one pool in use, at most (of 16)': pool.maxBusy,
      'requests that waited for a connection, at most': pool.maxQueued,
      'milliseconds that an event loop was late, p99 of the worst second': Math.round(pool.worstLagMs),
    },
    violations: {
      ...found.violations,
      ...responses.violations,
      'requests that /metrics counts otherwise': Math.abs(
        after.requests - before.requests - counted.requests,
      ),
      'orders that /metrics counts otherwise': Math.abs(after.orders - before.orders - counted.orders),
      'orders of its database that /metrics counts otherwise': Math.abs(
        after.stored - before.stored - counted.orders,
      ),
      'receipts that /metrics counts otherwise': Math.abs(after.mails - before.mails - counted.receipts),
    },
  }
}

function postmaster(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
}

/** Rows and indexes of the tables that grow by an order. */
async function bytesOfOrders({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(name::regclass))::float8 as bytes
     from unnest(array['purchases', 'mails', 'pgboss.job_common', 'auth.sessions']) as name`,
  )
  return rows[0]!.bytes
}

async function readAll(shops: readonly { url: string }[]) {
  const metrics = await Promise.all(shops.map((shop) => readMetrics(shop.url)))
  const sum = (name: string, labels?: Record<string, string>) =>
    metrics.reduce((total, each) => total + each.sum(name, labels), 0)
  const requests = (labels?: Record<string, string>) =>
    sum('lectern_http_request_duration_seconds_count', labels)
  return {
    requests: requests() - requests({ route: '/metrics' }),
    orders: requests({ method: 'POST', route: '/api/purchases', status: '2xx' }),
    mails: sum('lectern_mails_total', { result: 'sent' }),
    // The same from each shop.
    stored: metrics[0]!.sum('lectern_purchases', { status: 'completed' }),
  }
}

/** Returns a function that says how much of one core each part has used since. */
function watchCpu(parts: Record<string, readonly number[]>): () => Record<string, number> {
  const since = performance.now()
  const used = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const own = process.cpuUsage()
  const before = Object.entries(parts).map(([name, pids]) => [name, pids, used(pids)] as const)
  return () => {
    const seconds = (performance.now() - since) / 1000
    const { user, system } = process.cpuUsage(own)
    return {
      ...Object.fromEntries(before.map(([name, pids, start]) => [name, (used(pids) - start) / seconds])),
      'the visitors': (user + system) / 1e6 / seconds,
    }
  }
}

function describe(timings: Timings, cpu: Record<string, number>): string {
  const lines = kinds.map((kind) => {
    const [p50, p99] = [0.5, 0.99].map((share) => timings.percentile(kind, share).toFixed(0))
    return `${String(timings.count(kind)).padStart(11)} × ${kind}: p50 ${p50} ms, p99 ${p99} ms`
  })
  const used = Object.entries(cpu).map(([name, cores]) => `${name} ${cores.toFixed(2)}`)
  const machine = `, load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`
  return [machine, ...lines, `     cores used: ${used.join(', ')}`].join('\n')
}
