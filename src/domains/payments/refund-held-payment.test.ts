// A held payment that goes back: once, in the currency and to the amount that was paid.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  countAttentionItems,
  hold,
  isCheaper,
  isEuros,
  listAuditEvents,
  listHeld,
  listAttentionItems,
  press,
} from '#test/needs.ts'
import { openPaidShop, own } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { readSums } from '#test/sales-sums.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { refundJob } from './refunds.ts'
import { settlePurchase } from './settle.ts'

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
