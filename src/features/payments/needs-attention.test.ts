// What waits for the author: listed once, counted, and each audit event done once however often it is asked for.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Need, NeedOf, AttentionCount } from './contract/needs-attention.ts'
import type { Page } from '#platform/contract/paging.ts'
import type { OwnPurchases, PurchaseMade } from '../purchases/contract/purchases.ts'
import { findCheckout } from './checkout-record.ts'
import { stateOf } from './payment-states.ts'
import { refundJob } from './refunds.ts'
import { settlePurchase } from './settle.ts'
import { givePaymentEvents } from '#test/factories.ts'
import { readSums } from '#test/sales-sums.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { soon } from '#test/retries.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { startStripe, type Session, type StripeStandIn } from '@lectern/stripe-stand-in'

/** A payment that does not fit its purchase. */
async function hold(
  shop: TestShop,
  stripe: StripeStandIn,
  person: Person,
  spoil: (session: Session) => void,
) {
  const { id: product_id } = await shop.product('digital')
  const made = await person.call('POST', '/api/purchases', { body: { product_id } })
  const { id } = (await made.json()) as PurchaseMade
  const session = [...stripe.sessions.values()].find((each) => each['client_reference_id'] === id)!
  stripe.pay(session.id)
  spoil(session)
  await settlePurchase(shop.services, id)
  return { id, session }
}

const isCheaper = (session: Session) => Object.assign(session, { amount_subtotal: 999, amount_total: 999 })
const isEuros = (session: Session) => Object.assign(session, { currency: 'eur' })

const list = async (admin: Person, after = '') =>
  (await (await admin.call('GET', `/api/admin/payments${after && `?after=${after}`}`)).json()) as Page<Need>
const held = async (admin: Person) =>
  (await list(admin)).items.filter((need): need is NeedOf<'held'> => need.kind === 'held')
const count = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/payments/count')).json()) as AttentionCount
const press = (admin: Person, path: string, body: object = {}) =>
  admin.call('POST', `/api/admin/payments/${path}`, { body })
const own = async (person: Person) =>
  ((await (await person.call('GET', '/api/purchases')).json()) as OwnPurchases).items[0]!
const auditEvents = async ({ services }: TestShop) =>
  (
    await services.database.pool.query<{ action: string }>(
      'select action from audit_log order by created_at, id',
    )
  ).rows.map(({ action }) => action)

test('a held payment says why, and is accepted once at what was really paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  expect(await count(admin)).toEqual({ payments: 'test', count: 0 })
  const { id, session } = await hold(shop, stripe, user, isCheaper)
  expect(await held(admin)).toMatchObject([
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
  expect(await count(admin)).toEqual({ payments: 'test', count: 1 })
  expect(await own(user)).toMatchObject({ status: 'pending', is_held: true, has_misfit: true })

  const checked = await press(admin, `held/${id}/check`)
  expect(await checked.json()).toEqual({ status: null })
  const twice = await Promise.all([press(admin, `held/${id}/accept`), press(admin, `held/${id}/accept`)])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect(await own(user)).toMatchObject({ status: 'completed', amount: 9.99, is_held: false })
  expect((await shop.mailbox.to(user.email, /receipt/)).text).toContain('$9.99')
  expect(await count(admin)).toMatchObject({ count: 0 })
  expect(await auditEvents(shop)).toEqual(['payments.checked', 'payments.accepted'])
  const { kept, counted } = await readSums(shop.services.database)
  expect(kept).toEqual(counted)
})

test('what is not a payment in dollars for this purchase is never accepted, but goes back, once, and its buyer is told', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
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
  await soon(shop, async () => (await held(admin)).map(({ id }) => id)).toEqual([foreign.id])
  expect(stripe.refunds).toMatchObject([{ amount: 1499, payment_intent: euros.session['payment_intent'] }])
  expect(await own(user)).toMatchObject({ status: 'canceled', is_held: true })
  await settlePurchase(shop.services, euros.id)
  const mail = await shop.mailbox.to(user.email, /Your refund/)
  expect(mail.text).toContain('14.99 EUR')
  const { kept, counted } = await readSums(shop.services.database)
  expect(kept).toEqual(counted)

  expect((await press(admin, `held/${foreign.id}/dismissal`, { note: '' })).status).toBe(422)
  expect((await press(admin, `held/${foreign.id}/dismissal`, { note: 'Settled by phone' })).status).toBe(200)
  expect((await press(admin, `held/${foreign.id}/dismissal`, { note: 'Again' })).status).toBe(409)
  // Whatever is told of it afterwards, it waits for nobody any more.
  await settlePurchase(shop.services, foreign.id)
  expect(await count(admin)).toMatchObject({ count: 0 })
  expect(await auditEvents(shop)).toEqual(['payments.given_back', 'payments.dismissed'])
  const refunds = (await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('Your refund'))
  expect(refunds).toHaveLength(1)
})

test('what has no cents, or a thousand to one, is shown and given back as it was paid, also where Stripe refuses', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
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
  const paid = new Map((await held(admin)).map((need) => [need.id, need.paid]))
  expect(paid.get(yen.id)).toEqual({ total: 1499, currency: 'jpy' })
  expect(paid.get(dinars.id)).toEqual({ total: 14.99, currency: 'kwd' })
  expect(paid.get(shillings.id)).toEqual({ total: 1499, currency: 'ugx' })

  stripe.refund(yen.session.payment_intent as string, 499)
  for (const { id } of [yen, dinars]) expect((await press(admin, `held/${id}/refund`)).status).toBe(200)
  const refunded = () => new Set(stripe.refunds.map(({ amount }) => amount))
  await soon(shop, refunded).toEqual(new Set([499, 1000, 14_990]))
  expect((await shop.mailbox.to(yen.person.email, /Your refund/)).text).toContain('1499 JPY')
  expect((await shop.mailbox.to(dinars.person.email, /Your refund/)).text).toContain('14.99 KWD')

  stripe.dispute(shillings.session.id)
  expect((await press(admin, `held/${shillings.id}/refund`)).status).toBe(200)
  await soon(shop, async () => (await list(admin)).items).toMatchObject([
    { kind: 'refund', purchase_id: shillings.id, amount: 1499, currency: 'ugx' },
    { kind: 'held', id: shillings.id },
  ])
})

test('a payment whose refund is under way is not accepted; a refund that Stripe could not be asked for needs attention, too', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await hold(shop, stripe, user, isCheaper)
  expect((await press(admin, `held/${id}/refund`)).status).toBe(200)
  expect((await press(admin, `held/${id}/accept`)).status).toBe(409)

  const { rows } = await shop.services.db.execute<{ id: string }>('select id from refund_requests')
  const attempt = { id: randomUUID(), number: 25, isLast: true }
  stripe.fail(10)
  await expect(refundJob.run(shop.services, { request_id: rows[0]!.id }, attempt)).rejects.toThrow()
  expect((await list(admin)).items).toMatchObject([
    { kind: 'refund', purchase_id: id, reason: expect.stringContaining('could not be asked') },
    { kind: 'held', id, is_going_back: false },
  ])
})

test('what was given back at Stripe meanwhile is not accepted: it needs no attention any more, and its buyer has no book', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id, session } = await hold(shop, stripe, user, isCheaper)
  const intent = session['payment_intent'] as string
  stripe.intents.get(intent)!.amount = 999
  stripe.refund(intent)
  expect(await (await press(admin, `held/${id}/accept`)).json()).toMatchObject({
    code: 'payments.not_waiting',
  })
  expect(await own(user)).toMatchObject({ status: 'canceled' })
  expect(await count(admin)).toMatchObject({ count: 0 })
})

test('a held payment that fits by now completes when it is checked again; one without a payment has nothing to give back', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const [admin, user, other] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
  ]
  const { id, session } = await hold(shop, stripe, user, isEuros)
  session['currency'] = 'usd'
  expect(await (await press(admin, `held/${id}/check`)).json()).toEqual({ status: 'completed' })
  expect(await held(admin)).toEqual([])

  const unpaid = await hold(shop, stripe, other, (late) =>
    Object.assign(late, { status: 'open', payment_status: 'unpaid', payment_intent: null }),
  )
  await shop.services.database.pool.query(
    `update checkouts set held_reason = 'It is still pending after 90 days.' where purchase_id = $1`,
    [unpaid.id],
  )
  const refused = await press(admin, `held/${unpaid.id}/refund`)
  expect(await refused.json()).toMatchObject({ code: 'payments.nothing_paid' })
  expect(await held(admin)).toMatchObject([{ id: unpaid.id, paid: null, stripe_url: null }])
  expect(await own(other)).toMatchObject({ is_held: true, has_misfit: false })
  stripe.expire(unpaid.session.id)
  expect(await (await press(admin, `held/${unpaid.id}/check`)).json()).toEqual({ status: 'canceled' })
  expect(await count(admin)).toMatchObject({ count: 0 })
  expect(await own(other)).toMatchObject({ status: 'canceled', is_held: false })
})

test('a dismissed payment whose checkout ends unpaid becomes an ordinary canceled purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id, session } = await hold(shop, stripe, user, (late) =>
    Object.assign(late, { status: 'open', payment_status: 'unpaid', payment_intent: null }),
  )
  await shop.services.database.pool.query(
    `update checkouts set held_reason = 'It is still pending after 90 days.'`,
  )
  expect((await press(admin, `held/${id}/dismissal`, { note: 'Settled by phone' })).status).toBe(200)
  expect(stateOf((await findCheckout(shop.services.db, id))!)).toBe('dismissed')
  stripe.expire(session.id)
  await settlePurchase(shop.services, id)
  expect(stateOf((await findCheckout(shop.services.db, id))!)).toBe('canceled')
})

test('refused refunds, lost events and mails that failed for good are listed page by page, and are tried again or dismissed', async () => {
  await using server = await openSmtpServer('refuses for good')
  await using stripe = await startStripe()
  await using shop = await openTestShop({
    env: { ...stripe.env, RATE_LIMIT: 'off', SMTP_URL: server.url },
  })
  const { pool } = shop.services.database
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id, session } = await hold(shop, stripe, user, () => undefined)
  // Given back at Stripe meanwhile, so that there is nothing left to refund there.
  const intent = session['payment_intent'] as string
  stripe.refund(intent)
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(202)
  await soon(shop, async () => (await list(admin)).items).toMatchObject([
    { kind: 'refund', purchase_id: id, reason: expect.stringMatching(/refunded/) },
  ])

  await givePaymentEvents(shop.services.db, 40, (n) => ({
    type: 'charge.updated',
    received_at: new Date(Date.now() - n * 2 * 3_600_000),
  }))
  const first = await list(admin)
  const rest = await list(admin, first.next!)
  const ids = [...first.items, ...rest.items].map((need) => need.id)
  expect([first.items.length, new Set(ids).size, rest.next]).toEqual([30, 41, null])
  expect(first.items.find(({ kind }) => kind === 'event')).toMatchObject({
    id: 'evt_1',
    stripe_url: 'https://dashboard.stripe.com/test/events/evt_1',
  })
  expect((await press(admin, 'event/evt_1/again')).status).toBe(200)
  await soon(shop, async () => (await count(admin)).count).toBe(40)
  expect((await press(admin, 'event/evt_1/again')).status).toBe(409)
  expect((await press(admin, 'event/evt_2/dismissal', { note: 'Not ours' })).status).toBe(200)
  await pool.query('update payment_events set handled_at = now()')
  const refund = (await list(admin)).items[0]!
  expect((await press(admin, `refund/${refund.id}/dismissal`, { note: 'It went back' })).status).toBe(200)
  expect((await press(admin, `refund/not-an-id/dismissal`, { note: 'x' })).status).toBe(409)

  const receipt = async () =>
    (await pool.query(`select state from pgboss.job where name = 'mail.receipt'`)).rows[0].state as string
  await expect.poll(receipt).toBe('retry')
  expect(await count(admin)).toMatchObject({ count: 0 })
  await pool.query(`update pgboss.job set retry_count = 23, start_after = now() where name = 'mail.receipt'`)
  await soon(shop, async () => (await list(admin)).items).toMatchObject([
    { kind: 'mail', recipient: user.email, attempts: 25, purchase_id: id },
  ])
  const [mail] = (await list(admin)).items
  server.mood = 'takes mails'
  const twice = await Promise.all([
    press(admin, `mail/${mail!.id}/again`),
    press(admin, `mail/${mail!.id}/again`),
  ])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  await soon(
    shop,
    async () => (await pool.query('select status from mails where id = $1', [mail!.id])).rows,
  ).toEqual([{ status: 'sent' }])
  expect(await count(admin)).toMatchObject({ count: 0 })

  await pool.query(`update mails set status = 'failed', given_up_at = now() where id = $1`, [mail!.id])
  await pool.query('delete from pgboss.job')
  expect(await (await press(admin, `mail/${mail!.id}/again`)).json()).toMatchObject({ code: 'mails.too_old' })
  expect((await press(admin, `mail/${mail!.id}/dismissal`, { note: 'Told her' })).status).toBe(200)
  expect(await auditEvents(shop)).toEqual([
    'purchases.refund_asked',
    'payments.refunded',
    'payments.event_tried_again',
    'events.dismissed',
    'refunds.dismissed',
    'mails.sent_again',
    'mails.dismissed',
  ])
})
