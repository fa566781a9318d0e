// The shop is stopped and backed up, and the restore is killed. Then either the shop is started, or the restore is run
// again: nothing may be missing in both cases.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../find-free-port.ts'
import { startShop } from '../../running-shop.ts'
import { addMessages, killCommand, runBackup, runCommand, withDatabase } from '../killed-command.ts'
import { createRandom } from '../random.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const messageCount = 30_000

export const scenario: Scenario = {
  fault: 'killed in the middle of a restore',
  rounds: 6,
  buyers: 8,
  run: killRestores,
}

async function killRestores({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const port = await findFreePort()
  const start = () => startShop(dataDir, { port })
  const restore = ['restore', join(dataDir, 'backups'), '--yes']
  let shop = await start()
  await addMessages(dataDir, messageCount)
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const random = createRandom(seed)
  const recoveries: number[] = []
  let [maxMs, killed, failed] = [0, 0, 0]
  for (let round = 0; round <= rounds; round++) {
    await sleep(2_000)
    await shop.stop()
    await runBackup(dataDir)
    const since = Date.now()
    // The first is not killed: it says how long one takes.
    if (round === 0) maxMs = await runCommand(dataDir, ...restore)
    else if (await killCommand({ dataDir, random, maxMs }, restore)) killed += 1
    const isRepeated = round > 0 && random.of([true, false])
    if (isRepeated) {
      await runCommand(dataDir, ...restore).catch((error: unknown) => {
        failed += 1
        console.log(String(error))
      })
    }
    shop = await start()
    const ms = await sale.untilSold(since)
    if (round > 0) recoveries.push(ms)
    console.log(
      `${String(round).padStart(3)}  ${isRepeated ? 'restored again, ' : ''}sold again after ${ms} ms`,
    )
  }
  await sale.finish()
  const exitCode = await shop.stop()
  await runBackup(dataDir)
  await runCommand(dataDir, ...restore)
  return await withDatabase(dataDir, async (database) => {
    const found = await sale.audit(database, [0, 200, 201, 401, 503])
    const messages = await database.pool.query('select from contact_messages')
    const scratch = await database.pool.query(`select from pg_database where datname like '%\\_restored\\_%'`)
    // Those that were due when the backup was made are not sent after the restore.
    const { 'purchases without a receipt': unsent = 0, ...violations } = found.violations
    return {
      ...found,
      recoveries,
      figures: {
        ...found.figures,
        'receipts that were due before a restore': unsent,
        'restores killed half-way': killed,
        'milliseconds of a restore': maxMs,
      },
      violations: {
        ...violations,
        'restores afterwards that failed': failed,
        'messages lost or doubled': Math.abs((messages.rowCount ?? 0) - messageCount),
        'databases left of killed restores': scratch.rowCount ?? 0,
        'exit code after SIGTERM': exitCode ?? 1,
      },
    }
  })
}
