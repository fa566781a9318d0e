// The reconciler's rounds: what they find that nobody told of, and what they do while the provider is away.
import { expect, test } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import { changeCheckouts, changeJobs } from '#test/changes.ts'
import { giveCheckout, givePaymentEvents, givePurchases } from '#test/factories.ts'
import { buy, buyAndPay, openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { clock, time } from '#test/time.ts'
import { rescheduleOverdueChecks } from './next-checks.ts'
import { reconcile } from './reconcile.ts'
import { refundJob } from './refunds.ts'

const intentOf = (stripe: StripeStandIn, id: string) => sessionOf(stripe, id).payment_intent as string

async function count({ services }: TestShop, query: string): Promise<number> {
  const { rows } = await services.database.pool.query<{ count: number }>(`select count(*) from ${query}`)
  return rows[0]!.count
}

test('a refund and a dispute made at Stripe are noticed though no webhook ever comes', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [anna, ben] = [await shop.person(), await shop.person()]
  const annas = await buyAndPay(shop, stripe, anna)
  const bens = await buyAndPay(shop, stripe, ben)
  await reconcile(shop.services)
  stripe.refund(intentOf(stripe, annas), 500)
  stripe.dispute(sessionOf(stripe, bens).id)
  await reconcile(shop.services)
  const statuses = async () => [...(await own(anna)), ...(await own(ben))].map(({ status }) => status)
  await soon(shop, statuses).toEqual(['partially_refunded', 'disputed'])
  stripe.refund(intentOf(stripe, annas))
  stripe.dispute(sessionOf(stripe, bens).id, 'won')
  await reconcile(shop.services)
  await soon(shop, statuses).toEqual(['refunded', 'completed'])
})

test('of a long list of events each round reads some, the newest first, until all are read; late ones are read, too', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const newest = Math.floor(Date.now() / 1000) - 3_600
  const happen = (created: number) => {
    stripe.event('charge.refunded', { object: 'charge', id: `ch_${stripe.events.length}` })
    stripe.events.at(-1)!.created = created
  }
  for (let age = 1_499; age >= 0; age -= 1) happen(newest - age)
  const known = () => count(shop, 'payment_events')
  for (const most of [1_000, 1_500]) {
    const before = stripe.calls.asked
    await reconcile(shop.services)
    expect(stripe.calls.asked - before).toBeLessThanOrEqual(10)
    expect(await known()).toBeGreaterThan(most - 20)
    happen(newest + most)
  }
  await reconcile(shop.services)
  expect(await known()).toBe(1_502)
  happen(newest + 1_500 - 300)
  happen(newest + 1_501)
  await reconcile(shop.services)
  expect(await known()).toBe(1_504)
  expect(await count(shop, `pgboss.job where name = 'payments.event'`)).toBe(1_504)
})

test('an event that could not be looked up has one job, however many rounds go by', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, clock })
  const { pool } = shop.services.database
  await givePaymentEvents(shop.services.db, 300)
  const jobs = (state = 'created') =>
    count(shop, `pgboss.job where name = 'payments.event' and state = '${state}'`)
  await reconcile(shop.services)
  expect(await jobs()).toBe(0)
  time.ahead = 61 * minuteMs
  await reconcile(shop.services)
  expect(await jobs()).toBe(200)
  await reconcile(shop.services)
  await reconcile(shop.services)
  expect(await jobs()).toBe(300)
  await pool.query(`update pgboss.job set state = 'failed' where data ->> 'event_id' = 'evt_7'`)
  await reconcile(shop.services)
  await reconcile(shop.services)
  expect([await jobs(), await jobs('failed')]).toEqual([300, 1])
})

test('a refund whose job is gone is asked for again, and one without a payment ends with a reason', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, clock })
  const { pool } = shop.services.database
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })
  const isWaiting = `pgboss.job where name = 'payments.refund' and state = 'created'`
  await changeJobs({ pool }, { state: 'failed' }, 'payments.refund')
  await reconcile(shop.services)
  expect(await count(shop, isWaiting)).toBe(0)
  time.ahead = 61 * minuteMs
  await reconcile(shop.services)
  await reconcile(shop.services)
  expect(await count(shop, isWaiting)).toBe(1)

  await changeCheckouts(shop.services.db, { payment_intent: null })
  const { rows } = await pool.query<{ request_id: string }>('select id as request_id from refund_requests')
  await refundJob.run(shop.services, rows[0]!, { id, number: 1, isLast: false })
  expect(
    await count(shop, `refund_requests where status = 'refused' and problem like 'There is no payment%'`),
  ).toBe(1)
})

test('a request without a response delays its own purchase, not the round', async () => {
  let asked = 0
  await using stripe = await startStripe({ random: () => (asked++ === 1 ? 0 : 1) })
  await using shop = await openPaidShop(stripe, {
    hasWorkers: false,
    clock,
    env: { STRIPE_CONCURRENCY: '1' },
  })
  const people = await Promise.all(Array.from({ length: 3 }, () => shop.person()))
  for (const person of people) stripe.pay(sessionOf(stripe, (await buy(shop, person)).id).id)
  time.ahead = 10 * minuteMs
  asked = 0
  stripe.faults.silent = 0.5
  const since = Date.now()
  expect(await reconcile(shop.services)).toEqual({ checked: 3, failed: 1 })
  expect(Date.now() - since).toBeLessThan(10_000)
  expect(await reconcile(shop.services)).toEqual({ checked: 1, failed: 0 })
  expect(await count(shop, `purchases where status = 'completed'`)).toBe(3)
})

test('a round ends when no request gets a response; what Stripe does not know is asked about at growing intervals', async () => {
  await using stripe = await startStripe()
  stripe.env['STRIPE_SECRET_KEY'] = 'sk_live_x'
  const env = { SITE_URL: 'https://shop.example' }
  await using shop = await openPaidShop(stripe, { hasWorkers: false, clock, env })
  const user = await shop.person()
  await buy(shop, user)
  await changeCheckouts(shop.services.db, { session_id: 'cs_test_of_another_account' })
  const { id: product_id } = await shop.product('digital')
  const pending = { user_id: user.id, product_id, status: 'pending' } as const
  for (const purchase_id of await givePurchases(shop.services.db, 60, () => pending)) {
    const checkout = { session_id: purchase_id, is_live: true, next_check_at: new Date() }
    await giveCheckout(shop.services.db, { purchase_id, ...checkout })
  }
  time.ahead = 10 * minuteMs
  stripe.fail(1_000)
  const { checked, failed } = await reconcile(shop.services)
  expect([failed, checked < 40]).toEqual([checked, true])
  stripe.fail(0)
  expect(await reconcile(shop.services)).toEqual({ checked: 61, failed: 0 })
  expect(await reconcile(shop.services)).toEqual({ checked: 0, failed: 0 })
  time.ahead += 3 * minuteMs
  expect(await reconcile(shop.services)).toMatchObject({ checked: 61 })
  expect(await count(shop, `checkouts where held_reason like 'Stripe does not know%'`)).toBe(61)
})

test('a paid purchase that cannot be asked about for 90 days is left as it is, and cannot be dismissed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { pool } = shop.services.database
  const [admin, anna, ben] = [await shop.person({ role: 'admin' }), await shop.person(), await shop.person()]
  const unknown = await buyAndPay(shop, stripe, anna)
  const live = await buyAndPay(shop, stripe, ben)
  stripe.sessions.delete(sessionOf(stripe, unknown).id)
  await pool.query(`update checkouts set is_live = purchase_id = $1, next_check_at = now()`, [live])
  for (const table of ['purchases', 'checkouts'])
    await pool.query(`update ${table} set created_at = now() - interval '91 days'`)
  await reconcile(shop.services)
  const { rows } = await pool.query('select held_reason, next_check_at from checkouts')
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ held_reason: null, next_check_at: null })))

  await changeCheckouts(shop.services.db, { held_reason: 'It is still pending after 90 days.' })
  const dismissal = await admin.call('POST', `/api/admin/payments/held/${live}/dismissal`, {
    body: { note: 'Old' },
  })
  expect(await dismissal.json()).toMatchObject({ code: 'payments.not_waiting' })
  expect(await count(shop, `purchases where status = 'completed'`)).toBe(2)
})

test('what a clock that was far ahead has put off is asked about within the hour; what is put off rightly is not', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const user = await shop.person()
  const [ahead, rightly] = [await buy(shop, user), await buy(shop, user, 'bundle')]
  const { pool } = shop.services.database
  const scheduleNextCheck = (id: string, pause: string) =>
    pool.query('update checkouts set next_check_at = now() + $2::interval where purchase_id = $1', [
      id,
      pause,
    ])
  await scheduleNextCheck(ahead.id, '31 days')
  await scheduleNextCheck(rightly.id, '12 hours')
  for (const { id } of [ahead, rightly]) stripe.pay(sessionOf(stripe, id).id)
  stripe.events.length = 0
  await rescheduleOverdueChecks(shop.services)
  await reconcile(shop.services)
  const statuses = Object.fromEntries((await own(user)).map(({ id, status }) => [id, status]))
  expect(statuses).toEqual({ [ahead.id]: 'completed', [rightly.id]: 'pending' })
})

// Checkouts that Stripe does not have under the present key: opened in the other mode, or gone.

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)

test('checkouts from before the live key are canceled and do not block a purchase', async () => {
  await using stripe = await startStripe()
  stripe.env['STRIPE_SECRET_KEY'] = 'sk_live_x'
  await using shop = await openPaidShop(stripe, { clock, env: { SITE_URL: 'https://shop.example' } })
  const user = await shop.person()
  const before = await buy(shop, user)
  await changeCheckouts(shop.services.db, { is_live: false })
  stripe.sessions.clear()
  const after = await buy(shop, user)
  expect([after.status, after.id === before.id]).toEqual(['pending', false])
  time.ahead = 10 * 60_000
  expect(await reconcile(shop.services)).toEqual({ checked: 2, failed: 0 })
  expect((await own(user)).map(({ id }) => id)).toEqual([after.id])
})

test('a checkout from before a test key is not shown, and is shown again with the live key', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const before = await buy(shop, user)
  await changeCheckouts(shop.services.db, { is_live: true })
  const test = await buy(shop, user)
  expect([test.status, test.id === before.id]).toEqual(['pending', false])
  expect((await own(user)).map(({ status }) => status)).toEqual(['pending', 'pending'])
})

test('a checkout that Stripe does not know blocks no purchase: a test is canceled, a live one is held until Stripe knows it', async () => {
  for (const isLive of [false, true]) {
    await using stripe = await startStripe()
    if (isLive) stripe.env['STRIPE_SECRET_KEY'] = 'sk_live_x'
    await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'https://shop.example' } })
    const user = await shop.person()
    const before = await buy(shop, user)
    const session = sessionOf(stripe, before.id)
    stripe.sessions.delete(session.id)
    const after = await buy(shop, user)
    expect([after.status, after.id === before.id]).toEqual(['pending', false])
    expect(await settle(user, before.id)).toBe('canceled')
    const waiting = async () =>
      (await run(shop, 'select from checkouts where held_reason is not null')).rowCount
    expect(await waiting()).toBe(isLive ? 1 : 0)
    stripe.sessions.set(session.id, session)
    expect([await settle(user, before.id), await waiting()]).toEqual(['canceled', 0])
    stripe.pay(session.id)
    expect(await settle(user, before.id)).toBe('completed')
  }
})
