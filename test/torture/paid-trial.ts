// Where money is taken: buyers pay at a Stripe that fails one call in five, loses webhooks, repeats and delays them.
import type { Product } from '#contract/catalog/products.ts'
import type { Sales } from '#contract/reports/sales.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#platform/db/client.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { createLog } from '#platform/log.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { gatherCrowd, type Crowd } from './crowd.ts'
import { auditMoney } from './money-audit.ts'
import { sendPayers, type Payers } from './payers.ts'
import { createRandom } from './random.ts'
import { collectReceipts, type Receipts } from './receipts.ts'
import { auditStatuses, type ScenarioOptions } from './scenario.ts'
import type { Trial } from './trial.ts'

/** One call in five goes wrong. One that is never answered costs its asker the library's 15 seconds. */
const faults = {
  errors: 0.07,
  doneErrors: 0.03,
  tooMany: 0.05,
  cut: 0.045,
  silent: 0.005,
  lost: 0.3,
  repeated: 0.2,
  late: 0.5,
  latest: 5_000,
}
/** A round takes about this long, with its recovery. */
const roundMs = 3_000
const timeoutMs = 300_000

export async function openPaidTrial({ dataDir, buyers, rounds, seed }: ScenarioOptions): Promise<Trial> {
  const chance = createRandom(seed + 1)
  const stripe = await startStripe({ faults, random: () => chance.between(0, 1) })
  let crowd: Crowd
  let payers: Payers
  let receipts: Receipts
  let totals: Sales['totals']
  const paid = () =>
    [...stripe.sessions.values()]
      .filter(({ status }) => status === 'complete')
      .map(({ client_reference_id }) => client_reference_id!)

  const happened = () => stripe.events.map(({ id }) => id)

  /** Until there is nothing left that the shop would do by itself; or it takes far too long. */
  async function untilSettled(): Promise<void> {
    await using postgres = await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
    await using database = openDatabase(postgres.url, { max: 1 })
    const open = `
      select (select count(*) from purchases where id = any($1::uuid[]) and status in ('pending', 'canceled'))
        + (select count(*) from refund_requests where status = 'requested')
        + (select count(*) from unnest($2::text[]) told (id) where not exists (
            select from payment_events e where e.id = told.id and e.handled_at is not null)) as count`
    const deadline = Date.now() + timeoutMs
    while (Date.now() < deadline) {
      const { rows } = await database.pool.query<{ count: number }>(open, [paid(), happened()])
      if (rows[0]!.count === 0 && !stripe.webhooks.isBusy()) return
      await sleep(500)
    }
  }

  /** With an address only, an own book is bought, not the sample. */
  async function takeAsOwnBook(): Promise<void> {
    await using postgres = await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
    await using database = openDatabase(postgres.url, { max: 1 })
    await database.pool.query(
      `insert into book_setup (step, offers, changed_at) values ('done', '[]', now()) on conflict do nothing`,
    )
    await database.pool.query(`select pg_notify('shop_changed', '')`)
  }

  return {
    env: { ...stripe.env, STRIPE_RECONCILE_SECONDS: '1' },
    async begin({ url }) {
      stripe.setWebhookUrl(`${url}/api/stripe/webhook`)
      console.log(`     ${buyers} buyers come`)
      crowd = await gatherCrowd(url, buyers)
      await takeAsOwnBook()
      const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
      payers = sendPayers({ crowd, stripe, products, random: createRandom(seed + 2) }, rounds * roundMs)
    },
    // Buyers come at their own times, so that the next purchase may be far off: ready is what counts.
    untilSold: async (since) => Date.now() - since,
    async end() {
      await payers.finish()
      const since = Date.now()
      await untilSettled()
      console.log(`     settled ${Date.now() - since} ms after the last buyer went home`)
      receipts = await collectReceipts(dataDir, paid())
      const sales = await crowd.ask<Sales>(crowd.author, '/api/admin/sales')
      ;({ totals } = sales.body)
    },
    async audit() {
      const found = await auditMoney(dataDir, { stripe, ledger: payers.ledger, receipts, totals })
      const statuses = auditStatuses(crowd.statuses, [0, 200, 201, 202, 401, 409, 422, 503])
      return {
        ...found,
        figures: { ...found.figures, ...statuses.figures },
        violations: { ...found.violations, ...statuses.violations },
      }
    },
    [Symbol.asyncDispose]: () => stripe[Symbol.asyncDispose](),
  }
}
