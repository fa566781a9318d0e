// `npm run torture`: people buy while the server and its database are killed with SIGKILL, again and again. Nothing that
// was acknowledged may be lost or doubled, and every purchase gets its receipt. Options: --rounds 20 --seed 1 --buyers 8
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '#server/site/build.ts'
import { audit, collectReceipts } from './torture/audit.ts'
import { sendBuyers } from './torture/buyers.ts'
import { createRandom } from './torture/random.ts'
import { startShop, victims } from './torture/running-shop.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    buyers: { type: 'string', default: '8' },
  },
})
const seed = Number(values.seed)
// Of its own, so that one seed always kills the same at the same moments, however the buyers come to their turn.
const random = createRandom(seed)
const rounds = Number(values.rounds)
const dataDir = await mkdtemp(join(tmpdir(), 'lectern-torture-'))
console.log(`--rounds ${rounds} --seed ${seed} --buyers ${values.buyers} in ${dataDir}`)

ensureBuilt()
const shop = await startShop(dataDir)
const buyers = await sendBuyers(shop.url, Number(values.buyers), createRandom(seed + 1))
const recoveries: number[] = []
for (let round = 1; round <= rounds; round++) {
  await sleep(random.between(300, 2_500))
  const victim = random.of(victims)
  const ms = await shop.kill(victim, random)
  recoveries.push(ms)
  console.log(`${String(round).padStart(3)}  killed ${victim}, ready again after ${ms} ms`)
}
await sleep(1_000)
await buyers.goHome()

const { ledger } = buyers
const receipts = await collectReceipts(dataDir, ledger)
const exitCode = await shop.stop()
const { figures, violations } = await audit(dataDir, ledger, receipts)
figures['median milliseconds until ready again'] = recoveries.toSorted((a, b) => a - b)[rounds >> 1] ?? 0
figures['most milliseconds until ready again'] = Math.max(0, ...recoveries)
for (const [status, count] of [...ledger.statuses].toSorted(([a], [b]) => a - b)) {
  figures[status === 0 ? 'connections that broke' : `answers with status ${status}`] = count
}
const patient = new Set([0, 200, 201, 401, 503])
const wrong = [...ledger.statuses].filter(([status]) => !patient.has(status))
violations['answers that neither sell nor ask for patience'] = wrong.reduce(
  (sum, [, count]) => sum + count,
  0,
)
violations['exit code after SIGTERM'] = exitCode ?? 1

print('Figures', figures)
print('Must be 0', violations)
const isGood = Object.values(violations).every((count) => count === 0)
if (isGood) await rm(dataDir, { recursive: true })
else console.log(`\nLeft for a look: ${dataDir}`)
process.exit(isGood ? 0 : 1)

function print(title: string, numbers: Record<string, number>) {
  console.log(`\n${title}`)
  for (const [name, number] of Object.entries(numbers)) console.log(`${String(number).padStart(8)}  ${name}`)
}
