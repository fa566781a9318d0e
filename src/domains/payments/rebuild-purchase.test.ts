// Purchases made after the backup from which a shop was restored.
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { losePurchases, loseUsers } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { buy, openPaidShop, own, sessionOf, startLiveStripe, begin, buyAndPay, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { insertErasedIds } from '#domains/accounts/erased-ids.ts'
import { handleEvent, receiveEvents } from './events.ts'
import { alignTestOrders } from '#domains/settings/sums-settings.ts'
import { rebuildPurchase } from './rebuilt-purchases.ts'
import { reconcile, beginSearch, finishSearches } from './reconcile.ts'
import { settlePurchase } from './settle.ts'
import { daySeconds } from '#contract/durations.ts'
import type { Backups } from '#contract/backup/backups.ts'
import { listAttentionItems } from '#test/needs.ts'
import type { Person } from '#test/users.ts'

const code = async (response: Response) => ((await response.json()) as { code?: string }).code

/** As the database of an older backup: without the buyer and the purchase. */
async function forget(shop: TestShop, user_id: string): Promise<void> {
  const { pool } = shop.services.database
  await losePurchases(shop.services.db)
  await loseUsers({ pool }, [user_id])
  await pool.query(`select setval(pg_get_serial_sequence('purchases', 'number'), 1001, false)`)
}

async function findPurchases(shop: TestShop) {
  const { rows } = await shop.services.database.pool.query<{ number: number; email: string; status: string }>(
    'select id, number, status, amount, email from purchases join profiles using (user_id) order by number',
  )
  return rows
}

test('a purchase that was paid after the backup comes back with its buyer and its number, once', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const ruth = await shop.person({ email: 'ruth@example.com' })
  const { id } = await buy(shop, ruth)
  await forget(shop, ruth.id)
  stripe.pay(sessionOf(stripe, id).id)
  await Promise.all([reconcile(shop.services), reconcile(shop.services)])
  await soon(shop, () => findPurchases(shop)).toEqual([
    { id, number: 1001, status: 'completed', amount: 14.99, email: 'ruth@example.com' },
  ])
  await shop.mailbox.to('ruth@example.com', /receipt|thank/i)

  const other = await shop.person()
  const later = await buy(shop, other)
  expect((await own(other)).map((purchase) => purchase.number)).toEqual([1002])
  expect(later.id).not.toBe(id)
})

test('what was paid in the currency that the backup does not know waits, until the shop has it again', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { services } = shop
  const [admin, ruth] = [
    await shop.person({ role: 'admin' }),
    await shop.person({ email: 'ruth@example.com' }),
  ]
  const setCurrency = async (currency: string, revision: number) => {
    const body = { revision, values: { currency } }
    expect((await admin.call('PUT', '/api/admin/settings/shop', { body })).status).toBe(200)
  }
  await setCurrency('eur', 0)
  const { id } = await buy(shop, ruth)
  await forget(shop, ruth.id)
  await setCurrency('usd', 1)
  stripe.pay(sessionOf(stripe, id).id)
  await reconcile(services)
  const held = async () =>
    (await services.database.pool.query('select held_reason, currency, status from checkouts, purchases'))
      .rows
  const held_reason = 'The payment is in EUR, not in USD.'
  await soon(shop, held).toEqual([{ held_reason, currency: 'eur', status: 'pending' }])
  await setCurrency('eur', 2)
  expect((await admin.call('POST', `/api/admin/payments/held/${id}/check`)).status).toBe(200)
  expect(await held()).toEqual([{ held_reason: null, currency: 'eur', status: 'completed' }])
})

test('a number that was given to another purchase meanwhile is not given twice', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [ruth, boaz] = [await shop.person({ email: 'ruth@example.com' }), await shop.person()]
  const { id } = await buy(shop, ruth)
  await forget(shop, ruth.id)
  await buy(shop, boaz)
  stripe.pay(sessionOf(stripe, id).id)
  await reconcile(shop.services)
  await soon(shop, () => findPurchases(shop)).toMatchObject([
    { number: 1001, email: boaz.email },
    { id, number: 1002, email: 'ruth@example.com', status: 'completed' },
  ])
})

test('a buyer who has the address under another account gets the purchase there', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const before = await shop.person({ email: 'ruth@example.com' })
  const { id } = await buy(shop, before)
  await forget(shop, before.id)
  const after = await shop.person({ email: 'ruth@example.com' })
  stripe.pay(sessionOf(stripe, id).id)
  await reconcile(shop.services)
  await soon(shop, () => own(after)).toMatchObject([{ id, status: 'completed' }])
})

test('two events of one lost checkout that are handled at once find the same purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const ruth = await shop.person({ email: 'ruth@example.com' })
  const { id } = await buy(shop, ruth)
  const { id: session_id } = sessionOf(stripe, id)
  await forget(shop, ruth.id)
  stripe.pay(session_id)
  const events = ['a', 'b', 'c'].map((event) => ({
    id: event,
    type: 'checkout.session.completed',
    session_id,
    payment_intent: null,
    purchase_id: null,
    created_at: new Date(),
  }))
  await receiveEvents(shop.services, events)
  await Promise.all(events.map((event) => handleEvent(shop.services, event.id)))
  expect(await findPurchases(shop)).toMatchObject([{ id, status: 'completed' }])
  const { rows } = await shop.services.database.pool.query('select problem from payment_events')
  expect(rows).toEqual([{ problem: null }, { problem: null }, { problem: null }])
})

test('purchases that are made again while others buy never share a number with them', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [ruth, boaz] = [await shop.person({ email: 'ruth@example.com' }), await shop.person()]
  const sessions: string[] = []
  for (const buyer of [ruth, boaz, await shop.person(), await shop.person()]) {
    const session = sessionOf(stripe, (await buy(shop, buyer)).id)
    stripe.pay(session.id)
    sessions.push(session.id)
  }
  await forget(shop, ruth.id)
  const { database } = shop.services
  const order = await database.pool.connect()
  // Else a failure here would leave the test shop waiting for the end of this order.
  using _released = { [Symbol.dispose]: () => order.release(true) }
  await order.query('begin')
  await order.query(
    `insert into purchases (id, user_id, product_id, amount, status)
     select gen_random_uuid(), $1, id, price, 'pending' from products limit 1`,
    [boaz.id],
  )
  const rebuilt = Promise.all(sessions.map((session_id) => rebuildPurchase(shop.services, { session_id })))
  rebuilt.catch(() => undefined)
  await untilWaiting(database, 4)
  const others = [await shop.person(), await shop.person(), await shop.person()]
  const bought = Promise.all(others.map((other) => buy(shop, other)))
  await order.query('commit')
  expect(new Set(await rebuilt).size).toBe(4)
  await bought
  const numbers = (await findPurchases(shop)).map(({ number }) => number)
  expect(new Set(numbers).size).toBe(8)
  const next = await buy(shop, await shop.person())
  expect(next.number).toBe(Math.max(...numbers) + 1)
})

test('a purchase that is made again carries its discount code and counts as its use, also beyond the limit', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe)
  const { pool } = shop.services.database
  await given.code(shop, { code: 'SPRING', percent: 20, max_uses: 1 })
  const [admin, ruth] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id: product_id } = await shop.product('digital')
  const body = { product_id, code: 'SPRING' }
  const { id } = (await (await ruth.call('POST', '/api/purchases', { body })).json()) as { id: string }
  const session = sessionOf(stripe, id)
  stripe.pay(session.id)
  await forget(shop, ruth.id)
  // Used by another one meanwhile.
  await pool.query('update discount_codes set uses = 1')
  await reconcile(shop.services)
  const find = async () => (await findPurchases(shop))[0]
  await soon(shop, find).toMatchObject({ id, status: 'completed', amount: 11.99 })
  expect((await pool.query('select uses from discount_codes')).rows).toEqual([{ uses: 2 }])
  const order = await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()
  expect(order).toMatchObject({ code: 'SPRING', discount: 3 })
  expect(await code(await (await shop.person()).call('POST', '/api/purchases', { body }))).toBe(
    'discounts.used_up',
  )
})

test('a purchase whose code is not in the backup, or whose money went back, leaves no use', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { pool } = shop.services.database
  const { id: product_id } = await shop.product('digital')
  for (const isKnown of [false, true]) {
    await given.code(shop, { code: 'SPRING', percent: 20 })
    const ruth = await shop.person()
    const body = { product_id, code: 'SPRING' }
    const { id } = (await (await ruth.call('POST', '/api/purchases', { body })).json()) as { id: string }
    const session = sessionOf(stripe, id)
    stripe.pay(session.id)
    if (isKnown) stripe.refund(session.payment_intent as string)
    await forget(shop, ruth.id)
    await pool.query(isKnown ? 'update discount_codes set uses = 0' : 'delete from discount_codes')
    await rebuildPurchase(shop.services, { session_id: session.id })
    expect(await settlePurchase(shop.services, id)).toBe(isKnown ? 'refunded' : 'completed')
    const { rows } = await pool.query('select uses from discount_codes')
    expect(rows).toEqual(isKnown ? [{ uses: 0 }] : [])
  }
})

test('a purchase of an account that was erased comes back without its buyer', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const ruth = await shop.person({ email: 'ruth@example.com' })
  const { id } = await buy(shop, ruth)
  await forget(shop, ruth.id)
  await shop.services.db.transaction((tx) => insertErasedIds(tx, [ruth.id, id]))
  stripe.pay(sessionOf(stripe, id).id)
  await reconcile(shop.services)
  await soon(shop, () => findPurchases(shop)).toEqual([
    { id, number: 1001, status: 'completed', amount: 14.99, email: '' },
  ])
  const { rows } = await shop.services.database.pool.query('select email, display_name from profiles')
  expect(rows).toContainEqual({ email: '', display_name: 'Erased account' })
  expect((await shop.mailbox.all()).filter(({ to }) => to?.[0]?.address === ruth.email)).toEqual([])
})

// Payments, refunds and disputes since the backup from which a shop was restored, of which Stripe has no events any more.

/** As the database of an older backup, a month later: without purchases, and without these accounts. */
async function loseAll(shop: TestShop, stripe: StripeStandIn, ...younger: Person[]): Promise<void> {
  await losePurchases(shop.services.db)
  await loseUsers(
    shop.services.database,
    younger.map(({ id }) => id),
  )
  stripe.events.length = 0
}

const search = ({ services }: TestShop) => beginSearch(services.db, new Date())

const rebuiltIn = async (admin: Person) =>
  ((await (await admin.call('GET', '/api/admin/backups')).json()) as Backups).rebuilt

/** Of another shop on the same account. */
async function payElsewhere(stripe: StripeStandIn, like: string, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    const id = `cs_elsewhere_${nth}`
    stripe.sessions.set(id, {
      ...structuredClone(stripe.sessions.get(like)!),
      id,
      success_url: 'https://another.example/dashboard',
      status: 'complete',
    })
  }
}

test('a payment without an event comes back with its buyer, once, and the author sees it', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const [ruth, boaz] = [await shop.person({ email: 'ruth@example.com' }), await shop.person()]
  const [hers, his] = [await buy(shop, ruth), await buy(shop, boaz)]
  for (const { id } of [hers, his]) stripe.pay(sessionOf(stripe, id).id)
  // More than a page of newer ones.
  await payElsewhere(stripe, sessionOf(stripe, his.id).id, 120)
  await loseAll(shop, stripe, ruth)
  await reconcile(shop.services)
  expect(await rebuiltIn(admin)).toEqual({ is_searching: false, count: 0, items: [] })

  await search(shop)
  expect(await rebuiltIn(admin)).toMatchObject({ is_searching: true })
  await Promise.all([reconcile(shop.services), reconcile(shop.services)])
  const expected = [
    { id: hers.id, number: 1001, email: 'ruth@example.com', amount: 14.99, status: 'completed' },
    { id: his.id, number: 1002, email: boaz.email, amount: 14.99, status: 'completed' },
  ]
  const rebuilt = async () => {
    const { is_searching, count, items } = await rebuiltIn(admin)
    return { is_searching, count, items: items.toSorted((a, b) => a.number - b.number) }
  }
  await soon(shop, rebuilt).toMatchObject({ is_searching: false, count: 2, items: expected })
  const mail = await shop.mailbox.to('ruth@example.com', /made again/)
  expect(mail.text).toContain('nothing to pay once more')

  await search(shop)
  await reconcile(shop.services)
  await soon(shop, rebuilt).toMatchObject({ is_searching: false, count: 2, items: expected })
  await alignTestOrders(shop.services.database)
  expect(await rebuilt()).toMatchObject({ items: [{ is_test: true }, { is_test: true }] })
  const { rows } = await shop.services.database.pool.query(
    `select kind, count(*)::int from mails where kind in ('account_restored', 'receipt') group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { kind: 'account_restored', count: 1 },
    { kind: 'receipt', count: 2 },
  ])
})

test('before the shop opens all is looked up, and no buyer is asked to pay once more', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [ruth, boaz] = [await shop.person(), await shop.person()]
  const [paid, slow] = [await buy(shop, ruth), await buy(shop, boaz)]
  stripe.pay(sessionOf(stripe, paid.id).id)
  stripe.pay(sessionOf(stripe, slow.id).id, { isSlow: true })
  await loseAll(shop, stripe)
  await search(shop)
  stripe.fail(1, 'GET sessions')
  const { services } = shop
  await expect(finishSearches(services, services.payments.current()!)).rejects.toThrow()
  await finishSearches(services, services.payments.current()!)
  expect(await own(ruth)).toMatchObject([{ id: paid.id, status: 'completed' }])
  const again = await begin(shop, boaz)
  expect(await again.json()).toMatchObject({ id: slow.id, status: 'pending', checkout_url: null })
})

test('a payment that cannot be made a purchase again needs attention, with its page at Stripe', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'https://shop.example' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  const shop_id = session.metadata!['shop_id']!
  Object.assign(session, { metadata: { shop_id, purchase_id: id } })
  stripe.pay(session.id)
  await loseAll(shop, stripe)
  await search(shop)
  await reconcile(shop.services)
  await soon(shop, async () => (await listAttentionItems(admin)).items).toMatchObject([
    {
      kind: 'event',
      id: session.id,
      reason: expect.stringContaining(`$14.99 was paid for the purchase ${id}`),
      stripe_url: expect.stringContaining('/payments/pi_'),
    },
  ])
})

test('refunds and disputes of purchases in the backup are found, and those that failed or were decided since', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const [refunded, disputed, failed, whole] = [
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
  ]
  const intentOf = (id: string) => sessionOf(stripe, id).payment_intent as string
  const statuses = async () =>
    Object.fromEntries((await own(user)).map(({ id, status }) => [id, status])) as Record<string, string>
  const before = stripe.refund(intentOf(failed))
  await settle(user, failed)
  expect(await statuses()).toMatchObject({ [failed]: 'refunded', [refunded]: 'completed' })

  // The backup is of this moment.
  const monthAgo = Math.floor(Date.now() / 1000) - 30 * daySeconds
  Object.assign(before, { created: monthAgo })
  stripe.refund(intentOf(refunded))
  stripe.dispute(sessionOf(stripe, disputed).id)
  stripe.failRefund(before.id)
  stripe.events.length = 0
  await reconcile(shop.services)
  expect(await statuses()).toMatchObject({ [refunded]: 'completed', [disputed]: 'completed' })

  await search(shop)
  await Promise.all([reconcile(shop.services), reconcile(shop.services)])
  await soon(shop, statuses).toMatchObject({
    [refunded]: 'refunded',
    [disputed]: 'disputed',
    [failed]: 'completed',
    [whole]: 'completed',
  })
  await shop.mailbox.to(user.email, /Your refund for/)

  // A later restore of a newer backup finds only what has changed.
  stripe.dispute(sessionOf(stripe, disputed).id, 'won')
  stripe.events.length = 0
  await search(shop)
  await finishSearches(shop.services, shop.services.payments.current()!)
  expect(await statuses()).toMatchObject({ [refunded]: 'refunded', [disputed]: 'completed' })
  const { rows } = await shop.services.database.pool.query(
    `select kind, count(*)::int from adjustments group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { kind: 'dispute', count: 1 },
    { kind: 'dispute_won', count: 1 },
    { kind: 'refund', count: 2 },
    { kind: 'refund_failed', count: 1 },
  ])
})
