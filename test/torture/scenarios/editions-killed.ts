// The shop is killed while it tells the owners of a new edition, and started again. Each owner gets the email, and twice at
// most as many as were in flight when it was killed.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '../../memory-of.ts'
import { admin, startShop, type RunningShop, type Victim } from '../../running-shop.ts'
import { openCountingSmtp } from '../counting-smtp.ts'
import { withDatabase } from '../killed-command.ts'
import { createRandom } from '../random.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'killed while the owners of an edition are told',
  rounds: 4,
  buyers: 300,
  run,
}

const victims: readonly Victim[] = ['the server', 'PostgreSQL', 'both']
const timeoutMs = 1_800_000
const perHour = 100_000

async function run({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const random = createRandom(seed)
  await using smtp = await openCountingSmtp('owner-')
  const env = { SMTP_URL: smtp.url }
  await (await startShop(dataDir, { env })).stop()
  const file_id = await addOwners(dataDir, buyers)
  await using shop = await startShop(dataDir, { env })
  const token = await signIn(shop)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const idle = await warmUp(shop, headers)
  const path = `${shop.url}/api/admin/editions/${file_id}/announcement`
  const since = Date.now()
  const begun = await fetch(path, { method: 'PUT', headers, body: JSON.stringify({ changes: '' }) })
  if (!begun.ok) throw new Error(`the announcement was refused with ${begun.status}`)
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
  const unfinished = await countUnfinished(dataDir)
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
      'owners whose email has no outcome': unfinished,
      'emails of one owner under two Message-IDs': smtp.twins(),
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

/** The id of the second edition of the first digital product, which `count` accounts have bought. */
function addOwners(dataDir: string, count: number): Promise<string> {
  const file_id = randomUUID()
  return withDatabase(dataDir, async ({ pool }) => {
    await pool.query(
      `with made as (
         insert into auth.users (id, email, email_confirmed_at)
         select gen_random_uuid(), 'owner-' || n || '@example.com', now() from generate_series(1, $1) n returning id, email),
       named as (
         insert into profiles (user_id, email) select id, email from made returning user_id)
       insert into purchases (id, user_id, product_id, amount, status, created_at)
       select gen_random_uuid(), user_id, (select id from products where format = 'digital'), 14.99, 'completed', now() - interval '1 day'
       from named`,
      [count],
    )
    await pool.query(
      `insert into product_files (id, product_id, file_path, title, file_format, edition)
       select $1, id, 'ebooks/second.epub', name, 'epub', 2 from products where format = 'digital'`,
      [file_id],
    )
    await pool.query(
      `insert into settings (name, fields, revision, changed_by) values ('mail', $1, 1, 'torture')
       on conflict (name) do update set fields = settings.fields || excluded.fields`,
      [{ bulk_per_hour: perHour }],
    )
    return file_id
  })
}

/** What the process holds once it has responded for a while: V8 keeps what it once took from the system. */
async function warmUp(shop: RunningShop, headers: Record<string, string>): Promise<number> {
  for (let nth = 0; nth < 1_000; nth += 1)
    await (await fetch(`${shop.url}/api/admin/purchases`, { headers })).arrayBuffer()
  return memoryOf(shop.pid())
}

async function signIn({ url }: RunningShop): Promise<string> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

function countUnfinished(dataDir: string): Promise<number> {
  return withDatabase(dataDir, async ({ pool }) => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from edition_mails where outcome is null',
    )
    return rows[0]!.count
  })
}
