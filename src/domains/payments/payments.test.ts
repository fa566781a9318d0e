// Money: every way in which a payment may come, be late, be lost, be told twice, or go back.
import { afterAll, expect, test } from 'vitest'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import { age } from '#test/changes.ts'
import { given } from '#test/given.ts'
import { begin, buy, openPaidShop, own, sessionOf, settle, sendEvent } from '#test/paying.ts'
import { readSums } from '#test/sales-sums.ts'
import { type TestShop, openTestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { startStripe, webhookSecret } from '@lectern/stripe-stand-in'
import { reconcile } from './reconcile.ts'
import type { Page } from '#contract/fields.ts'
import type { Order } from '#contract/orders/admin-orders.ts'
import { givePurchases } from '#test/factories.ts'
import { Stripe } from 'stripe'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { readConfig } from '../../config.ts'
import { openStripe } from '#platform/stripe/open-stripe.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

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
  expect(await reconcile(shop.services)).toEqual({ checked: 4, failed: 0 })
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
  expect(await reconcile(shop.services)).toEqual({ checked: 1, failed: 0 })
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

// Order numbers: given once to each purchase, the same wherever a purchase is shown, and found by search.

const numbers = async (admin: Person, query: Record<string, string>) => {
  const response = await admin.call('GET', `/api/admin/purchases?${new URLSearchParams(query)}`)
  return ((await response.json()) as Page<Order>).items.map(({ number }) => number)
}

test('twenty purchases at once have twenty numbers from 1001 on, the same for buyer and admin', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  await Promise.all(Array.from({ length: 20 }, () => admin.buy(id)))

  const bought = await own(admin)
  const given = bought.map(({ number }) => number)
  expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, nth) => 1001 + nth))
  expect(await numbers(admin, {})).toEqual(given)
  const [{ id: purchase_id, number } = { id: '', number: 0 }] = bought
  const receipt = await admin.call('GET', `/api/purchases/${purchase_id}/receipt`)
  expect(((await receipt.json()) as Receipt).number).toBe(number)
  const order = await admin.call('GET', `/api/admin/purchases/${purchase_id}`)
  expect(((await order.json()) as Order).number).toBe(number)
})

test('a search for a number finds that order first, with # nothing else, and on one page only', async () => {
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  await admin.buy(id)
  const user = await shop.person({ email: 'user-1001@example.com' })
  await givePurchases(shop.services.db, 60, (n) => ({
    user_id: user.id,
    product_id: id,
    created_at: new Date(Date.now() + n * 1_000),
  }))
  expect(await numbers(admin, { q: '#1001' })).toEqual([1001])
  expect(await numbers(admin, { q: '#1002' })).toEqual([1002])
  expect(await numbers(admin, { q: '#100' })).toEqual([])
  expect(await numbers(admin, { q: '1001', status: 'refunded' })).toEqual([])

  const seen: number[] = []
  for (let after: string | null = ''; after !== null;) {
    const query = new URLSearchParams({ q: '1001', ...(after && { after }) })
    const page: Page<Order> = await (await admin.call('GET', `/api/admin/purchases?${query}`)).json()
    seen.push(...page.items.map(({ number }) => number))
    after = page.next
  }
  expect(seen[0]).toBe(1001)
  expect([seen.length, new Set(seen).size]).toEqual([61, 61])
})

test('the order number is found by its index', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { rows } = await shop.services.database.pool.query<{ 'QUERY PLAN': string }>(
    'explain select * from purchases where number = 1042',
  )
  expect(rows[0]?.['QUERY PLAN']).toContain('using purchases_number')
})

test('the file of all purchases has the number in a column of its own', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await admin.buy((await shop.product('digital')).id)
  const asked = await admin.call('POST', '/api/admin/exports', { body: { list: 'purchases', q: '1001' } })
  const { url } = (await asked.json()) as { url: string }
  const [head, row] = (await (await shop.call('GET', url)).text()).split('\r\n')
  expect(head).toMatch(/^\uFEFF?id,number,date,/)
  expect(row).toMatch(new RegExp(`^${id},1001,`))
})

test('the mails of a purchase and Stripe name its number', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id, number: given } = await buy(shop, user)
  const number = `#${given}`
  expect(number).toMatch(/^#\d{4}$/)
  const { rows } = await shop.services.database.pool.query('select parameters from checkouts')
  expect(rows).toMatchObject([
    {
      parameters: {
        metadata: { order: number },
        payment_intent_data: {
          description: expect.stringContaining(`Order ${number}`),
          metadata: { order: number },
        },
      },
    },
  ])

  stripe.pay(sessionOf(stripe, id).id)
  expect(await settle(user, id)).toBe('completed')
  const receipt = await shop.mailbox.to(user.email, /receipt/)
  expect(receipt.text?.replaceAll(/\s+/g, ' ')).toContain(`Order ${number}`)

  await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })
  const refund = await shop.mailbox.to(user.email, /Your refund for/)
  expect(refund.text?.replaceAll(/\s+/g, ' ')).toContain(`Order ${number}`)
})

// Whose news of payments is taken.

const { webhooks } = new Stripe('sk_test_x')

test('a webhook that is signed with another secret is refused, and the log says so, once a minute', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { STRIPE_WEBHOOK_SECRET: 'whsec_another' } })
  const warnings: unknown[] = []
  shop.services.log.warn = (words: unknown) => void warnings.push(words)
  const event = stripe.event('customer.created', { object: 'customer', id: 'cus_1' })
  for (let count = 0; count < 3; count += 1) expect((await sendEvent(shop, event)).status).toBe(400)
  expect(warnings).toEqual([expect.stringContaining('STRIPE_WEBHOOK_SECRET')])
})

test('the response to a thin event says what to change; unsigned, it is refused like any other', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const thin = { id: 'evt_1', object: 'v2.core.event', type: 'v1.charge.refunded', livemode: false }
  const body = JSON.stringify(thin)
  const signature = webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret })
  const post = (header: string) =>
    sendEvent(shop, { body, headers: { 'stripe-signature': header, 'content-type': 'application/json' } })
  const warnings: unknown[] = []
  shop.services.log.warn = (...words: unknown[]) => void warnings.push(words.at(-1))
  expect(await (await post(signature)).json()).toMatchObject({
    status: 400,
    code: 'payments.thin_event',
    detail: expect.stringContaining('snapshot'),
  })
  expect(warnings).toEqual([expect.stringContaining('thin events')])
  expect(await (await post('t=1,v1=x')).json()).toMatchObject({ code: 'payments.bad_signature' })
})

test('without a signature not a byte is read, and no event is larger than 256 kB', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { hostname, port } = new URL(shop.url)
  const begin = (headers: string) => {
    const socket = connect(Number(port), hostname)
    socket.write(`POST /api/stripe/webhook HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${headers}\r\n\r\n`)
    return text(socket)
  }
  expect(await begin('content-length: 100')).toContain('payments.bad_signature')
  expect(await begin('transfer-encoding: chunked')).toContain('payments.bad_signature')
  expect(await begin('stripe-signature: \r\ncontent-length: 100')).toContain('payments.bad_signature')
  expect(await begin('stripe-signature: t=1,v1=x\r\ncontent-length: 262145')).toContain('request.too_large')
  const body = JSON.stringify({ id: 'evt_1', object: 'event', padding: 'x'.repeat(262_000) })
  const signature = webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret })
  expect(body.length).toBeLessThan(262_144)
  const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
  expect((await sendEvent(shop, { body, headers })).status).not.toBe(413)
})

test('strangers who send large bodies slowly do not keep the events of Stripe out', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { hostname, port } = new URL(shop.url)
  const send = (bytes: number) => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    const head = `host: ${hostname}:${port}\r\nstripe-signature: t=1,v1=x\r\ncontent-length: 262144`
    socket.write(`POST /api/stripe/webhook HTTP/1.1\r\n${head}\r\n\r\n${'x'.repeat(bytes)}`)
    return socket
  }
  // As much as is read at the same moment.
  const strangers = Array.from({ length: 32 }, () => send(262_143))
  await sleep(1000)
  strangers.push(send(30))
  await sleep(200)
  const event = stripe.event('customer.created', { object: 'customer', id: 'cus_1' })
  expect((await sendEvent(shop, event)).status).toBe(200)
  strangers.push(...Array.from({ length: 8 }, () => send(262_143)))
  expect(await Promise.race(strangers.slice(-8).map((socket) => text(socket)))).toContain('HTTP/1.1 503 ')
  for (const socket of strangers) socket.destroy()
})

test('what is signed with an empty secret is refused where the shop has none', async () => {
  await using stripe = await startStripe()
  const { body } = stripe.event('customer.created', { object: 'customer', id: 'cus_1' })
  const keys = { ...readConfig({}).stripe, secretKey: 'sk_test_x', isLive: false }
  const watch = { worked: () => Promise.resolve(), denied: () => Promise.resolve() }
  const signature = webhooks.generateTestHeaderString({ payload: body, secret: '' })
  for (const webhookSecret of ['', undefined]) {
    const payments = openStripe({ ...keys, webhookSecret, apiBase: stripe.url }, watch)
    const code = 'payments.bad_signature'
    await expect(payments.readEvent(body, signature)).rejects.toMatchObject({ code })
  }
})
