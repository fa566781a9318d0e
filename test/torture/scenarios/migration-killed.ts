// Each round brings a new version, which is killed while it backs the data up and migrates them, and started again.
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../find-free-port.ts'
import { startShop } from '../../running-shop.ts'
import { inspectBackups } from '../inspect-backups.ts'
import { addMessages, killCommand, withDatabase } from '../killed-command.ts'
import { buildNextVersion } from '../next-version.ts'
import { createRandom } from '../random.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const messageCount = 30_000

export const scenario: Scenario = {
  fault: 'killed in the middle of an upgrade',
  rounds: 6,
  buyers: 8,
  run: killMigrations,
}

async function killMigrations({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const port = await findFreePort()
  let shop = await startShop(dataDir, { port })
  await addMessages(dataDir, messageCount)
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const random = createRandom(seed)
  const recoveries: number[] = []
  let [maxMs, killed] = [0, 0]
  for (let round = 0; round <= rounds; round++) {
    const root = await buildNextVersion(dataDir, round + 1)
    await sleep(2_000)
    await shop.stop()
    const since = Date.now()
    // The first is not killed: it says how long an upgrade takes.
    if (round > 0) {
      const env = { PORT: String(port), RATE_LIMIT: 'off', SITE_URL: shop.url }
      if (await killCommand({ dataDir, random, maxMs }, ['start'], { root, env })) killed += 1
    }
    shop = await startShop(dataDir, { port, root })
    if (round === 0) maxMs = Date.now() - since
    const ms = await sale.untilSold(since)
    if (round > 0) recoveries.push(ms)
    console.log(`${String(round).padStart(3)}  sold again after ${ms} ms`)
  }
  await sale.finish()
  const exitCode = await shop.stop()
  const backups = await inspectBackups(dataDir)
  return await withDatabase(dataDir, async (database) => {
    const found = await sale.audit(database, [0, 200, 201, 401, 503])
    const messages = await database.pool.query('select from contact_messages')
    const migrated = await database.pool.query(
      `select from pg_tables where schemaname = 'public' and tablename like 'next\\_%'`,
    )
    return {
      ...found,
      recoveries,
      figures: {
        ...found.figures,
        'upgrades killed half-way': killed,
        'milliseconds of an upgrade': maxMs,
        'backups made by them': backups.listed,
      },
      violations: {
        ...found.violations,
        'backups listed that are not whole': backups.broken,
        'versions whose migration did not run': Math.abs(rounds + 1 - (migrated.rowCount ?? 0)),
        'messages lost or doubled': Math.abs((messages.rowCount ?? 0) - messageCount),
        'exit code after SIGTERM': exitCode ?? 1,
      },
    }
  })
}
