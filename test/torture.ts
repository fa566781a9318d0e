// `npm run torture`: people buy while the server and its database are killed with SIGKILL, again and again. Nothing that
// was acknowledged may be lost or doubled, every purchase gets its receipt, and the admin area's sums are right to the cent.
// With --payments they pay, at a Stripe that fails and whose webhooks are lost, repeated and late.
// With --rolling two shops behind nginx are restarted in turn instead, and no request may fail.
// With --failover the database is a primary with a synchronous standby, which is promoted when the primary is killed.
// Options: --rounds 20 --seed 1 --buyers 8 (500 with --payments)
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '#tools/build.ts'
import { hasDebianPostgres } from './debian-postgres.ts'
import { forgetEnvironment } from './environment.ts'
import { failOver } from './torture/failover.ts'
import { openFreeTrial } from './torture/free-trial.ts'
import { openPaidTrial } from './torture/paid-trial.ts'
import { createRandom } from './torture/random.ts'
import { rollShops } from './torture/rolling.ts'
import type { Findings, TrialOptions } from './torture/trial.ts'
import { hasNginx } from './nginx.ts'
import { startShop, victims } from './running-shop.ts'
import { endChildrenOnSignals } from './start-process.ts'

forgetEnvironment()
endChildrenOnSignals()
const { values } = parseArgs({
  options: {
    payments: { type: 'boolean', default: false },
    rolling: { type: 'boolean', default: false },
    failover: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    buyers: { type: 'string' },
  },
})
const seed = Number(values.seed)
const rounds = Number(values.rounds)
const buyers = Number(values.buyers ?? (values.payments ? 500 : 8))
const dataDir = await mkdtemp(join(tmpdir(), 'lectern-torture-'))
const kind = (['payments', 'rolling', 'failover'] as const).find((name) => values[name])
console.log(`${kind ? `--${kind} ` : ''}--rounds ${rounds} --seed ${seed} --buyers ${buyers} in ${dataDir}`)

if (values.rolling && !hasNginx) refuse('--rolling needs nginx: apt-get install nginx-light')
if (values.failover && !hasDebianPostgres)
  refuse('--failover needs PostgreSQL 15: apt-get install postgresql')
ensureBuilt()
const torment = values.rolling ? rollShops : values.failover ? failOver : killShop
const { figures, violations } = await torment({ dataDir, buyers, rounds, seed })
print('Figures', figures)
print('Must be 0', violations)
const isGood = Object.values(violations).every((count) => count === 0)
if (isGood) await rm(dataDir, { recursive: true })
else console.log(`\nLeft for a look: ${dataDir}`)
process.exit(isGood ? 0 : 1)

function refuse(reason: string): never {
  console.error(reason)
  process.exit(1)
}

async function killShop(options: TrialOptions): Promise<Findings> {
  // Of its own, so that one seed always kills the same at the same moments, however the buyers come to their turn.
  const random = createRandom(seed)
  const trial = values.payments ? await openPaidTrial(options) : openFreeTrial(options)
  const shop = await startShop(dataDir, { env: trial.env })
  await trial.begin(shop)
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await sleep(random.between(300, 2_500))
    const victim = random.of(victims)
    const ms = await shop.kill(victim, random)
    recoveries.push(ms)
    console.log(`${String(round).padStart(3)}  killed ${victim}, ready again after ${ms} ms`)
  }
  await sleep(1_000)
  await trial.end(shop)
  const exitCode = await shop.stop()
  const { figures, violations } = await trial.audit()
  await trial[Symbol.asyncDispose]()
  figures['median milliseconds until ready again'] = recoveries.toSorted((a, b) => a - b)[rounds >> 1] ?? 0
  figures['most milliseconds until ready again'] = Math.max(0, ...recoveries)
  violations['exit code after SIGTERM'] = exitCode ?? 1
  return { figures, violations }
}

function print(title: string, numbers: Record<string, number>) {
  console.log(`\n${title}`)
  for (const [name, number] of Object.entries(numbers)) console.log(`${String(number).padStart(8)}  ${name}`)
}
