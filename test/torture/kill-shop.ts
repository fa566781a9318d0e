// A shop whose processes are killed with SIGKILL, again and again, at moments that the seed decides.
import { setTimeout as sleep } from 'node:timers/promises'
import { startShop, type Victim } from '../running-shop.ts'
import { createRandom } from './random.ts'
import type { Findings, ScenarioOptions } from './scenario.ts'
import type { Trial } from './trial.ts'

export async function killShop(
  { dataDir, rounds, seed }: ScenarioOptions,
  opened: Trial,
  victims: readonly Victim[],
): Promise<Findings> {
  // Of its own, so that one seed always kills the same at the same moments, however the buyers come to their turn.
  const random = createRandom(seed)
  await using trial = opened
  await using shop = await startShop(dataDir, { env: trial.env })
  await trial.begin(shop)
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await sleep(random.between(300, 2_500))
    const victim = random.of(victims)
    const since = Date.now()
    await shop.kill(victim, random)
    const ms = await trial.untilSold(since)
    recoveries.push(ms)
    console.log(`${String(round).padStart(3)}  killed ${victim}, sold again after ${ms} ms`)
  }
  await sleep(1_000)
  await trial.end(shop)
  const exitCode = await shop.stop()
  const found = await trial.audit()
  const violations = { ...found.violations, 'exit code after SIGTERM': exitCode ?? 1 }
  return { ...found, violations, recoveries }
}
