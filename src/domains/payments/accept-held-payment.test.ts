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
} from '#test/needs.ts'
import { openPaidShop, own } from '#test/paying.ts'
import { readSums } from '#test/sales-sums.ts'
import { startStripe } from '@lectern/stripe-stand-in'

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
  expect((await own(user))[0]).toMatchObject({ status: 'pending', is_held: true, has_misfit: true })

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
  expect((await own(other))[0]).toMatchObject({ is_held: true, has_misfit: false })
  stripe.expire(unpaid.session.id)
  expect(await (await press(admin, `held/${unpaid.id}/check`)).json()).toEqual({ status: 'canceled' })
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect((await own(other))[0]).toMatchObject({ status: 'canceled', is_held: false })
})
