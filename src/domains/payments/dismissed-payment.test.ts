// A payment that the author has dismissed completes nothing by itself, whatever happens afterwards.
import { expect, test } from 'vitest'
import { changeCheckouts, changePurchases } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { countAttentionItems, listAuditEvents, listHeld, press } from '#test/needs.ts'
import { buy, openPaidShop, own, sessionOf, settle, startLiveStripe, sendEvent } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { findCheckout } from './checkout-record.ts'
import { stateOf } from './payment-states.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import { reconcile } from './reconcile.ts'
import { settlePurchase } from './settle.ts'

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
