// Buying with an address only: whose the purchase becomes, what the proof opens, and what strangers get.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { given } from '#test/given.ts'
import {
  askAsGuest,
  beginAsGuest,
  buyAsGuest,
  downloadAsGuest,
  newProof,
  newVisitor,
  openGuestShop,
  payAsGuest,
  settleAsGuest,
} from '#test/guests.ts'
import { listHeld, listNeeds, press } from '#test/needs.ts'
import { openPaidShop, own, sendEvent, sessionOf, startLiveStripe } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { findOrAddAccount } from '../accounts/created-accounts.ts'
import { reconcile } from './reconcile.ts'
import { settlePurchase } from './settle.ts'

const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code
const rows = async <Row>({ services }: TestShop, query: string) =>
  (await services.database.pool.query(query)).rows as Row[]
const accounts = (shop: TestShop) =>
  rows<{ email: string }>(
    shop,
    `select email, email_confirmed_at is not null as is_confirmed, password_hash is not null as has_password,
      (select count(*)::int from purchases where user_id = users.id) as purchases from auth.users order by email`,
  )
const bytesOf = async (shop: TestShop, response: Response) => {
  const { url } = (await response.json()) as { url: string }
  const file = await shop.call('GET', url)
  return { status: file.status, size: (await file.arrayBuffer()).byteLength }
}

test('an address and a payment give the book to the browser that bought, and an unconfirmed account', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor('Ruth@Example.com')
  const { id, checkout_url } = await buyAsGuest(shop, visitor)
  const session = sessionOf(stripe, id)
  expect(checkout_url).toBe(session.url)
  expect(session.customer_email).toBe('ruth@example.com')
  expect(session.allow_promotion_codes).toBe(false)
  expect(session.success_url).toBe(`${shop.services.settings.get().shop.site_url}/purchase/${id}`)
  expect(JSON.stringify(session)).not.toContain(visitor.proof)
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({
    status: 'pending',
    access_ends_at: null,
  })
  expect(await accounts(shop)).toEqual([])
  expect(await shop.mailbox.all()).toEqual([])
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(409)

  stripe.pay(session.id)
  const paid = await settleAsGuest(shop, id, visitor.proof)
  expect(paid).toMatchObject({ id, status: 'completed', product: { is_digital: true } })
  expect(Object.keys(paid)).not.toContain('email')
  const file = await bytesOf(shop, await downloadAsGuest(shop, id, visitor.proof))
  expect([file.status, file.size > 1000]).toEqual([200, true])
  expect(await accounts(shop)).toEqual([
    { email: 'ruth@example.com', is_confirmed: false, has_password: false, purchases: 1 },
  ])
  const sums = await rows(shop, 'select total_purchases, total_spent from user_sums')
  expect(sums).toEqual([{ total_purchases: 1, total_spent: 14.99 }])
  await soon(shop, async () => (await shop.mailbox.all()).length).toBe(1)
})

test('an existing account gets the purchase and nothing else, whatever is special about it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin', email: 'admin@example.com', display_name: 'Ada' })
  const banned = await shop.person({ email: 'banned@example.com' })
  await admin.call('PUT', `/api/admin/users/${banned.id}/disabled`, { body: { is_disabled: true } })
  const before = await rows(shop, 'select * from auth.users order by id')
  const sessions = await rows(shop, 'select id from auth.sessions')
  for (const email of ['ADMIN@example.com', banned.email]) {
    const visitor = newVisitor(email)
    const id = await payAsGuest(shop, stripe, visitor)
    expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(200)
  }
  expect(await rows(shop, 'select * from auth.users order by id')).toEqual(before)
  expect(await rows(shop, 'select id from auth.sessions')).toEqual(sessions)
  expect((await own(admin)).map(({ status }) => status)).toEqual(['completed'])
  expect(
    await rows(shop, 'select display_name from profiles where user_id is not null order by email'),
  ).toEqual([{ display_name: 'Ada' }, { display_name: 'Test User' }])
})

test('only the proof of this purchase opens it, for a day, and no header or address stands in for it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const [ruth, ben] = [newVisitor(), newVisitor()]
  const [hers, his] = [await payAsGuest(shop, stripe, ruth), await payAsGuest(shop, stripe, ben)]
  const boaz = await shop.person()
  for (const proof of [newProof(), ben.proof])
    for (const ask of [askAsGuest, downloadAsGuest]) expect((await ask(shop, hers, proof)).status).toBe(404)
  expect((await askAsGuest(shop, hers, 'short')).status).toBe(422)
  expect((await boaz.call('POST', `/api/purchases/${hers}/download`, { body: {} })).status).toBe(404)
  expect((await settleAsGuest(shop, his, ben.proof)).status).toBe('completed')
  const { url } = (await (await downloadAsGuest(shop, hers, ruth.proof)).json()) as { url: string }
  time.ahead = 14 * 60_000
  expect((await shop.call('GET', url)).status).toBe(200)
  time.ahead = 24 * 3_600_000 - 60_000
  const late = (await (await downloadAsGuest(shop, hers, ruth.proof)).json()) as { url: string }
  time.ahead = 24 * 3_600_000 + 60_000
  // The link is still young, and the proof has ended.
  expect((await shop.call('GET', late.url)).status).toBe(410)
  expect(await codeOf(await downloadAsGuest(shop, hers, ruth.proof))).toBe('guest_checkout.access_ended')
})

test('a refund, a dispute and a withdrawal end the downloads, also by links that were given before', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  for (const end of ['refund', 'dispute'] as const) {
    const visitor = newVisitor()
    const id = await payAsGuest(shop, stripe, visitor)
    const { url } = (await (await downloadAsGuest(shop, id, visitor.proof)).json()) as { url: string }
    const intent = sessionOf(stripe, id).payment_intent as string
    if (end === 'refund') stripe.refund(intent)
    else stripe.dispute(sessionOf(stripe, id).id)
    await settlePurchase(shop.services, id)
    expect([end, (await shop.call('GET', url)).status]).toEqual([end, 409])
    expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(409)
  }
})

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

test('webhook, return and reconciler at once make one account and one receipt, also beside a sign-up', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor('ruth@example.com')
  const made = await Promise.all([
    buyAsGuest(shop, visitor),
    buyAsGuest(shop, newVisitor('ruth@example.com')),
  ])
  for (const { id } of made) stripe.pay(sessionOf(stripe, id).id)
  const signUp = {
    email: 'ruth@example.com',
    password: 'chosen by a stranger',
    data: { display_name: 'Win a prize at evil.example' },
  }
  await Promise.all([
    shop.call('POST', '/auth/v1/signup', { body: signUp }),
    ...made.flatMap(({ id }) => [
      sendEvent(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id))),
      settlePurchase(shop.services, id),
      settlePurchase(shop.services, id),
    ]),
    reconcile(shop.services),
  ])
  const own = { email: 'ruth@example.com', is_confirmed: false, purchases: 2 }
  await soon(shop, () => accounts(shop)).toMatchObject([own])
  await soon(
    shop,
    async () =>
      (await shop.mailbox.all()).filter(({ subject }) => /receipt|thank/i.test(subject ?? '')).length,
  ).toBe(2)
  const receipts = (await shop.mailbox.all()).filter(({ subject }) => /receipt|thank/i.test(subject ?? ''))
  for (const { html, text } of receipts) expect(`${html} ${text}`).not.toContain('evil.example')
})

test('an unconfirmed account with a purchase is never deleted, and whoever proves the mailbox gets it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const admin = await shop.person({ role: 'admin' })
  const visitors = ['kept@example.com', 'taken@example.com', 'gift@example.com', 'invited@example.com'].map(
    newVisitor,
  )
  for (const visitor of visitors) await payAsGuest(shop, stripe, visitor)
  const signUp = { email: 'invited@example.com', password: 'chosen by a stranger' }
  await shop.call('POST', '/auth/v1/signup', { body: signUp })
  await shop.mailbox.to('invited@example.com', /verify|confirm/i)
  time.ahead = 100 * 3_600_000
  await shop.services.auth.sweep()
  time.ahead = 0
  const of = async (email: string) => (await accounts(shop)).find((each) => each.email === email)
  expect(await of('kept@example.com')).toMatchObject({ purchases: 1, is_confirmed: false })

  await shop.services.auth.createAccount({
    email: 'taken@example.com',
    password: 'by the author',
    role: 'user',
  })
  expect(await of('taken@example.com')).toMatchObject({
    purchases: 1,
    is_confirmed: true,
    has_password: true,
  })

  const giver = { id: crypto.randomUUID(), email: 'gift@example.com' }
  await shop.services.db.transaction((tx) => findOrAddAccount(tx, giver, new Date()))
  expect(await of('gift@example.com')).toMatchObject({
    purchases: 1,
    is_confirmed: true,
    has_password: false,
  })

  // The stranger's sign-up, which its owner might confirm, makes no admin.
  await shop.services.db.transaction((tx) => shop.services.auth.admin.inviteAdmin(tx, 'invited@example.com'))
  expect(await of('invited@example.com')).toMatchObject({
    purchases: 1,
    is_confirmed: true,
    has_password: false,
  })
  expect(await rows(shop, `select 1 from auth.one_time_tokens where type = 'signup'`)).toEqual([])
  expect((await admin.call('GET', '/api/admin/users')).status).toBe(200)
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
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor('held@example.com')
  const { id } = await buyAsGuest(shop, visitor)
  const session = sessionOf(stripe, id)
  session.amount_subtotal = session.amount_total = 100
  stripe.pay(session.id)
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ status: 'pending', has_misfit: true })
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(409)
  expect(await listHeld(admin)).toMatchObject([
    { email: 'held@example.com', user_id: expect.any(String) as string },
  ])
  // The same browser is led to this purchase, not to a second payment.
  expect(await buyAsGuest(shop, visitor)).toEqual({ id, checkout_url: null })
  expect((await press(admin, `held/${id}/accept`)).status).toBe(200)
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
  await given.copies(shop, 'paperback', 9)
  const from = (ip: string) => ({ format: 'paperback', headers: { 'x-forwarded-for': ip } })
  const begun = await Promise.all(
    Array.from({ length: 4 }, () => beginAsGuest(shop, newVisitor(), from('203.0.113.7'))),
  )
  expect(begun.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429])
  expect((await beginAsGuest(shop, newVisitor(), from('203.0.113.8'))).status).toBe(201)
  expect(
    (await beginAsGuest(shop, newVisitor(), { headers: { 'x-forwarded-for': '203.0.113.7' } })).status,
  ).toBe(201)
  expect(await rows(shop, 'select copies from stock')).toEqual([{ copies: 6 }])
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
  const { items } = await listNeeds(admin)
  expect(items).toMatchObject([{ kind: 'outage', people: 1, emails: ['naomi@example.com'] }])
})

test('where nothing is to be paid, and in a shop that does not offer it, nothing is made', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const { id: product_id } = await shop.product('digital')
  await given.code(shop, { code: 'WHOLE', percent: 100 })
  const tryFree = async () => codeOf(await beginAsGuest(shop, newVisitor(), { code: 'WHOLE' }))
  expect(await tryFree()).toBe('guest_checkout.address_unproven')
  shop.services.mail.isKept = () => false
  expect(await tryFree()).toBe('guest_checkout.nothing_to_pay')
  for (const email of ['a@b.example\r\nbcc: c@d.example', 'no address', `${'a'.repeat(260)}@b.example`])
    expect((await beginAsGuest(shop, newVisitor(email))).status).toBe(422)
  expect(await rows(shop, 'select id from purchases')).toEqual([])
  await using sample = await openPaidShop(stripe)
  const refused = await sample.call('POST', '/api/guest/purchases', { body: { product_id, ...newVisitor() } })
  expect(await codeOf(refused)).toBe('guest_checkout.not_offered')
})

test('the link in a receipt opens the purchase on another device, until the author ends it', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor('ruth@example.com')
  const id = await payAsGuest(shop, stripe, visitor)
  const { html = '' } = await shop.mailbox.to('ruth@example.com')
  const [, token = ''] = new RegExp(`/purchase/${id}#([\\w-]{43})`).exec(html) ?? []
  expect(await settleAsGuest(shop, id, token)).toMatchObject({ id, status: 'completed' })
  const file = await bytesOf(shop, await downloadAsGuest(shop, id, token))
  expect(file.status).toBe(200)
  // It is no browser's proof: another purchase does not take it over.
  const taken = await beginAsGuest(shop, { proof: token, email: 'ruth@example.com' })
  expect(await codeOf(taken)).toBe('purchases.key_reused')
  const ended = await admin.call('DELETE', `/api/admin/purchases/${id}/links`)
  expect([ended.status, await ended.json()]).toMatchObject([200, { open_links: 0 }])
  expect((await downloadAsGuest(shop, id, token)).status).toBe(404)
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(200)
})
