// A payment that does not fit its purchase is held until the author accepts it, checks it again or dismisses it.
import { expect, test } from 'vitest'
import {
  countAttentionItems,
  hold,
  isCheaper,
  isEuros,
  isUnpaid,
  listHeld,
  listAuditEvents,
  press,
  listAttentionItems,
} from '#test/needs.ts'
import { openPaidShop, own, buy, sessionOf, settle, startLiveStripe, sendEvent } from '#test/paying.ts'
import { readSums } from '#test/sales-sums.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { changeCheckouts, changePurchases, losePurchases } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { findCheckout } from './checkout-records.ts'
import { stateOf } from './payment-states.ts'
import { reconcile } from './reconcile.ts'
import { settlePurchase } from './settle.ts'
import { randomUUID } from 'node:crypto'
import { refundJob } from './refunds.ts'

test('a held payment says why, and is accepted once at what was really paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  expect(await countAttentionItems(admin)).toMatchObject({ payments: 'test', count: 0 })
  const { id, session } = await hold(shop, stripe, user, isCheaper)
  expect(await listHeld(admin)).toMatchObject([
    {
      id,
      reason: 'The payment is for $9.99, the purchase for $14.99.',
      amount: 14.99,
      paid: { total: 9.99, currency: 'usd' },
      email: user.email,
      stripe_url: `https://dashboard.stripe.com/test/payments/${session.payment_intent as string}`,
      is_going_back: false,
    },
  ])
  expect(await countAttentionItems(admin)).toMatchObject({ payments: 'test', count: 1 })
  expect((await own(user))[0]).toMatchObject({ status: 'pending', is_held: true, has_mismatch: true })

  const checked = await press(admin, `held/${id}/check`)
  expect(await checked.json()).toEqual({ status: null })
  const twice = await Promise.all([press(admin, `held/${id}/accept`), press(admin, `held/${id}/accept`)])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect((await own(user))[0]).toMatchObject({ status: 'completed', amount: 9.99, is_held: false })
  expect((await shop.mailbox.to(user.email, /receipt/)).text).toContain('$9.99')
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect(await listAuditEvents(shop)).toEqual(['payments.checked', 'payments.accepted'])
  const { kept, counted } = await readSums(shop.services.database)
  expect(kept).toEqual(counted)
})

test('what was given back at Stripe meanwhile is not accepted: it needs no attention any more, and its buyer has no book', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id, session } = await hold(shop, stripe, user, isCheaper)
  const intent = session['payment_intent'] as string
  stripe.intents.get(intent)!.amount = 999
  stripe.refund(intent)
  expect(await (await press(admin, `held/${id}/accept`)).json()).toMatchObject({
    code: 'payments.not_waiting',
  })
  expect((await own(user))[0]).toMatchObject({ status: 'canceled' })
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
})

test('a held payment that fits by now completes when it is checked again; one without a payment has nothing to give back', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user, other] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
  ]
  const { id, session } = await hold(shop, stripe, user, isEuros)
  session['currency'] = 'usd'
  expect(await (await press(admin, `held/${id}/check`)).json()).toEqual({ status: 'completed' })
  expect(await listHeld(admin)).toEqual([])

  const unpaid = await hold(shop, stripe, other, isUnpaid)
  await shop.services.database.pool.query(
    `update checkouts set held_reason = 'It is still pending after 90 days.' where purchase_id = $1`,
    [unpaid.id],
  )
  const refused = await press(admin, `held/${unpaid.id}/refund`)
  expect(await refused.json()).toMatchObject({ code: 'payments.nothing_paid' })
  expect(await listHeld(admin)).toMatchObject([{ id: unpaid.id, paid: null, stripe_url: null }])
  expect((await own(other))[0]).toMatchObject({ is_held: true, has_mismatch: false })
  stripe.expire(unpaid.session.id)
  expect(await (await press(admin, `held/${unpaid.id}/check`)).json()).toEqual({ status: 'canceled' })
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect((await own(other))[0]).toMatchObject({ status: 'canceled', is_held: false })
})

// A payment that the author has dismissed completes nothing by itself, whatever happens afterwards.

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)
const intentOf = (stripe: StripeStandIn, id: string) => sessionOf(stripe, id).payment_intent as string
const code = async (response: Response) => ((await response.json()) as { code?: string }).code
const copiesLeft = async ({ services }: TestShop) =>
  (await services.database.pool.query<{ copies: number }>('select copies from stock')).rows[0]?.copies

/** Paid after its copy was sold to somebody else. */
async function holdSoldOut(shop: TestShop, stripe: StripeStandIn) {
  await given.copies(shop, 'paperback', 1)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user, 'paperback')
  await changePurchases(shop.services.db, { status: 'canceled' })
  await given.copies(shop, 'paperback', 0)
  stripe.pay(sessionOf(stripe, id).id)
  expect(await settlePurchase(shop.services, id)).toBe('canceled')
  expect(await listHeld(admin)).toMatchObject([{ id, reason: expect.stringContaining('sold') }])
  return { admin, user, id }
}

test('a sold-out payment that was dismissed stays dismissed when there is stock again', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const { admin, user, id } = await holdSoldOut(shop, stripe)
  const note = 'Paid back by bank transfer'
  expect((await press(admin, `held/${id}/dismissal`, { note })).status).toBe(200)
  await given.copies(shop, 'paperback', 5)

  await Promise.all([settlePurchase(shop.services, id), settle(user, id)])
  await sendEvent(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id)))
  await changeCheckouts(shop.services.db, { next_check_at: new Date() })
  await reconcile(shop.services)
  await soon(
    shop,
    async () => (await run(shop, 'select from payment_events where handled_at is null')).rowCount,
  ).toBe(0)
  expect((await own(user))[0]).toMatchObject({ status: 'canceled', is_held: true, shipment: null })
  expect(await copiesLeft(shop)).toBe(5)
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect(await shop.mailbox.all()).toEqual([])
})

const accept = (admin: Person, id: string, body: object = {}) => press(admin, `dismissed/${id}/accept`, body)

test('a dismissed payment is accepted after all once, with a fresh proof, while its money is at Stripe', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const { admin, user, id } = await holdSoldOut(shop, stripe)
  expect(await code(await accept(admin, id))).toBe('payments.not_waiting')
  await press(admin, `held/${id}/dismissal`, { note: 'A mistake' })
  expect(await code(await press(admin, `held/${id}/accept`))).toBe('payments.not_waiting')
  const detail = async () =>
    (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  expect((await detail()).dismissed).toMatchObject({
    reason: 'It was paid after its copy was sold to somebody else.',
    paid: { total: 24.99, currency: 'usd' },
    stripe_url: expect.stringContaining('/payments/pi_'),
  })

  await given.passwordsGiven(shop, '11 minutes')
  expect(await code(await accept(admin, id))).toBe('auth.reauthentication_needed')
  expect(await code(await accept(admin, id, { current_password: 'not it' }))).toBe('auth.invalid_credentials')
  stripe.refund(intentOf(stripe, id), 500)
  await given.passwordsGiven(shop, '0 minutes')
  const twice = await Promise.all([accept(admin, id), accept(admin, id)])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect((await own(user))[0]).toMatchObject({ status: 'partially_refunded', amount: 24.99, is_held: false })
  expect((await detail()).dismissed).toBeNull()
  await shop.mailbox.to(user.email, /receipt/)
  expect(await listAuditEvents(shop)).toEqual(
    expect.arrayContaining(['payments.dismissed', 'payments.accepted']),
  )
})

test('a dismissed payment whose money went back, or is with a bank, is not accepted', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { admin, user, id } = await holdSoldOut(shop, stripe)
  await press(admin, `held/${id}/dismissal`, { note: 'Settled by phone' })
  const { id: session_id } = sessionOf(stripe, id)
  for (const status of ['needs_response', 'lost'] as const) {
    stripe.dispute(session_id, status)
    expect(await code(await accept(admin, id))).toBe('payments.money_gone')
    expect(await settlePurchase(shop.services, id)).toBe('canceled')
  }
  stripe.disputes.length = 0
  const made = stripe.refund(intentOf(stripe, id))
  expect(await code(await accept(admin, id))).toBe('payments.money_gone')
  stripe.fail(3)
  expect((await accept(admin, id)).status).toBe(503)
  expect(await settlePurchase(shop.services, id)).toBe('canceled')
  stripe.failRefund(made.id)
  expect(await settlePurchase(shop.services, id)).toBe('canceled')
  expect((await accept(admin, id)).status).toBe(200)
  expect((await own(user))[0]).toMatchObject({ status: 'completed' })
})

test('whatever becomes of a dismissed checkout that was not paid, it stays dismissed', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user)
  await changeCheckouts(shop.services.db, { held_reason: 'It is still pending after 90 days.' })
  await press(admin, `held/${id}/dismissal`, { note: 'Old' })
  const state = async () => stateOf((await findCheckout(shop.services.db, id))!)
  const session = sessionOf(stripe, id)
  const settled = async () => [await settlePurchase(shop.services, id), await state()]
  expect(await settled()).toEqual(['canceled', 'dismissed'])
  stripe.sessions.delete(session.id)
  expect(await settled()).toEqual(['canceled', 'dismissed'])
  stripe.sessions.set(session.id, session)
  stripe.expire(session.id)
  expect(await settled()).toEqual(['canceled', 'dismissed'])
  Object.assign(session, { status: 'open' })
  stripe.pay(session.id)
  await run(
    shop,
    `update checkouts set next_check_at = now() - interval '1 day', created_at = now() - interval '91 days'`,
  )
  expect(await settled()).toEqual(['canceled', 'dismissed'])
  expect((await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail).toMatchObject(
    {
      dismissed: { paid: { total: 14.99, currency: 'usd' } },
    },
  )
  expect(await shop.mailbox.all()).toEqual([])
})

// A held payment that goes back: once, in the currency and to the amount that was paid.

test('a payment in another currency or for another purchase is never accepted; it is refunded once, with a mail to the buyer', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user, other] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
  ]
  const euros = await hold(shop, stripe, user, isEuros)
  const foreign = await hold(shop, stripe, other, (session) =>
    Object.assign(session, { metadata: { purchase_id: euros.id, product_id: randomUUID() } }),
  )
  for (const { id } of [euros, foreign]) {
    const response = await press(admin, `held/${id}/accept`)
    expect(await response.json()).toMatchObject({ status: 409, code: 'payments.not_acceptable' })
  }
  const twice = await Promise.all([
    press(admin, `held/${euros.id}/refund`),
    press(admin, `held/${euros.id}/refund`),
  ])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  await soon(shop, async () => (await listHeld(admin)).map(({ id }) => id)).toEqual([foreign.id])
  expect(stripe.refunds).toMatchObject([{ amount: 1499, payment_intent: euros.session['payment_intent'] }])
  expect((await own(user))[0]).toMatchObject({ status: 'canceled', is_held: true })
  await settlePurchase(shop.services, euros.id)
  const mail = await shop.mailbox.to(user.email, /Your refund/)
  expect(mail.text).toContain('€14.99')
  const { kept, counted } = await readSums(shop.services.database)
  expect(kept).toEqual(counted)

  expect((await press(admin, `held/${foreign.id}/dismissal`, { note: '' })).status).toBe(422)
  expect((await press(admin, `held/${foreign.id}/dismissal`, { note: 'Settled by phone' })).status).toBe(200)
  expect((await press(admin, `held/${foreign.id}/dismissal`, { note: 'Again' })).status).toBe(409)
  // Whatever Stripe reports of it afterwards, it needs no attention.
  await settlePurchase(shop.services, foreign.id)
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect(await listAuditEvents(shop)).toEqual(['payments.given_back', 'payments.dismissed'])
  const refunds = (await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('Your refund'))
  expect(refunds).toHaveLength(1)
})

test('what has no cents, or a thousand to one, is shown and given back as it was paid, also where Stripe refuses', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  async function holdIn(currency: string, amount: number) {
    const person = await shop.person()
    const made = await hold(shop, stripe, person, (session) => {
      const intent = stripe.intents.get(session.payment_intent as string)!
      Object.assign(session, { currency, amount_subtotal: amount, amount_total: amount })
      Object.assign(intent, { currency, amount })
    })
    return { ...made, person }
  }
  const yen = await holdIn('jpy', 1499)
  const dinars = await holdIn('kwd', 14_990)
  const shillings = await holdIn('ugx', 149_900)
  const paid = new Map((await listHeld(admin)).map((need) => [need.id, need.paid]))
  expect(paid.get(yen.id)).toEqual({ total: 1499, currency: 'jpy' })
  expect(paid.get(dinars.id)).toEqual({ total: 14.99, currency: 'kwd' })
  expect(paid.get(shillings.id)).toEqual({ total: 1499, currency: 'ugx' })

  stripe.refund(yen.session.payment_intent as string, 499)
  for (const { id } of [yen, dinars]) expect((await press(admin, `held/${id}/refund`)).status).toBe(200)
  const refunded = () => new Set(stripe.refunds.map(({ amount }) => amount))
  await soon(shop, refunded).toEqual(new Set([499, 1000, 14_990]))
  expect((await shop.mailbox.to(yen.person.email, /Your refund/)).text).toContain('¥1,499')
  expect((await shop.mailbox.to(dinars.person.email, /Your refund/)).text).toContain('KWD\u00a014.990')

  stripe.dispute(shillings.session.id)
  expect((await press(admin, `held/${shillings.id}/refund`)).status).toBe(200)
  await soon(shop, async () => (await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'refund', purchase_id: shillings.id, amount: 1499, currency: 'ugx' },
    { kind: 'held', id: shillings.id },
  ])
})

test('a payment whose refund is under way is not accepted; a refund that Stripe could not be asked for needs attention, too', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await hold(shop, stripe, user, isCheaper)
  expect((await press(admin, `held/${id}/refund`)).status).toBe(200)
  expect((await press(admin, `held/${id}/accept`)).status).toBe(409)

  const { rows } = await shop.services.db.execute<{ id: string }>('select id from refund_requests')
  const attempt = { id: randomUUID(), number: 25, isLast: true }
  stripe.fail(10)
  await expect(refundJob.run(shop.services, { request_id: rows[0]!.id }, attempt)).rejects.toThrow()
  expect((await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'refund', purchase_id: id, reason: expect.stringContaining('could not be asked') },
    { kind: 'held', id, is_going_back: false },
  ])
})

// Payments on this account whose purchase the shop does not have.

test('a payment without a purchase needs attention until it went back; another shop’s does not', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'https://shop.example' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const list = async () => (await listAttentionItems(admin)).items
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  // As in a shop restored from an older backup, for a checkout that does not name its buyer.
  const shop_id = session.metadata!['shop_id']!
  Object.assign(session, { metadata: { shop_id, purchase_id: id } })
  await losePurchases(shop.services.db)
  stripe.pay(session.id)
  await reconcile(shop.services)
  await soon(shop, list).toMatchObject([
    { kind: 'event', reason: expect.stringContaining(`$14.99 was paid for the purchase ${id}`) },
  ])
  const again = () => press(admin, `event/${stripe.events[0]!.id}/again`)
  expect((await again()).status).toBe(200)
  await soon(shop, list).toHaveLength(1)
  stripe.refund(session.payment_intent as string)
  // The one before may have come so late that it has seen it.
  expect([200, 409]).toContain((await again()).status)
  await soon(shop, list).toEqual([])

  await sendEvent(
    shop,
    stripe.event('checkout.session.completed', { ...session, id: 'cs_of_another_account' }),
  )
  const other = sessionOf(stripe, (await buy(shop, user)).id)
  await losePurchases(shop.services.db)
  other.success_url = 'https://another.example/dashboard'
  stripe.pay(other.id)
  await reconcile(shop.services)
  await soon(
    shop,
    async () => (await run(shop, 'select from payment_events where handled_at is null')).rowCount,
  ).toBe(0)
  expect(await list()).toEqual([])
})

test('a payment that names no purchase, or something else in its place, needs attention too', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'https://shop.example' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  for (const metadata of [{}, { purchase_id: 'order 7' }]) {
    const session = sessionOf(stripe, (await buy(shop, user)).id)
    await losePurchases(shop.services.db)
    stripe.pay(session.id)
    Object.assign(session, { metadata: { shop_id: session.metadata!['shop_id'], ...metadata } })
    await sendEvent(shop, stripe.event('checkout.session.completed', session))
  }
  const reasons = async () => (await listAttentionItems(admin)).items.map(({ reason }) => reason)
  const reason = '$14.99 was paid in a checkout that names no purchase.'
  await soon(shop, reasons).toEqual([reason, reason])
})
