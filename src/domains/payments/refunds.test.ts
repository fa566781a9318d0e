// Money that is asked back: once, in whole cents, and also when the provider cannot be asked for a while.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Evidence } from '#contract/orders/admin-orders.ts'
import type { AttentionList } from '#contract/payments/needs-attention.ts'
import { buy, buyAndPay, openPaidShop, own, sessionOf, settle, sendEvent } from '#test/paying.ts'
import type { Person } from '#test/users.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { paymentEventJob } from './events.ts'
import { refundJob } from './refunds.ts'

test('what is asked for while the keys are away is done once they are back, and no event is marked as handled before', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { services } = shop
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  await sendEvent(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id)))
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  const first = async <Row extends object>(query: string) =>
    (await services.database.pool.query<Row>(query)).rows[0]!
  const { request_id } = await first<{ request_id: string }>('select id as request_id from refund_requests')
  const { event_id } = await first<{ event_id: string }>('select id as event_id from payment_events')
  const attempt = { id: randomUUID(), number: 1, isLast: false }

  const keyless = { ...services, payments: { mode: () => 'none' as const, current: () => undefined } }
  await expect(refundJob.run(keyless, { request_id }, attempt)).rejects.toThrow('takes no payments')
  await expect(paymentEventJob.run(keyless, { event_id }, attempt)).rejects.toThrow('takes no payments')
  expect(await first('select handled_at from payment_events')).toEqual({ handled_at: null })
  await refundJob.run(services, { request_id }, attempt)
  await paymentEventJob.run(services, { event_id }, attempt)
  expect((await own(user))[0]!.status).toBe('refunded')
  expect(await first('select status from refund_requests')).toEqual({ status: 'done' })
})

test('a refund is a number of whole cents', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  const give = async (amount: number) =>
    (await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })).status
  expect([await give(0.001), await give(5.005), await give(5.01)]).toEqual([422, 422, 202])
})

test('why money goes back stands beside it, and the actor in the audit log, also what a bank or Stripe did', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  const session = sessionOf(stripe, id)
  const read = async () =>
    (await (await admin.call('GET', `/api/admin/purchases/${id}/evidence`)).json()) as Evidence
  const runAsked = async () => {
    const { rows } = await shop.services.database.pool.query<{ request_id: string }>(
      `select id as request_id from refund_requests where status = 'asked'`,
    )
    await refundJob.run(shop.services, rows[0]!, { id: randomUUID(), number: 1, isLast: false })
  }
  const give = { amount: 2, reason: 'A bent corner' }
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: give })
  await runAsked()
  stripe.refund(session.payment_intent as string, 100).metadata = { request_id: 'of another tool' }
  stripe.dispute(session.id)
  await settle(user, id)
  stripe.dispute(session.id, 'won')
  await settle(user, id)
  await user.call('POST', `/api/purchases/${id}/refund`, { body: { reason: 'I have it twice' } })
  await runAsked()

  const { adjustments, events, status } = await read()
  expect(status).toBe('refunded')
  expect(adjustments.map(({ amount, note }) => `${amount} ${note}`).toSorted()).toEqual([
    '-1 ',
    '-11.99 ',
    '-11.99 By the buyer: I have it twice',
    '-2 A bent corner',
    '11.99 ',
  ])
  expect(events.map(({ action, actor }) => [action, actor])).toEqual([
    ['purchases.refunded', admin.email],
    ['payments.refunded', 'Stripe'],
    ['payments.disputed', 'Stripe'],
    ['payments.dispute_won', 'Stripe'],
    ['purchases.refund_asked', user.email],
  ])
})

test('a part that is given back is given once, though the author sends it again after its response was lost', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  const give = async (body: object) =>
    (await (await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body })).json()) as object
  expect(await give({ amount: 5, refunded: 0 })).toMatchObject({ id })
  expect(await give({ amount: 5, refunded: 0 })).toMatchObject({
    code: expect.stringMatching(/^purchases\.(not_refundable|refunded_meanwhile)$/),
  })
  await expect.poll(async () => (await own(user))[0]!.status).toBe('partially_refunded')
  await expect
    .poll(() => give({ amount: 5, refunded: 0 }))
    .toMatchObject({ code: 'purchases.refunded_meanwhile' })
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([500])
})

test('while all of the money is on its way back, the purchase says so and gives nothing', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  expect(await own(user)).toMatchObject([{ is_going_back: false, is_refundable: true }])
  await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })
  expect(await own(user)).toMatchObject([{ status: 'completed', is_going_back: true, is_refundable: false }])
})

/** Asks for all of it back, and runs the job until it is asked of Stripe no more. */
async function askBack(shop: TestShop, user: Person, id: string) {
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  const { rows } = await shop.services.database.pool.query<{ id: string }>(
    `select id from refund_requests where status = 'asked'`,
  )
  return () =>
    refundJob.run(shop.services, { request_id: rows[0]!.id }, { id: randomUUID(), number: 1, isLast: false })
}

const needs = async (admin: Person) =>
  ((await (await admin.call('GET', '/api/admin/payments')).json()) as AttentionList).items

test('a refund that had failed before the shop first read it ends as failed, with its mail and its item', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  stripe.failNextRefund()
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  const mail = await shop.mailbox.to(user.email, /did not arrive/)
  expect(mail.text).toContain('$14.99')
  const { rows } = await shop.services.database.pool.query('select status, problem from refund_requests')
  expect(rows).toEqual([{ status: 'failed', problem: 'The card has expired or was canceled.' }])
  expect(await own(user)).toMatchObject([{ status: 'completed', is_refundable: true, is_going_back: false }])
  const [need] = await needs(admin)
  expect(need).toMatchObject({
    kind: 'refund_failed',
    id: stripe.refunds[0]!.id,
    purchase_id: id,
    amount: 14.99,
    reason: 'The card has expired or was canceled.',
  })
  expect((await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('Your refund'))).toHaveLength(
    1,
  )

  const dismiss = (note: string) =>
    admin.call('POST', `/api/admin/payments/refund_failed/${need!.id}/dismissal`, { body: { note } })
  const twice = await Promise.all([dismiss('Sent a cheque'), dismiss('Sent a cheque')])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  await settle(user, id)
  expect(await needs(admin)).toEqual([])

  // Asked for once more, it arrives, and the one that failed takes nothing from it.
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  await expect.poll(async () => (await own(user))[0]!.status).toBe('refunded')
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1499, 1499])
})

test('a refund that fails later, one made at Stripe, and one of a held payment need attention, too', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, anna, ben, cleo] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
    await shop.person(),
  ]
  const annas = await buyAndPay(shop, stripe, anna)
  await (
    await askBack(shop, anna, annas)
  )()
  expect((await own(anna))[0]!.status).toBe('refunded')
  const bens = await buyAndPay(shop, stripe, ben)
  const foreign = stripe.refund(sessionOf(stripe, bens).payment_intent as string, 500)
  const cleos = (await buy(shop, cleo)).id
  stripe.pay(sessionOf(stripe, cleos).id)
  sessionOf(stripe, cleos).currency = 'eur'
  await settle(cleo, cleos)
  const held = stripe.refund(sessionOf(stripe, cleos).payment_intent as string)

  const failed = [stripe.refunds[0]!.id, foreign.id, held.id]
  for (const refund of failed) stripe.failRefund(refund, 'insufficient_funds')
  for (const [person, id] of [
    [anna, annas],
    [ben, bens],
    [cleo, cleos],
  ] as const)
    await settle(person, id)
  expect((await own(anna))[0]!.status).toBe('completed')
  const waiting = (await needs(admin)).filter(({ kind }) => kind === 'refund_failed')
  expect(new Set(waiting.map(({ id }) => id))).toEqual(new Set(failed))
  expect(waiting.map(({ reason }) => reason)).toContain('There was not enough money in your Stripe account.')
  const { rows } = await shop.services.database.pool.query(`select status from refund_requests`)
  expect(rows).toEqual([{ status: 'failed' }])
})
