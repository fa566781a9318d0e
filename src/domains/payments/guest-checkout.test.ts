// Buying with an address only: the order, its checkout, and what strangers may hold.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { given } from '#test/given.ts'
import {
  accounts,
  beginAsGuest,
  buyAsGuest,
  codeOf,
  downloadAsGuest,
  newVisitor,
  openGuestShop,
  rows,
  settleAsGuest,
  askAsGuest,
  linkAsGuest,
  newProof,
  payAsGuest,
  sizeOf,
} from '#test/guests.ts'
import { listHeld, listAttentionItems, press } from '#test/needs.ts'
import { openPaidShop, sessionOf, startLiveStripe, buyAndPay } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { clock, time } from '#test/time.ts'
import { reconcile } from './reconcile.ts'
import { settlePurchase } from './settle.ts'
import type { TestShop } from '#test/shop.ts'

test('a repeated request, a double click and a second tab lead to one checkout; a changed one replaces it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor()
  const made = await Promise.all(Array.from({ length: 5 }, () => buyAsGuest(shop, visitor)))
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  expect(new Set(made.map(({ checkout_url }) => checkout_url)).size).toBe(1)
  const [first] = [...stripe.sessions.values()]
  const corrected = { ...visitor, email: 'corrected@example.com' }
  const other = await buyAsGuest(shop, corrected)
  expect(other.id).not.toBe(made[0]?.id)
  expect(stripe.sessions.get(first!.id)?.status).toBe('expired')
  const open = [...stripe.sessions.values()].filter(({ status }) => status === 'open')
  expect(open.map(({ customer_email }) => customer_email)).toEqual(['corrected@example.com'])

  stripe.pay(open[0]!.id)
  // The payment is there, and the browser does not know yet.
  expect(await buyAsGuest(shop, visitor)).toEqual({ id: other.id, checkout_url: null })
  expect(await codeOf(await beginAsGuest(shop, visitor, { format: 'paperback' }))).toBe(
    'purchases.key_reused',
  )
  expect((await accounts(shop)).map(({ email }) => email)).toEqual(['corrected@example.com'])
})

test('the author sees who began a purchase, also before it is paid, and finds it by the address', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const { id } = await buyAsGuest(shop, newVisitor('naomi@example.com'))
  const find = async (q: string) =>
    ((await (await admin.call('GET', `/api/admin/purchases?q=${q}`)).json()) as { items: object[] }).items
  const begun = { id, email: 'naomi@example.com', user_id: null, status: 'pending' }
  expect(await find('naomi')).toMatchObject([begun])
  expect(await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()).toMatchObject(begun)
  expect((await admin.call('GET', `/api/admin/purchases/${id}/evidence`)).status).toBe(404)
  const asked = await admin.call('POST', '/api/admin/exports', { body: { list: 'purchases' } })
  const { url } = (await asked.json()) as { url: string }
  expect(await (await shop.call('GET', url)).text()).toContain('naomi@example.com')
  stripe.pay(sessionOf(stripe, id).id)
  await settlePurchase(shop.services, id)
  expect(await find('naomi')).toMatchObject([
    { id, status: 'completed', user_id: expect.any(String) as string },
  ])
  expect((await admin.call('GET', `/api/admin/purchases/${id}/evidence`)).status).toBe(200)
})

test('a payment that does not fit is held under the name of its account, and what is accepted is delivered', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor('held@example.com')
  const { id } = await buyAsGuest(shop, visitor)
  const session = sessionOf(stripe, id)
  session.amount_subtotal = session.amount_total = 100
  stripe.pay(session.id)
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({
    status: 'pending',
    has_mismatch: true,
  })
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(409)
  expect(await listHeld(admin)).toMatchObject([
    { email: 'held@example.com', user_id: expect.any(String) as string },
  ])
  // The same browser is led to this purchase, not to a second payment.
  expect(await buyAsGuest(shop, visitor)).toEqual({ id, checkout_url: null })
  // The author takes longer than the proof of a paid purchase works.
  time.ahead = 25 * hourMs
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ access_ends_at: null })
  const author = await shop.person({ role: 'admin' })
  expect((await press(author, `held/${id}/accept`)).status).toBe(200)
  expect(await rows(shop, 'select status from purchases')).toEqual([{ status: 'completed' }])
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(200)
})

test('what was paid after a backup comes back under the address, with an account that nobody has confirmed', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor('ruth@example.com')
  const { id } = await buyAsGuest(shop, visitor)
  await shop.services.database.pool.query('delete from purchases')
  stripe.pay(sessionOf(stripe, id).id)
  await reconcile(shop.services)
  await soon(shop, () => rows(shop, 'select id, status from purchases')).toEqual([
    { id, status: 'completed' },
  ])
  expect(await accounts(shop)).toMatchObject([
    { email: 'ruth@example.com', is_confirmed: false, purchases: 1 },
  ])
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(404)
})

test('one network reserves two copies, and pays no more attention to a third', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openGuestShop(stripe, { env: { TRUST_PROXY: '1' } })
  await given.copies(shop, 'paperback', 20)
  const from = (ip: string) => ({ format: 'paperback', headers: { 'x-forwarded-for': ip } })
  const begun = await Promise.all(
    Array.from({ length: 4 }, () => beginAsGuest(shop, newVisitor(), from('203.0.113.7'))),
  )
  expect(begun.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429])
  expect((await beginAsGuest(shop, newVisitor(), from('203.0.113.8'))).status).toBe(201)
  expect(
    (await beginAsGuest(shop, newVisitor(), { headers: { 'x-forwarded-for': '203.0.113.7' } })).status,
  ).toBe(201)
  expect(await rows(shop, 'select copies from stock')).toEqual([{ copies: 17 }])
  const household = (n: number) => from(`2001:db8:5:${(n % 256).toString(16)}::1`)
  const statuses: number[] = []
  for (let n = 0; n < 10; n += 1) statuses.push((await beginAsGuest(shop, newVisitor(), household(n))).status)
  expect(statuses).toEqual([...Array<number>(8).fill(201), 429, 429])
})

test('uses of a limited code are reserved like copies, and a guest who could not pay is named to the author', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openGuestShop(stripe, { env: { TRUST_PROXY: '1' } })
  const admin = await shop.person({ role: 'admin' })
  await given.code(shop, { code: 'FEWER', percent: 10, max_uses: 9 })
  const headers = { 'x-forwarded-for': '2001:db8::1' }
  const begun = await Promise.all(
    Array.from({ length: 3 }, () => beginAsGuest(shop, newVisitor(), { code: 'FEWER', headers })),
  )
  expect(begun.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 429])
  expect(await rows(shop, 'select uses from discount_codes')).toEqual([{ uses: 2 }])
  stripe.faults.away = 1
  const visitor = newVisitor('naomi@example.com')
  for (const _ of [1, 2]) expect((await beginAsGuest(shop, visitor)).status).toBe(503)
  stripe.faults.away = 0
  expect((await beginAsGuest(shop, visitor)).status).toBe(200)
  const { items } = await listAttentionItems(admin)
  expect(items).toMatchObject([{ kind: 'outage', people: 1, emails: ['naomi@example.com'] }])
})

test('where nothing is to be paid, and in a shop that does not offer it, nothing is made', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const { id: product_id } = await shop.product('digital')
  await given.code(shop, { code: 'WHOLE', percent: 100 })
  const tryFree = async () => codeOf(await beginAsGuest(shop, newVisitor(), { code: 'WHOLE' }))
  expect(await tryFree()).toBe('guest_checkout.address_unproven')
  shop.services.mail.sendsMail = () => true
  expect(await tryFree()).toBe('guest_checkout.nothing_to_pay')
  for (const email of ['a@b.example\r\nbcc: c@d.example', 'no address', `${'a'.repeat(260)}@b.example`])
    expect((await beginAsGuest(shop, newVisitor(email))).status).toBe(422)
  expect(await rows(shop, 'select id from purchases')).toEqual([])
  await using sample = await openPaidShop(stripe)
  const refused = await sample.call('POST', '/api/guest/purchases', { body: { product_id, ...newVisitor() } })
  expect(await codeOf(refused)).toBe('guest_checkout.not_offered')
})

// The id of the checkout with which Stripe leads back: what it opens, for whom, and for how long.

const exchange = (shop: TestShop, id: string, proof: string, new_proof: string) =>
  shop.call('POST', `/api/guest/purchases/${id}/return`, { body: { proof, new_proof } })

test('the id of the checkout opens its purchase and no other, for a day after the payment', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const { id } = await buyAsGuest(shop, newVisitor())
  const { id: other } = await buyAsGuest(shop, newVisitor())
  const session = sessionOf(stripe, id).id
  expect(await settleAsGuest(shop, id, session)).toMatchObject({ status: 'pending', own: null })
  expect((await downloadAsGuest(shop, id, session)).status).toBe(409)
  stripe.pay(session)
  expect(await settleAsGuest(shop, id, session)).toMatchObject({ id, status: 'completed', own: null })
  expect(await sizeOf(shop, await downloadAsGuest(shop, id, session))).toMatchObject({ status: 200 })
  for (const [purchase, wrong] of [
    [other, session],
    [id, sessionOf(stripe, other).id],
    [id, `${session}x`],
    [id, `cs_test_${'a'.repeat(58)}`],
  ] as const)
    for (const ask of [askAsGuest, downloadAsGuest])
      expect((await ask(shop, purchase, wrong)).status).toBe(404)
  expect((await askAsGuest(shop, id, 'cs_test_%27')).status).toBe(422)
  // What only the browser may that bought.
  expect(await codeOf(await linkAsGuest(shop, id, session))).toBe('guest_checkout.other_browser')
  expect((await beginAsGuest(shop, { proof: session, email: 'ruth@example.com' })).status).toBe(422)
  time.ahead = dayMs + 60_000
  for (const ask of [askAsGuest, downloadAsGuest])
    expect(await codeOf(await ask(shop, id, session))).toBe('guest_checkout.access_ended')
  const refund = shop.call('POST', `/api/guest/purchases/${id}/refund`, {
    body: { proof: session, reason: '' },
  })
  expect(await codeOf(await refund)).toBe('guest_checkout.access_ended')
})

test('it opens nothing of who has an account, and is stored as a hash', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const id = await buyAndPay(shop, stripe, await shop.person())
  expect((await askAsGuest(shop, id, sessionOf(stripe, id).id)).status).toBe(404)
  const guests = await payAsGuest(shop, stripe, newVisitor())
  const stored = await rows<{ kind: string; text: string }>(
    shop,
    `select kind, encode(hash, 'escape') as text from purchase_access where purchase_id = '${guests}' and kind <> 'receipt' order by kind`,
  )
  expect(stored.map(({ kind }) => kind)).toEqual(['browser', 'return'])
  expect(JSON.stringify(stored)).not.toContain(sessionOf(stripe, guests).id)
})

test('it becomes the proof of one browser, once, and opens nothing afterwards', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const id = await payAsGuest(shop, stripe, newVisitor())
  const session = sessionOf(stripe, id).id
  const mine = newProof()
  const response = await exchange(shop, id, session, mine)
  expect([response.status, await response.json()]).toMatchObject([200, { id, own: { is_correctable: true } }])
  // As a response that was lost is asked for again.
  expect((await exchange(shop, id, session, mine)).status).toBe(200)
  expect((await downloadAsGuest(shop, id, mine)).status).toBe(200)
  expect((await exchange(shop, id, session, newProof())).status).toBe(404)
  expect((await downloadAsGuest(shop, id, session)).status).toBe(404)
  const ends = await rows<{ ends: number }>(
    shop,
    `select count(distinct expires_at)::int as ends from purchase_access
      where purchase_id = '${id}' and kind = 'browser'`,
  )
  expect(ends).toEqual([{ ends: 1 }])
})

test('of two browsers that bring it at once one has the purchase; no proof of another order takes it over', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const [ruth, ben] = [newVisitor(), newVisitor()]
  const [hers, his] = [await payAsGuest(shop, stripe, ruth), await payAsGuest(shop, stripe, ben)]
  const session = sessionOf(stripe, hers).id
  expect(await codeOf(await exchange(shop, hers, session, ben.proof))).toBe('purchases.key_reused')
  expect((await downloadAsGuest(shop, his, ben.proof)).status).toBe(200)
  expect((await exchange(shop, his, session, newProof())).status).toBe(404)
  const both = await Promise.all([1, 2, 3].map(() => exchange(shop, hers, session, newProof())))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
})
