// A backup is killed while the shop sells: the one of `lectern backup`, or the one of the shop together with the shop.
import { setTimeout as sleep } from 'node:timers/promises'
import { startShop, victims } from '../../running-shop.ts'
import { inspectBackups } from '../inspect-backups.ts'
import { addMessages, killCommand, runBackup, withDatabase } from '../killed-command.ts'
import { createRandom } from '../random.ts'
import { openSale } from '../sale.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

const messageCount = 50_000

export const scenario: Scenario = {
  fault: 'killed in the middle of a backup',
  rounds: 8,
  buyers: 8,
  run: killBackups,
}

async function killBackups({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  await using shop = await startShop(dataDir)
  await addMessages(dataDir, messageCount)
  const maxMs = await runBackup(dataDir)
  const sale = await openSale({ url: shop.url, buyers, seed, dataDir })
  const random = createRandom(seed)
  const recoveries: number[] = []
  const found = { killed: 0, broken: 0, failed: 0, unneeded: 0 }
  for (let round = 1; round <= rounds; round++) {
    const isShell = random.of([true, false])
    const since = Date.now()
    if (isShell) {
      const isKilled = await killCommand({ dataDir, random, maxMs }, ['backup'])
      if (isKilled) found.killed += 1
      // Until what PostgreSQL had done before it was killed has reached the buyers.
      await sleep(500)
    } else {
      const { status } = await sale.crowd.ask(sale.crowd.author, '/api/admin/backups', { kind: 'backup' })
      await sleep(random.between(0, maxMs))
      if (status === 202) found.killed += 1
      await shop.kill(random.of(victims), random)
    }
    const ms = await sale.untilSold(since)
    recoveries.push(ms)
    found.broken += (await inspectBackups(dataDir)).broken
    await runBackup(dataDir).catch((error: unknown) => {
      found.failed += 1
      console.log(String(error))
    })
    const after = await inspectBackups(dataDir)
    found.broken += after.broken
    found.unneeded += after.unneeded
    console.log(
      `${String(round).padStart(3)}  ${isShell ? 'lectern backup' : 'the shop'}, sold again after ${ms} ms, ${after.listed} backups`,
    )
  }
  await sale.finish()
  const exitCode = await shop.stop()
  const audited = await withDatabase(dataDir, (database) =>
    sale.audit(database, [0, 200, 201, 202, 401, 409, 503]),
  )
  return {
    ...audited,
    recoveries,
    figures: {
      ...audited.figures,
      'backups killed half-way': found.killed,
      'milliseconds of a backup': maxMs,
    },
    violations: {
      ...audited.violations,
      'backups listed that are not whole': found.broken,
      'backups afterwards that failed': found.failed,
      'files left that no backup needs': found.unneeded,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}
