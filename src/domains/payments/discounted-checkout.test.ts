// Discount codes where money is taken: Stripe is asked for the discounted price, and a use is counted once.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import { changePurchases } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { openPaidShop, sessionOf, settle, startLiveStripe, sendEvent } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { settlePurchase } from './settle.ts'

const add = (admin: Person, body: object) => admin.call('POST', '/api/admin/discounts', { body })

async function begin(shop: TestShop, person: Person, code?: string, key: string = randomUUID()) {
  const { id: product_id } = await shop.product('digital')
  return person.call('POST', '/api/purchases', {
    body: { product_id, ...(code && { code }) },
    headers: { 'idempotency-key': key },
  })
}
const buy = async (...given: Parameters<typeof begin>) =>
  (await (await begin(...given)).json()) as PurchaseMade & { code?: string }

async function uses({ services }: TestShop): Promise<number> {
  const { rows } = await services.database.pool.query<{ uses: number }>('select uses from discount_codes')
  return rows[0]!.uses
}

/** Still payable at Stripe, as after a lost response. */
const cancelHere = ({ services }: TestShop, id: string) =>
  changePurchases(services.db, { status: 'canceled' }, id)

test('the discounted price is what is charged; the checkout is resumed with its code, and another price is another one', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await add(admin, { code: 'LAST', percent: 20, max_uses: 1 })
  const first = await buy(shop, user, 'LAST')
  expect(sessionOf(stripe, first.id)).toMatchObject({ amount_total: 1199 })
  expect(await buy(shop, user, 'LAST')).toMatchObject({ id: first.id, amount: 11.99, discount_code: 'LAST' })
  expect((await buy(shop, await shop.person(), 'LAST')).code).toBe('discounts.used_up')
  expect([stripe.sessions.size, await uses(shop)]).toEqual([1, 1])

  // Without the code it is another checkout, and the use is there again.
  const full = await buy(shop, user)
  expect([full.amount, sessionOf(stripe, first.id).status]).toEqual([14.99, 'expired'])
  expect(await uses(shop)).toBe(0)
  const again = await buy(shop, user, 'LAST')
  expect(sessionOf(stripe, full.id).status).toBe('expired')
  stripe.pay(sessionOf(stripe, again.id).id)
  expect(await settle(user, again.id)).toBe('completed')
  const receipt = await (await user.call('GET', `/api/purchases/${again.id}/receipt`)).json()
  expect(receipt).toMatchObject({ price: 14.99, discount: 3, total: 11.99 })
  expect(await uses(shop)).toBe(1)
})

test('an open payment is continued at its price when its code has ended, by its buyer alone', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false, env: { RATE_LIMIT: 'on' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await add(admin, { code: 'SPRING', percent: 20, max_uses: 1 })
  const first = await buy(shop, user, 'SPRING')
  await shop.services.database.pool.query('update discount_codes set ended_at = now()')
  // More often than a network may guess.
  for (let time = 0; time < 21; time += 1)
    expect(await buy(shop, user, 'SPRING')).toMatchObject({ id: first.id, amount: 11.99 })
  expect((await buy(shop, await shop.person(), 'SPRING')).code).toBe('discounts.not_valid')
  expect([stripe.sessions.size, await uses(shop)]).toEqual([1, 1])
})

test('a use is back when its checkout expires, and taken again when it was paid after all', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await add(admin, { code: 'SOME', amount_off: 5, max_uses: 5 })
  const left = await buy(shop, user, 'SOME')
  stripe.expire(sessionOf(stripe, left.id).id)
  await sendEvent(shop, stripe.event('checkout.session.expired', sessionOf(stripe, left.id)))
  await soon(shop, () => uses(shop)).toBe(0)

  const late = await buy(shop, user, 'SOME')
  await cancelHere(shop, late.id)
  expect(await uses(shop)).toBe(0)
  stripe.pay(sessionOf(stripe, late.id).id)
  expect([await settlePurchase(shop.services, late.id), await uses(shop)]).toEqual(['completed', 1])
})

test('a late payment and an order with the same code and the same copies do not lock each other out', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { database } = shop.services
  const { id: product_id } = await shop.product('paperback')
  await given.copies(shop, 'paperback', 5)
  await add(admin, { code: 'BOTH', percent: 10, max_uses: 5 })
  const body = { product_id, code: 'BOTH' }
  const late = (await (await user.call('POST', '/api/purchases', { body })).json()) as PurchaseMade
  await cancelHere(shop, late.id)
  stripe.pay(sessionOf(stripe, late.id).id)

  const client = await database.pool.connect()
  // Else a failure here would leave the test shop waiting for the end of this transaction.
  using _released = { [Symbol.dispose]: () => client.release(true) }
  await client.query('begin; select from stock for update')
  const settled = settlePurchase(shop.services, late.id)
  await untilWaiting(database, 1)
  const ordered = admin.call('POST', '/api/purchases', { body })
  await untilWaiting(database, 2)
  await client.query('commit')
  expect([await settled, (await ordered).status, await uses(shop)]).toEqual(['completed', 201, 2])
  const { rows } = await database.pool.query('select copies from stock')
  expect(rows).toEqual([{ copies: 3 }])
})

test('a code for all of the price completes without Stripe, once for one key', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await add(admin, { code: 'FREE', percent: 100 })
  const open = await buy(shop, user)
  const key = randomUUID()
  const two = await Promise.all([buy(shop, user, 'FREE', key), buy(shop, user, 'FREE', key)])
  expect(two).toMatchObject(
    [1, 2].map(() => ({ id: two[0].id, amount: 0, status: 'completed', checkout_url: null })),
  )
  // The buyer has nothing left to pay.
  expect(sessionOf(stripe, open.id).status).toBe('expired')
  expect([stripe.sessions.size, await uses(shop)]).toEqual([1, 1])
  await shop.mailbox.to(user.email, /Your receipt/)
})

test('what was free stays bought under its key when its code has ended since', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await add(admin, { code: 'FREE', percent: 100 })
  const key = randomUUID()
  const { id } = await buy(shop, user, 'FREE', key)
  await shop.services.database.pool.query('update discount_codes set ended_at = now()')
  const again = await begin(shop, user, 'FREE', key)
  expect([again.status, await again.json()]).toMatchObject([200, { id, amount: 0, status: 'completed' }])
  const other = await begin(shop, user, undefined, key)
  expect(await other.json()).toMatchObject({ code: 'purchases.key_reused' })
  expect((await buy(shop, user, 'FREE')).code).toBe('discounts.not_valid')
})

test('what is free is completed at the price that was looked at, whatever it becomes meanwhile', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { database } = shop.services
  const { id: product_id } = await shop.product('digital')
  await given.price(shop, 'digital', 10)
  await add(admin, { code: 'TENOFF', amount_off: 10 })
  const client = await database.pool.connect()
  // Else a failure here would leave the test shop waiting for the end of this transaction.
  using _released = { [Symbol.dispose]: () => client.release(true) }
  // Holds up the purchase between its look at the price and its row.
  await client.query('begin; lock table purchases in share mode')
  const bought = user.call('POST', '/api/purchases', { body: { product_id, code: 'TENOFF' } })
  await untilWaiting(database, 1)
  const raised = database.pool.query(`update products set price = 15 where format = 'digital'`)
  await untilWaiting(database, 2)
  await client.query('commit')
  await raised
  expect(await (await bought).json()).toMatchObject({ amount: 0, status: 'completed' })
})

test('a price that Stripe cannot charge is refused in words', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await add(admin, { code: 'NEARLY', amount_off: 14.8 })
  const refused = await begin(shop, user, 'NEARLY')
  expect(await refused.json()).toMatchObject({ status: 422, code: 'discounts.too_small' })
  expect([stripe.sessions.size, await uses(shop)]).toEqual([0, 0])
})

test('what a code makes free in test mode is a real order, and no payment that was tried out', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await add(admin, { code: 'FREE', percent: 100, max_uses: 1 })
  const { id, status } = await buy(shop, admin, 'FREE')
  const { rows } = await shop.services.database.pool.query('select id, is_test from purchases')
  expect([status, rows, await uses(shop)]).toEqual(['completed', [{ id, is_test: false }], 1])
  const connection = await admin.call('GET', '/api/admin/payments/connection')
  expect(await connection.json()).toMatchObject({ mode: 'test', test_order: null })
})

test('a test order counts no use of its code, and a code that is used up is refused to it as well', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { pool } = shop.services.database
  await add(admin, { code: 'LAST', percent: 20, max_uses: 1 })
  const { id, amount } = await buy(shop, user, 'LAST')
  stripe.pay(sessionOf(stripe, id).id)
  expect([amount, await settle(user, id), await uses(shop)]).toEqual([11.99, 'completed', 0])
  await changePurchases(shop.services.db, { status: 'canceled' })
  await changePurchases(shop.services.db, { status: 'completed' })
  expect(await uses(shop)).toBe(0)
  await pool.query('update discount_codes set uses = 1')
  expect((await buy(shop, await shop.person(), 'LAST')).code).toBe('discounts.used_up')
})
