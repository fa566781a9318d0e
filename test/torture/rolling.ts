// Two shops behind nginx are restarted in turn with SIGTERM, while visitors read, sign in and buy. No request may fail.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#features/products/contract/products.ts'
import { openDatabase } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { findFreePort } from '../find-free-port.ts'
import { openNginx } from '../nginx.ts'
import { startShop } from '../running-shop.ts'
import { sendBuyers } from './buyers.ts'
import { gatherCrowd } from './crowd.ts'
import { auditPurchases } from './free-trial.ts'
import { createRandom } from './random.ts'
import { collectReceipts } from './receipts.ts'
import { auditStatuses, type Findings, type TrialOptions } from './trial.ts'
import { sendVisitors } from './visitors.ts'

const visitorCount = 4
/** nginx asks a shop that has refused a connection again after its `fail_timeout`, one second. */
const pauseMs = 5_000

export async function rollShops({ dataDir, buyers: count, rounds, seed }: TrialOptions): Promise<Findings> {
  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  const ports = [await findFreePort(), await findFreePort()] as const
  await using nginx = await openNginx(join(dataDir, 'nginx'), [
    `127.0.0.1:${ports[0]}`,
    `127.0.0.1:${ports[1]}`,
  ])
  const { url } = nginx
  const env = { DATABASE_URL: postgres.url, SITE_URL: url, TRUST_PROXY: '1', DRAIN_SECONDS: '1' }
  const start = (port: number) => startShop(dataDir, { env, port })
  const shops = await Promise.all(ports.map(start))

  const crowd = await gatherCrowd(url, count)
  const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
  const buyers = sendBuyers(crowd, products, createRandom(seed + 1))
  const visitors = sendVisitors(url, visitorCount, createRandom(seed + 2))
  let failedExits = 0
  for (let round = 0; round < rounds; round++) {
    await sleep(pauseMs)
    const at = round % shops.length
    const since = Date.now()
    if ((await shops[at]!.stop()) !== 0) failedExits += 1
    const stopped = Date.now()
    shops[at] = await start(ports[at]!)
    const [stopMs, startMs] = [stopped - since, Date.now() - stopped]
    console.log(
      `${String(round + 1).padStart(3)}  stopped in ${stopMs} ms, ready again after ${startMs} ms more`,
    )
  }
  await buyers.finish()
  await visitors.finish()
  const receipts = await collectReceipts(
    dataDir,
    [...buyers.ledger.acknowledged.values()].map(({ id }) => id),
  )
  await Promise.all(shops.map((shop) => shop.stop()))

  await using database = openDatabase(postgres.url)
  const found = await auditPurchases(database, buyers.ledger, receipts)
  const responses = auditStatuses(
    [...crowd.statuses, ...visitors.statuses],
    [200, 201],
    'requests that failed',
  )
  return {
    figures: {
      ...found.figures,
      'calls of buyers': sum(crowd.statuses.values()),
      'pages and sign-ins of visitors': sum(visitors.statuses.values()),
      ...responses.figures,
    },
    violations: {
      ...responses.violations,
      ...found.violations,
      'shops that did not exit with 0': failedExits,
    },
  }
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0)
}
