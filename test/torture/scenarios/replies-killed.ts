// The shop is killed while messages are answered. Each reply that was accepted is stored and mailed, twice at most where the
// email was in flight.
import { randomUUID } from 'node:crypto'
import { startShop } from '../../running-shop.ts'
import { openCountingSmtp } from '../counting-smtp.ts'
import { withDatabase } from '../killed-command.ts'
import { expectOk, killInTurn, mailsInFlight, retry, shareOut, signIn } from '../press-and-kill.ts'
import { createRandom } from '../random.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'killed while messages are answered',
  rounds: 4,
  buyers: 120,
  run,
}

async function run({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const random = createRandom(seed)
  await using smtp = await openCountingSmtp('writer-')
  const env = { SMTP_URL: smtp.url, RATE_LIMIT: 'off' }
  await (await startShop(dataDir, { env })).stop()
  const ids = await addMessages(dataDir, buyers)
  await using shop = await startShop(dataDir, { env })
  const token = await retry(() => signIn(shop))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ body: 'Thank you for writing.' })
  const answering = shareOut(ids, async (id) => {
    const path = `/api/admin/messages/${id}/replies/${randomUUID()}`
    await expectOk(() => fetch(shop.url + path, { method: 'PUT', headers, body }))
  })
  const recoveries = await killInTurn(shop, random, rounds)
  await answering
  await smtp.settle(buyers)
  const exitCode = await shop.stop()
  const extra = smtp.extra()
  return {
    acknowledged: buyers,
    lost: buyers - smtp.counts.size,
    doubled: Math.max(0, extra - rounds * mailsInFlight),
    recoveries,
    figures: { 'emails that were in flight and came twice': extra },
    violations: {
      'messages without exactly one reply': await countWrong(dataDir),
      'emails of one writer under two Message-IDs': smtp.twins(),
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

function addMessages(dataDir: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  return withDatabase(dataDir, async ({ pool }) => {
    await pool.query(
      `insert into contact_messages (id, name, email, subject, message)
       select id, 'A writer', 'writer-' || id || '@example.com', 'A question', 'Is it long?' from unnest($1::uuid[]) id`,
      [ids],
    )
    return ids
  })
}

function countWrong(dataDir: string): Promise<number> {
  return withDatabase(dataDir, async ({ pool }) => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from contact_messages m
       where (select count(*) from message_replies r where r.message_id = m.id) <> 1`,
    )
    return rows[0]!.count
  })
}
