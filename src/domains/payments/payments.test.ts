// Money: every way in which a payment may come, be late, be lost, be told twice, or go back.
import { expect, test } from 'vitest'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import { age } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { begin, buy, openPaidShop, own, sessionOf, settle, sendEvent } from '#test/paying.ts'
import { readSums } from '#test/sales-sums.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { reconcile } from './reconcile.ts'

const receipts = async (shop: TestShop, person: Person) =>
  (await shop.mailbox.all()).filter((mail) => mail.to?.[0]?.address === person.email).length

test('nothing is bought before it is paid; after two concurrent events it is bought once', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const purchase = await buy(shop, user)
  expect(purchase).toMatchObject({
    status: 'pending',
    amount: 14.99,
    checkout_url: expect.stringContaining(stripe.url),
  })
  expect((await user.call('POST', `/api/purchases/${purchase.id}/download`, { body: {} })).status).toBe(409)
  expect(await settle(user, purchase.id)).toBe('pending')

  const session = sessionOf(stripe, purchase.id)
  expect(session.shipping_address_collection).toBeNull()
  stripe.pay(session.id, { discount: 300, tax: 100 })
  const event = stripe.event('checkout.session.completed', session)
  const responses = await Promise.all([
    sendEvent(shop, event),
    sendEvent(shop, event),
    settle(user, purchase.id),
    settle(user, purchase.id),
    reconcile(shop.services),
  ])
  expect(responses[0].status).toBe(200)
  await expect.poll(async () => (await own(user))[0]).toMatchObject({ status: 'completed', amount: 12.99 })
  await expect.poll(() => receipts(shop, user)).toBe(1)
  await sendEvent(shop, event)
  const handled = async () =>
    (await shop.services.database.pool.query('select from payment_events where handled_at is not null'))
      .rowCount
  await expect.poll(handled).toBe(1)
  expect(await receipts(shop, user)).toBe(1)
  expect(
    (await sendEvent(shop, { ...event, headers: { ...event.headers, 'stripe-signature': 't=1,v1=x' } }))
      .status,
  ).toBe(400)
  expect(
    (await sendEvent(shop, stripe.event('customer.created', { object: 'customer', id: 'cus_1' }))).status,
  ).toBe(200)
})

test('every further click leads to the open checkout, also of two at once, and never to a second checkout of a paid product', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const two = await Promise.all([buy(shop, user), buy(shop, user)])
  expect(two[0].id).toBe(two[1].id)
  expect(stripe.sessions.size).toBe(1)
  expect((await buy(shop, user)).checkout_url).toBe(two[0].checkout_url)
  stripe.pay(sessionOf(stripe, two[0].id).id)
  const again = await buy(shop, user)
  expect([again.id, again.status, again.checkout_url]).toEqual([two[0].id, 'completed', null])
})

test('a changed price ends the open checkout; an ended one is no purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const first = await buy(shop, user)
  await given.price(shop, 'digital', 9.5)
  const second = await buy(shop, user)
  expect([second.amount, second.id === first.id]).toEqual([9.5, false])
  expect(sessionOf(stripe, first.id).status).toBe('expired')
  expect((await own(user)).map(({ id }) => id)).toEqual([second.id])
  stripe.expire(sessionOf(stripe, second.id).id)
  expect(await settle(user, second.id)).toBe('canceled')
  expect((await own(user)).map(({ id, status }) => [id, status])).toEqual([[second.id, 'canceled']])
  await age(shop.services.database, 'purchases.created_at', '8 days')
  expect(await own(user)).toEqual([])
  const { kept, counted } = await readSums(shop.services.database)
  expect(kept).toEqual(counted)
  expect(kept).toMatchObject([{ purchases: 0, revenue: 0, begun: 2, paid: 0 }])
})

test('with the provider away nothing is lost: the same click goes on where it stopped', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.fail(2)
  const refused = await begin(shop, user, 'digital', 'one-click-of-mine')
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    503,
    'payments.unavailable',
  ])
  const made = (await (await begin(shop, user, 'digital', 'one-click-of-mine')).json()) as PurchaseMade
  expect(made.checkout_url).toMatch(stripe.url)
  expect((await own(user)).length).toBe(1)
})

test('a payment without an event is found; one that does not fit is held', async () => {
  await using stripe = await startStripe()
  let now = new Date()
  await using shop = await openPaidShop(stripe, { clock: () => now, hasWorkers: false })
  const people = await Promise.all(Array.from({ length: 4 }, () => shop.person()))
  const made = await Promise.all(people.map((person) => buy(shop, person)))
  const sessions = made.map(({ id }) => sessionOf(stripe, id))
  for (const { id } of sessions) stripe.pay(id)
  sessions[1]!['currency'] = 'eur'
  sessions[2]!.amount_subtotal = 1
  sessions[3]!['metadata'] = { purchase_id: made[0]!.id, product_id: made[0]!.product.id }
  now = new Date(now.getTime() + 10 * 60_000)
  expect(await reconcile(shop.services)).toEqual({ asked: 4, failed: 0 })
  expect(stripe.busiest()).toBeLessThanOrEqual(4)
  const { rows } = await shop.services.database.pool.query(
    `select status, held_reason from purchases join checkouts on purchase_id = id order by held_reason nulls first`,
  )
  expect(rows).toEqual([
    { status: 'completed', held_reason: null },
    { status: 'pending', held_reason: 'The payment is for $0.01, the purchase for $14.99.' },
    { status: 'pending', held_reason: 'The payment is in EUR, not in USD.' },
    { status: 'pending', held_reason: 'The payment names another purchase.' },
  ])
})

test('however often a buyer asks before paying, the reconciler asks as soon as it would have', async () => {
  await using stripe = await startStripe()
  let now = new Date()
  await using shop = await openPaidShop(stripe, { clock: () => now, hasWorkers: false })
  const user = await shop.person()
  const { id } = await buy(shop, user)
  for (let asked = 0; asked < 10; asked += 1) await settle(user, id)
  stripe.pay(sessionOf(stripe, id).id)
  now = new Date(now.getTime() + 6 * 60_000)
  expect(await reconcile(shop.services)).toEqual({ asked: 1, failed: 0 })
  expect((await own(user))[0]!.status).toBe('completed')
})

test('money goes back by the buyer, by the author, and by a bank, each once, and the sums are Stripe’s to the cent', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const [anna, ben, eva] = [await shop.person(), await shop.person(), await shop.person()] as const
  const bought = async (person: Person) => {
    const { id } = await buy(shop, person)
    stripe.pay(sessionOf(stripe, id).id)
    await settle(person, id)
    return id
  }
  const ids = { anna: await bought(anna), ben: await bought(ben), eva: await bought(eva) }
  const refund = (person: Person, id: string) =>
    person.call('POST', `/api/purchases/${id}/refund`, { body: { reason: 'no' } })
  expect((await refund(ben, ids.anna)).status).toBe(404)
  const twice = await Promise.all([refund(anna, ids.anna), refund(anna, ids.anna)])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await anna.call('POST', `/api/purchases/${ids.anna}/download`, { body: {} })).status).toBe(409)
  await expect.poll(async () => (await own(anna))[0]!.status).toBe('refunded')

  const give = (amount: number) =>
    admin.call('POST', `/api/admin/purchases/${ids.ben}/refund`, { body: { amount, reason: 'kind' } })
  expect((await give(20)).status).toBe(422)
  expect((await give(5)).status).toBe(202)
  await expect.poll(async () => (await own(ben))[0]!.status).toBe('partially_refunded')
  expect((await ben.call('POST', `/api/purchases/${ids.ben}/download`, { body: {} })).status).toBe(200)

  const eventOf = (type: string) =>
    sendEvent(shop, stripe.event(type, stripe.dispute(sessionOf(stripe, ids.eva).id)))
  await eventOf('charge.dispute.created')
  await expect.poll(async () => (await own(eva))[0]!.status).toBe('disputed')
  stripe.dispute(sessionOf(stripe, ids.eva).id, 'won')
  await sendEvent(
    shop,
    stripe.event('charge.dispute.closed', stripe.dispute(sessionOf(stripe, ids.eva).id, 'won')),
  )
  await expect.poll(async () => (await own(eva))[0]!.status).toBe('completed')

  const { kept, counted, wrongUsers } = await readSums(shop.services.database)
  expect([kept, wrongUsers]).toEqual([counted, []])
  const cents = [...stripe.sessions.values()].reduce((sum, each) => sum + each.amount_total, 0)
  const back = stripe.refunds.reduce((sum, { amount }) => sum + amount, 0)
  expect(kept.reduce((sum, { revenue }) => sum + Math.round(revenue * 100), 0)).toBe(cents - back)
})

test('what a bank leaves of a disputed payment stays with the shop and counts in every sum', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  stripe.pay(session.id)
  await settle(user, id)
  const read = async <Body>(path: string) => (await (await admin.call('GET', path)).json()) as Body
  const sums = async () => {
    const { totals } = await read<{ totals: { total_revenue: number } }>('/api/admin/sales')
    const { total_spent } = await read<{ total_spent: number }>(`/api/admin/users/${user.id}`)
    const { rows } = await shop.services.database.pool.query<{ kept: number }>(
      'select net_amount(status, amount, refunded) as kept from purchases',
    )
    return [totals.total_revenue, total_spent, rows[0]!.kept]
  }
  stripe.dispute(session.id, 'needs_response', 500)
  expect(await settle(user, id)).toBe('disputed')
  expect(await sums()).toEqual([9.99, 9.99, 9.99])
  await shop.services.database.pool.query('select sums_rebuild()')
  expect(await sums()).toEqual([9.99, 9.99, 9.99])
  stripe.dispute(session.id, 'won')
  expect(await settle(user, id)).toBe('completed')
  expect(await sums()).toEqual([14.99, 14.99, 14.99])
  const { kept, counted, wrongUsers } = await readSums(shop.services.database)
  expect([kept, wrongUsers]).toEqual([counted, []])
})

test('the refund period ends', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id } = await buy(shop, user)
  stripe.pay(sessionOf(stripe, id).id)
  await settle(user, id)
  const bought = (daysAgo: number) =>
    shop.services.database.pool.query(`update purchases set created_at = now() - interval '${daysAgo} days'`)
  await bought(29)
  expect((await own(user))[0]!.is_refundable).toBe(true)
  await bought(31)
  expect((await own(user))[0]!.is_refundable).toBe(false)
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(409)
})
