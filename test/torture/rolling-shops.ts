// Two shops behind nginx, on one PostgreSQL, that are stopped with SIGTERM and started again in turn, while visitors read,
// sign in and buy. No request may fail.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { findFreePort } from '../find-free-port.ts'
import { openNginx } from '../nginx.ts'
import { startShop, type RunningShop } from '../running-shop.ts'
import { createRandom } from './random.ts'
import { openSale } from './sale.ts'
import { auditStatuses, type Findings, type ScenarioOptions } from './scenario.ts'
import { sendVisitors } from './visitors.ts'

const visitorCount = 4
/** nginx asks a shop that has refused a connection again after its `fail_timeout`, one second. */
const pauseMs = 5_000

/** `rootOf` names the folder whose `dist` a round starts; counted from 0. `inspect` returns what must be 0. */
export async function rollShops(
  { dataDir, buyers, rounds, seed }: ScenarioOptions,
  rootOf: (round: number) => Promise<string | undefined> = () => Promise.resolve(undefined),
  inspect: (database: Pick<Database, 'pool'>) => Promise<Record<string, number>> = () => Promise.resolve({}),
): Promise<Findings> {
  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  const ports = [await findFreePort(), await findFreePort()] as const
  await using nginx = await openNginx(join(dataDir, 'nginx'), [
    `127.0.0.1:${ports[0]}`,
    `127.0.0.1:${ports[1]}`,
  ])
  const { url } = nginx
  const env = { DATABASE_URL: postgres.url, SITE_URL: url, TRUST_PROXY: '1', DRAIN_SECONDS: '2' }
  const shops = await Promise.all(ports.map((port) => startShop(dataDir, { env, port })))

  const sale = await openSale({ url, buyers, seed, dataDir })
  const visitors = sendVisitors(url, visitorCount, createRandom(seed + 2))
  let failedExits = 0
  for (let round = 0; round < rounds; round++) {
    const root = await rootOf(round)
    await sleep(pauseMs)
    const at = round % shops.length
    const since = Date.now()
    if ((await shops[at]!.stop()) !== 0) failedExits += 1
    const stopped = Date.now()
    shops[at] = await startShop(dataDir, { env, port: ports[at], ...(root && { root }) })
    const [stopMs, startMs] = [stopped - since, Date.now() - stopped]
    console.log(
      `${String(round + 1).padStart(3)}  stopped in ${stopMs} ms, ready again after ${startMs} ms more`,
    )
  }
  await visitors.finish()
  await sale.finish()
  await stopAll(shops)

  await using database = openDatabase(postgres.url)
  const found = await sale.audit(database, [200, 201])
  const pages = auditStatuses(visitors.statuses, [200], 'pages and sign-ins that failed')
  return {
    ...found,
    recoveries: [],
    figures: {
      ...found.figures,
      'calls of buyers': sum(sale.crowd.statuses.values()),
      'pages and sign-ins of visitors': sum(visitors.statuses.values()),
    },
    violations: {
      ...found.violations,
      ...pages.violations,
      ...(await inspect(database)),
      'shops that did not exit with 0': failedExits,
    },
  }
}

async function stopAll(shops: readonly RunningShop[]): Promise<void> {
  await Promise.all(shops.map((shop) => shop.stop()))
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0)
}
