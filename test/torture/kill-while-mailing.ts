// A shop that is killed while it mails many readers, and started again: each gets the email, and twice at most as many as
// were in flight.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { addOwners } from '../add-owners.ts'
import { memoryOf } from '../memory-of.ts'
import { startShop, type RunningShop, type Victim } from '../running-shop.ts'
import { openCountingSmtp } from './counting-smtp.ts'
import { withDatabase } from './killed-command.ts'
import { signIn } from './press-and-kill.ts'
import { createRandom } from './random.ts'
import type { Findings, ScenarioOptions } from './scenario.ts'

const victims: readonly Victim[] = ['the server', 'PostgreSQL', 'both']
const timeoutMs = 1_800_000

type Headers = Record<string, string>

export type BulkMails = {
  /** Gives the id that `start` is called with. */
  prepare: (pool: Pool, product_id: string) => Promise<string>

  start: (shop: RunningShop, id: string, headers: Headers) => Promise<Response>
  /** Of rows without an outcome. */
  unfinished: string
}

export async function killWhileMailing(
  { dataDir, buyers, rounds, seed }: ScenarioOptions,
  { prepare, start, unfinished }: BulkMails,
): Promise<Findings> {
  const random = createRandom(seed)
  await using smtp = await openCountingSmtp('owner-')
  const env = { SMTP_URL: smtp.url }
  await (await startShop(dataDir, { env })).stop()
  const id = await withDatabase(dataDir, async ({ pool }) => prepare(pool, await addOwners(pool, buyers)))
  await using shop = await startShop(dataDir, { env })
  const token = await signIn(shop)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const idle = await warmUp(shop, headers)
  const since = Date.now()
  const begun = await start(shop, id, headers)
  if (!begun.ok) throw new Error(`the emails were refused with ${begun.status}`)
  const recoveries: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(random.between(500, 4_000))
    const victim = random.of(victims)
    recoveries.push(await shop.kill(victim, random))
    console.log(`${String(round).padStart(3)}  killed ${victim}, ${smtp.counts.size} emails so far`)
  }
  let most = 0
  while (smtp.counts.size < buyers && Date.now() - since < timeoutMs) {
    most = Math.max(most, memoryOf(shop.pid()))
    await sleep(200)
  }
  const seconds = Math.round((Date.now() - since) / 1000)
  // One that was in flight is sent again when its heartbeat is missed.
  await sleep(20_000)
  const exitCode = await shop.stop()
  const extra = smtp.extra()
  const left = await count(dataDir, unfinished)
  return {
    acknowledged: buyers,
    lost: buyers - smtp.counts.size,
    doubled: Math.max(0, extra - rounds),
    recoveries,
    figures: {
      'emails that were in flight and came twice': extra,
      'seconds to the last email': seconds,
      'MB above a warm idle process at most': Math.max(0, most - idle),
    },
    violations: {
      'owners whose email has no outcome': left,
      'emails of one owner under two Message-IDs': smtp.twins(),
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

/** What the process holds once it has responded for a while: V8 keeps what it once took from the system. */
async function warmUp(shop: RunningShop, headers: Record<string, string>): Promise<number> {
  for (let nth = 0; nth < 1_000; nth += 1)
    await (await fetch(`${shop.url}/api/admin/purchases`, { headers })).arrayBuffer()
  return memoryOf(shop.pid())
}

function count(dataDir: string, query: string): Promise<number> {
  return withDatabase(dataDir, async ({ pool }) => {
    const { rows } = await pool.query<{ count: number }>(query)
    return rows[0]!.count
  })
}
