// Visitors without accounts, each with a proof only. The server is killed at a moment of each step of one of them; each
// step is repeated until the shop responds.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GuestPurchase, GuestPurchaseMade } from '#contract/orders/guest-purchases.ts'
import type { Product } from '#contract/catalog/products.ts'
import { openDatabase } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { newProof } from '../../guests.ts'
import { startShop, type RunningShop } from '../../running-shop.ts'
import { createRandom } from '../random.ts'
import { collectReceipts } from '../receipts.ts'
import type { Findings, Scenario, ScenarioOptions } from '../scenario.ts'
import { auditSums } from '../sums.ts'

export const scenario: Scenario = {
  fault: 'server killed at each step of buying by address',
  rounds: 3,
  buyers: 2,
  run,
}

const steps = ['order', 'page', 'payment', 'return', 'download'] as const
const timeoutMs = 60_000

type Visitor = { email: string; proof: string; purchase?: string; paid?: string; isDownloaded?: boolean }

async function run({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Findings> {
  const random = createRandom(seed)
  await using stripe = await startStripe()
  await using shop = await startShop(dataDir, { env: { ...stripe.env, STRIPE_RECONCILE_SECONDS: '1' } })
  stripe.setWebhookUrl(`${shop.url}/api/stripe/webhook`)
  await takeAsOwnBook(dataDir)
  const products = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
  const product_id = products.find(({ format }) => format === 'digital')!.id
  const visitors: Visitor[] = []
  const recoveries: number[] = []
  for (let round = 0; round < rounds; round += 1)
    for (const victim of steps) {
      const group = Array.from({ length: buyers }, () => ({
        email: `${randomUUID()}@example.com`,
        proof: newProof(),
      }))
      visitors.push(...group)
      for (const step of steps) {
        const acting = group.map((visitor) => act(step, { shop, stripe, visitor, product_id }))
        if (step === victim) {
          await sleep(random.between(0, 60))
          recoveries.push(await shop.kill('the server', random))
        }
        await Promise.all(acting)
      }
      console.log(`     killed at the ${victim}, ready again after ${recoveries.at(-1)} ms`)
    }
  const paid = visitors.flatMap(({ paid }) => paid ?? [])
  const receipts = await collectReceipts(dataDir, paid)
  const found = await audit(dataDir, visitors)
  const violations = {
    ...found.violations,
    'purchases without a receipt': paid.filter((id) => !receipts.has(id)).length,
    'visitors without their download': visitors.filter(({ isDownloaded }) => !isDownloaded).length,
    'exit code after SIGTERM': (await shop.stop()) ?? 1,
  }
  return { acknowledged: paid.length, ...found, recoveries, violations }
}

type Act = { shop: RunningShop; stripe: StripeStandIn; visitor: Visitor; product_id: string }

async function act(step: (typeof steps)[number], { shop, stripe, visitor, product_id }: Act): Promise<void> {
  const { email, proof, purchase } = visitor
  const ask = <Body>(path: string, body: object) => untilDone<Body>(shop.url + path, { proof, ...body })
  if (step === 'order' || step === 'page') {
    const made = await ask<GuestPurchaseMade>('/api/guest/purchases', { product_id, email })
    visitor.purchase = made.id
  } else if (step === 'payment') {
    const session = [...stripe.sessions.values()].find(
      (each) => each.client_reference_id === purchase && each.status === 'open',
    )!
    stripe.pay(session.id)
    visitor.paid = purchase!
    void stripe.sendEvent('checkout.session.completed', session)
  } else if (step === 'return') {
    const settle = () => ask<GuestPurchase>(`/api/guest/purchases/${purchase}/settle`, {})
    const deadline = Date.now() + timeoutMs
    while ((await settle()).status === 'pending' && Date.now() < deadline) await sleep(200)
  } else {
    const { url } = await ask<{ url: string }>(`/api/guest/purchases/${purchase}/download`, {})
    visitor.isDownloaded = await untilRead(shop.url + url)
  }
}

/** As the page does: asked again until there is a response. */
async function untilDone<Body>(url: string, body: object): Promise<Body> {
  const headers = { 'content-type': 'application/json' }
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      () => undefined,
    )
    if (response?.ok) return (await response.json()) as Body
    if (Date.now() > deadline) throw new Error(`${url} answered ${response?.status ?? 'nothing'}`)
    await sleep(100)
  }
}

async function untilRead(url: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const bytes = await fetch(url)
      .then((response) => (response.ok ? response.arrayBuffer() : undefined))
      .catch(() => undefined)
    if (bytes && bytes.byteLength > 0) return true
    await sleep(100)
  }
  return false
}

/** With an address only, an own book is bought, not the sample. */
async function takeAsOwnBook(dataDir: string): Promise<void> {
  await using postgres = await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url, { max: 1 })
  await database.pool.query(
    `insert into book_setup (step, offers, changed_at) values ('done', '[]', now()) on conflict do nothing`,
  )
  await database.pool.query(`select pg_notify('shop_changed', '')`)
}

type Row = { id: string; status: string; email: string }

async function audit(dataDir: string, visitors: Visitor[]) {
  await using postgres = await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url, { max: 1 })
  const { rows } = await database.pool.query<Row>(
    `select b.id, b.status, u.email from purchases b join auth.users u on u.id = b.user_id`,
  )
  const { rows: users } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from auth.users where email_confirmed_at is null`,
  )
  const completed = rows.filter(({ status }) => status === 'completed')
  const has = ({ email, paid }: Visitor) => completed.some((row) => row.id === paid && row.email === email)
  const { violations } = await auditSums(database)
  return {
    lost: visitors.filter((visitor) => visitor.paid && !has(visitor)).length,
    doubled: completed.length - new Set(completed.map(({ email }) => email)).size,
    figures: { visitors: visitors.length, 'purchases completed': completed.length },
    violations: {
      ...violations,
      'accounts beside one for each visitor': Math.abs((users[0]?.count ?? 0) - visitors.length),
    },
  }
}
