// The shop is killed while buyers and the author give copies and gifts are opened. Each gift that was accepted is mailed,
// twice at most where the email was in flight, and becomes one copy of its recipient.
import { randomUUID } from 'node:crypto'
import { startShop } from '../../running-shop.ts'
import { openCountingSmtp } from '../counting-smtp.ts'
import { withDatabase } from '../killed-command.ts'
import { expectOk, killInTurn, mailsInFlight, retry, shareOut, signIn } from '../press-and-kill.ts'
import { createRandom } from '../random.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'killed while copies are given and opened',
  rounds: 6,
  buyers: 120,
  run,
}

async function run({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const random = createRandom(seed)
  await using smtp = await openCountingSmtp('friend-')
  const env = { SMTP_URL: smtp.url, RATE_LIMIT: 'off' }
  await (await startShop(dataDir, { env })).stop()
  const ids = await addPurchases(dataDir, buyers)
  await using shop = await startShop(dataDir, { env })
  const token = await retry(() => signIn(shop))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const addressOf = (id: string) => `friend-${id}@example.com`

  const granted = Array.from({ length: Math.ceil(buyers / 4) }, () => randomUUID())
  const granting = grantAll(shop.url, { headers, emails: granted.map(addressOf) })
  const giving = shareOut(ids, async (id) => {
    const body = JSON.stringify({ email: addressOf(id), sender_name: 'Aquila', note: 'For you' })
    await expectOk(() => fetch(`${shop.url}/api/purchases/${id}/gift`, { method: 'PUT', headers, body }))
  })
  const recoveries = await killInTurn(shop, random, Math.ceil(rounds / 2))
  await Promise.all([giving, granting])
  const gifts = [...ids, ...granted]
  await smtp.settle(gifts.length)

  const opening = shareOut(gifts, async (id) => {
    const gift = /\/gift#([\w-]{43})/.exec(smtp.texts.get(addressOf(id)) ?? '')?.[1]
    const body = JSON.stringify({ token: gift })
    const open = () =>
      fetch(`${shop.url}/api/gifts/open`, {
        method: 'POST',
        headers: { 'content-type': headers['content-type'] },
        body,
      })
    // Pressed twice at once.
    await Promise.all([expectOk(open), expectOk(open)])
  })
  recoveries.push(...(await killInTurn(shop, random, Math.floor(rounds / 2))))
  await opening
  const exitCode = await shop.stop()
  const { received, unsent, unopened } = await countGifts(dataDir)
  const extra = smtp.extra()
  return {
    acknowledged: gifts.length,
    lost: gifts.length - smtp.counts.size,
    doubled: Math.max(0, extra - rounds * mailsInFlight),
    recoveries,
    figures: { 'emails that were in flight and came twice': extra },
    violations: {
      'copies of recipients beyond or below one for each gift': Math.abs(received - gifts.length),
      'gifts whose email has no outcome': unsent,
      'gifts that were opened and are not': unopened,
      'exit code after SIGTERM': exitCode ?? 1,
    },
  }
}

type Granting = { headers: Record<string, string>; emails: readonly string[] }

/** In lists, each sent again until all of it was given. */
async function grantAll(url: string, { headers, emails }: Granting): Promise<void> {
  const products = await retry(async () => {
    const response = await fetch(`${url}/api/products`)
    return (await response.json()) as { id: string; is_digital: boolean }[]
  })
  const product_id = products.find(({ is_digital }) => is_digital)?.id
  for (let first = 0; first < emails.length; first += 5) {
    const body = JSON.stringify({
      product_id,
      list: emails.slice(first, first + 5).join('\n'),
      message: 'For you',
    })
    await retry(async () => {
      const response = await fetch(`${url}/api/admin/gifts`, { method: 'POST', headers, body })
      const sent = (await response.json()) as { recipients?: { outcome: string }[] }
      if (!sent.recipients?.every(({ outcome }) => outcome === 'new' || outcome === 'given_before'))
        throw new Error(JSON.stringify(sent))
    })
  }
}

/** The ids of purchases of the admin. */
function addPurchases(dataDir: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  return withDatabase(dataDir, async ({ pool }) => {
    await pool.query(
      `insert into purchases (id, user_id, product_id, amount, status)
       select id, (select user_id from user_roles where role = 'admin'), (select id from products where format = 'digital'),
         14.99, 'completed' from unnest($1::uuid[]) id`,
      [ids],
    )
    return ids
  })
}

type Counts = { received: number; unsent: number; unopened: number }

function countGifts(dataDir: string): Promise<Counts> {
  return withDatabase(dataDir, async ({ pool }) => {
    const { rows } = await pool.query<Counts>(
      `select (select count(*)::int from purchases where gift_of is not null or is_given) as received,
         (select count(*)::int from scheduled_emails where kind = 'gift_to_someone' and outcome is null) as unsent,
         (select count(*)::int from purchase_gifts where opened_at is null) as unopened`,
    )
    return rows[0]!
  })
}
