// One shop behind Caddy, on a socket that another process holds, is stopped and started again while visitors read, sign in
// and buy. No request may fail.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCaddyUrl, hasCaddy, openCaddy } from '../../caddy.ts'
import { startHeldShop } from '../../held-socket.ts'
import { withDatabase } from '../killed-command.ts'
import { createRandom } from '../random.ts'
import { openSale } from '../sale.ts'
import { auditStatuses, type Findings, type Scenario, type ScenarioOptions } from '../scenario.ts'
import { sendVisitors } from '../visitors.ts'

const visitorCount = 4

export const scenario: Scenario = {
  fault: 'one shop behind Caddy stopped and started, its socket held',
  rounds: 10,
  buyers: 8,
  needs: hasCaddy ? '' : 'Caddy: apt-get install caddy',
  run: restartShop,
}

async function restartShop({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const url = await findCaddyUrl()
  // As deploy/lectern.service has it.
  const env = { SITE_URL: url, TRUST_PROXY: '1', DRAIN_SECONDS: '2' }
  const shop = await startHeldShop(dataDir, { env })
  const caddy = await openCaddy(join(dataDir, 'caddy'), { url, shop: new URL(shop.url).host })
  const sale = await openSale({ url, buyers, seed, dataDir })
  const visitors = sendVisitors(url, visitorCount, createRandom(seed + 1))
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(2_000)
    const since = Date.now()
    await shop.stop()
    const stopped = Date.now()
    shop.start()
    recoveries.push(await sale.untilSold(stopped))
    console.log(
      `${String(round).padStart(3)}  stopped in ${stopped - since} ms, sold again after ${recoveries.at(-1)} ms more`,
    )
  }
  await visitors.finish()
  await sale.finish()
  await caddy[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
  return await withDatabase(dataDir, async (database) => {
    const found = await sale.audit(database, [200, 201])
    const pages = auditStatuses(visitors.statuses, [200], 'pages and sign-ins that failed')
    const calls = [...sale.crowd.statuses.values()].reduce((sum, count) => sum + count, 0)
    return {
      ...found,
      recoveries,
      figures: { ...found.figures, 'calls of buyers': calls, 'slowest call in ms': sale.crowd.maxMs },
      violations: { ...found.violations, ...pages.violations },
    }
  })
}
