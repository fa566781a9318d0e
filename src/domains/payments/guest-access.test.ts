// What opens a purchase that was bought with an address only: the browser's proof, and the link of its receipt.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import {
  accounts,
  askAsGuest,
  beginAsGuest,
  buyAsGuest,
  codeOf,
  downloadAsGuest,
  newProof,
  newVisitor,
  openGuestShop,
  payAsGuest,
  rows,
  settleAsGuest,
  sizeOf,
  linkAsGuest,
} from '#test/guests.ts'
import { someAddress } from '#test/addresses.ts'
import { linkIn, mailsTo, openBrowser, codeIn } from '#test/auth-client.ts'
import { sessionOf, own, sendEvent } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { clock, time } from '#test/time.ts'
import { settlePurchase } from './settle.ts'
import { dayMs, hourMs } from '#contract/durations.ts'
import type { AccessLink } from '#contract/orders/guest-purchases.ts'
import { linkDays } from '#contract/orders/prices.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { randomUUID } from 'node:crypto'
import { findOrAddAccount } from '#domains/accounts/created-accounts.ts'
import { reconcile } from './reconcile.ts'

test('an address and a payment give the book to the browser that bought, and an unconfirmed account', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor('Ruth@Example.com')
  const { id, checkout_url } = await buyAsGuest(shop, visitor)
  const session = sessionOf(stripe, id)
  expect(checkout_url).toBe(session.url)
  expect(session.customer_email).toBe('ruth@example.com')
  expect(session.allow_promotion_codes).toBe(false)
  expect(session.success_url).toBe(
    `${shop.services.settings.get().shop.site_url}/purchase/${id}?session_id={CHECKOUT_SESSION_ID}`,
  )
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
  const file = await sizeOf(shop, await downloadAsGuest(shop, id, visitor.proof))
  expect([file.status, file.size > 1000]).toEqual([200, true])
  expect(await accounts(shop)).toEqual([
    { email: 'ruth@example.com', is_confirmed: false, has_password: false, purchases: 1 },
  ])
  const sums = await rows(shop, 'select total_purchases, total_spent from user_sums')
  expect(sums).toEqual([{ total_purchases: 1, total_spent: 14.99 }])
  await soon(shop, async () => (await shop.mailbox.all()).length).toBe(1)

  const admin = await shop.person({ role: 'admin' })
  for (const place of ['', '/evidence']) {
    const shown = await (await admin.call('GET', `/api/admin/purchases/${id}${place}`)).text()
    expect(shown.includes(session.id), 'it opens the order for a day').toBe(false)
    if (!place) continue
    const payment = { session_id_end: session.id.slice(-8) }
    expect(JSON.parse(shown)).toMatchObject({ account: null, payment })
  }
  expect(Object.keys(paid)).not.toContain('email')
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
  time.ahead = dayMs - 60_000
  const late = (await (await downloadAsGuest(shop, hers, ruth.proof)).json()) as { url: string }
  time.ahead = dayMs + 60_000
  // The link is still young, and the proof has ended.
  expect((await shop.call('GET', late.url)).status).toBe(410)
  expect(await codeOf(await downloadAsGuest(shop, hers, ruth.proof))).toBe('guest_checkout.access_ended')
})

test('a refund, a dispute and a withdrawal end the downloads, also by links that were given before', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  for (const end of ['refund', 'dispute', 'withdrawal'] as const) {
    const visitor = newVisitor()
    const id = await payAsGuest(shop, stripe, visitor)
    const { html = '' } = await shop.mailbox.to(visitor.email, /receipt/i)
    const [, link = ''] = new RegExp(`/purchase/${id}#([\\w-]{43})`).exec(html) ?? []
    const byLink = (await (await downloadAsGuest(shop, id, link)).json()) as { url: string }
    const { url } = (await (await downloadAsGuest(shop, id, visitor.proof)).json()) as { url: string }
    const intent = sessionOf(stripe, id).payment_intent as string
    if (end === 'refund') stripe.refund(intent)
    else if (end === 'dispute') stripe.dispute(sessionOf(stripe, id).id)
    else {
      // With the code from the email; the browser that bought has only its proof.
      const { auth } = await openBrowser(shop.url)
      await auth.signInWithOtp({ email: visitor.email })
      const { data } = await auth.verifyOtp(linkIn((await mailsTo(shop, visitor.email, 2)).at(-1)!))
      const token = data.session?.access_token ?? ''
      const asked = await shop.call('POST', `/api/purchases/${id}/refund`, { token, body: { reason: '' } })
      expect(asked.status).toBe(200)
      expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ is_withdrawn: true })
    }
    await settlePurchase(shop.services, id)
    if (end !== 'dispute') {
      const { text } = await shop.mailbox.to(visitor.email, /refund|withdrawal/)
      expect(text).toContain(`${shop.url}/auth?next=%2Fdashboard&form=code`)
    }
    for (const given of [url, byLink.url])
      expect([end, (await shop.call('GET', given)).status]).toEqual([end, 409])
    for (const token of [visitor.proof, link])
      expect((await downloadAsGuest(shop, id, token)).status).toBe(409)
  }
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
  const file = await sizeOf(shop, await downloadAsGuest(shop, id, token))
  expect(file.status).toBe(200)
  // It is no browser's proof: another purchase does not take it over.
  const taken = await beginAsGuest(shop, { proof: token, email: 'ruth@example.com' })
  expect(await codeOf(taken)).toBe('purchases.key_reused')
  const ended = await admin.call('DELETE', `/api/admin/purchases/${id}/links`)
  expect([ended.status, await ended.json()]).toMatchObject([200, { open_links: 0 }])
  expect((await downloadAsGuest(shop, id, token)).status).toBe(404)
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(200)
})

// The link that a buyer without an account makes, or the author: what it opens, who makes it, and what ends it.

const tokenOf = async (response: Response) => {
  const { url } = (await response.json()) as AccessLink
  return url.split('#').at(-1)!
}

test('a guest’s receipt says what its link does, and leads to nothing that asks for a sign-in', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor()
  await payAsGuest(shop, stripe, visitor)
  const { text = '', html = '' } = await shop.mailbox.to(visitor.email, /receipt/i)
  expect(text).toContain('The link in this email opens your book on any device until')
  for (const words of ['/dashboard', 'Open your dashboard']) expect(html + text).not.toContain(words)
})

test('the last moment at which an order opens is that of its link, once the receipt was sent or a link made', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor()
  const { id } = await buyAsGuest(shop, visitor)
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ last_link: null })
  stripe.pay(sessionOf(stripe, id).id)
  const { access_ends_at } = await settleAsGuest(shop, id, visitor.proof)
  await shop.mailbox.to(visitor.email, /receipt/i)
  // The shop has no mail server yet: the receipt is written, but nobody has its link.
  expect((await settleAsGuest(shop, id, visitor.proof)).last_link).toBeNull()
  const { ends_at } = (await (await linkAsGuest(shop, id, visitor.proof)).json()) as AccessLink
  expect((await settleAsGuest(shop, id, visitor.proof)).last_link).toEqual({ is_in_receipt: false, ends_at })
  expect(Date.parse(ends_at)).toBeGreaterThan(Date.parse(access_ends_at ?? ''))
})

test('the link of a pre-order ends as a day of the shop begins, counted from the release', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const zone = 'Pacific/Auckland'
  const { pool } = shop.services.database
  await pool.query('update sums_settings set time_zone = $1', [zone])
  await pool.query('update products set release_on = shop_day() + 47')
  const endAfter = async (days: number) => {
    const query = `select (shop_day() + ${days + linkDays})::timestamp at time zone '${zone}' as at`
    const [end] = await rows<{ at: Date }>(shop, query)
    return end!.at.toISOString()
  }
  const { ends_at } = (await (await linkAsGuest(shop, id, visitor.proof)).json()) as AccessLink
  expect(ends_at).toBe(await endAfter(47))

  const { id: product_id } = await shop.product('digital')
  const [later] = await rows<{ day: string }>(shop, 'select (shop_day() + 90)::text as day')
  const body = { release_on: later!.day }
  expect((await admin.call('PATCH', `/api/admin/products/${product_id}`, { body })).status).toBe(200)
  expect((await settleAsGuest(shop, id, visitor.proof)).last_link?.ends_at).toBe(await endAfter(90))
})

test('the browser that bought makes links that open the order elsewhere; the author ends them, and it makes another', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor()
  const { id } = await buyAsGuest(shop, visitor)
  expect((await linkAsGuest(shop, id, visitor.proof)).status).toBe(409)
  stripe.pay(sessionOf(stripe, id).id)
  await settleAsGuest(shop, id, visitor.proof)
  const made = await linkAsGuest(shop, id, visitor.proof)
  expect(made.status).toBe(201)
  const { url, ends_at } = (await made.json()) as AccessLink
  expect(url).toMatch(new RegExp(`^http\\S+/purchase/${id}#[\\w-]{43}$`))
  expect(Date.parse(ends_at) - clock().getTime()).toBeGreaterThan(29.9 * dayMs)
  // Of what is still to come it works as long from the release.
  const { pool } = shop.services.database
  await pool.query('update products set release_on = shop_day() + 47')
  const later = (await (await linkAsGuest(shop, id, visitor.proof)).json()) as AccessLink
  expect(Date.parse(later.ends_at) - clock().getTime()).toBeGreaterThan(75 * dayMs)
  // A release that is put off takes the links along.
  const { id: product_id } = await shop.product('digital')
  const day = new Date(clock().getTime() + 90 * dayMs).toISOString().slice(0, 10)
  const moved = await admin.call('PATCH', `/api/admin/products/${product_id}`, { body: { release_on: day } })
  expect(moved.status).toBe(200)
  const { last_link } = await settleAsGuest(shop, id, visitor.proof)
  expect(Date.parse(last_link?.ends_at ?? '') - clock().getTime()).toBeGreaterThan(118 * dayMs)
  await pool.query('update products set release_on = null')
  await pool.query(`update purchase_access set expires_at = $1 where kind = 'link'`, [ends_at])
  const token = url.split('#').at(-1)!
  time.ahead = 29 * dayMs
  const seen = await settleAsGuest(shop, id, token)
  expect(seen).toMatchObject({ status: 'completed', own: null })
  expect(JSON.stringify(seen)).not.toContain(visitor.email)
  expect(await sizeOf(shop, await downloadAsGuest(shop, id, token))).toMatchObject({ status: 200 })
  time.ahead = 0

  // Who has only the link makes no other, nor does any other browser or purchase.
  expect(await codeOf(await linkAsGuest(shop, id, token))).toBe('guest_checkout.other_browser')
  expect((await linkAsGuest(shop, id, newProof())).status).toBe(404)
  const other = newVisitor()
  await payAsGuest(shop, stripe, other)
  expect((await linkAsGuest(shop, id, other.proof)).status).toBe(404)

  const ended = await admin.call('DELETE', `/api/admin/purchases/${id}/links`)
  expect(((await ended.json()) as OrderDetail).open_links).toBe(0)
  expect((await askAsGuest(shop, id, token)).status).toBe(404)
  const again = await tokenOf(await linkAsGuest(shop, id, visitor.proof))
  expect((await askAsGuest(shop, id, again)).status).toBe(200)
  stripe.refund(sessionOf(stripe, id).payment_intent as string)
  await settlePurchase(shop.services, id)
  expect((await downloadAsGuest(shop, id, again)).status).toBe(409)
  expect((await linkAsGuest(shop, id, visitor.proof)).status).toBe(409)
  time.ahead = dayMs + 1000
  expect((await linkAsGuest(shop, id, visitor.proof)).status).toBe(410)
  time.ahead = 0
})

test('the author makes a link for an order without an account, with a recent proof, and for no other', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const make = (purchase_id: string) => admin.call('POST', `/api/admin/purchases/${purchase_id}/links`)
  const token = await tokenOf(await make(id))
  expect(await settleAsGuest(shop, id, token)).toMatchObject({ status: 'completed', own: null })
  const order = (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  expect(order.is_guest).toBe(true)
  const log = await rows(shop, `select action from audit_log where subject_id = '${id}'`)
  expect(log).toEqual([{ action: 'purchases.link_made' }])
  expect(JSON.stringify(await rows(shop, 'select * from audit_log'))).not.toContain(token)

  const { id: unpaid } = await buyAsGuest(shop, newVisitor())
  expect((await make(unpaid)).status).toBe(409)
  const { id: product_id } = await shop.product('digital')
  await shop.services.database.pool.query(`update products set price = 0 where id = $1`, [product_id])
  expect((await make((await reader.buy(product_id)).id)).status).toBe(404)
  await shop.services.database.pool.query(`update auth.sessions set proved_at = now() - interval '1 hour'`)
  expect((await make(id)).status).toBe(400)
})

test('a receipt names the buyer to the browser that bought and to the link that was mailed, and to nobody else', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const { html = '' } = await shop.mailbox.to(visitor.email, /receipt/i)
  const [, mailed = ''] = new RegExp(`/purchase/${id}#([\\w-]{43})`).exec(html) ?? []
  const own = await tokenOf(await linkAsGuest(shop, id, visitor.proof))
  const passedOn = await tokenOf(await admin.call('POST', `/api/admin/purchases/${id}/links`))
  const receiptOf = async (proof: string) => {
    const response = await shop.call('POST', `/api/guest/purchases/${id}/receipt`, { body: { proof } })
    return { status: response.status, text: await response.text() }
  }
  for (const proof of [visitor.proof, mailed])
    expect(await receiptOf(proof)).toMatchObject({
      status: 200,
      text: expect.stringContaining(visitor.email),
    })
  for (const proof of [sessionOf(stripe, id).id, own, passedOn]) {
    const { status, text } = await receiptOf(proof)
    expect([status, text.includes('"buyer":null'), text.includes('@')]).toEqual([200, true, false])
  }
  // The author has moved the order: the browser is that of another buyer.
  const moved = { email: 'new@example.com', reason: 'Asked by phone' }
  const move = await admin.call('PUT', `/api/admin/purchases/${id}/moves/${randomUUID()}`, { body: moved })
  expect(move.status).toBe(200)
  expect((await receiptOf(visitor.proof)).text).not.toContain('@')
  expect((await receiptOf(mailed)).status).toBe(404)
})

test('the author ends the links that were mailed and those that were made', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await shop.mailbox.to(visitor.email, /receipt/i)
  const made = await tokenOf(await linkAsGuest(shop, id, visitor.proof))
  const order = (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail
  expect(order.open_links).toBe(2)
  const ended = await admin.call('DELETE', `/api/admin/purchases/${id}/links`)
  expect(((await ended.json()) as OrderDetail).open_links).toBe(0)
  expect((await askAsGuest(shop, id, made)).status).toBe(404)
})

test('an order gives so many links a day, and no more', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { env: { RATE_LIMIT: 'on' } })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const statuses = await Promise.all(
    Array.from({ length: 24 }, async () => (await linkAsGuest(shop, id, visitor.proof)).status),
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
})

test('two buyers of different networks and addresses share no counter', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } })
  const { id: product_id } = await shop.product('digital')
  const counted = async (ip: string) => {
    await shop.services.database.pool.query('delete from rate_limits')
    const visitor = newVisitor()
    const call = (path: string, body: object) =>
      shop.call('POST', `/api/guest/purchases${path}`, { body, headers: { 'x-forwarded-for': ip } })
    const unknown = { ...visitor, product_id: crypto.randomUUID(), code: 'NONE' }
    expect((await call('', unknown)).status).toBeGreaterThanOrEqual(400)
    const { id } = (await (await call('', { ...visitor, product_id })).json()) as { id: string }
    stripe.pay(sessionOf(stripe, id).id)
    for (const path of ['settle', 'download', 'link']) {
      const { status } = await call(`/${id}/${path}`, { proof: visitor.proof })
      expect([path, status < 300]).toEqual([path, true])
    }
    const found = await rows<{ key: string }>(shop, 'select key from rate_limits')
    return found.map(({ key }) => key)
  }
  const [first, second] = [await counted('203.0.113.7'), await counted('198.51.100.9')]
  expect(first.length).toBeGreaterThan(3)
  expect(first.filter((key) => second.includes(key))).toEqual([])
})

// Whose a purchase becomes that was bought with an address only.

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
  time.ahead = 100 * hourMs
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

  const recipient = { id: crypto.randomUUID(), email: 'gift@example.com' }
  await shop.services.db.transaction((tx) => findOrAddAccount(tx, recipient, new Date()))
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
  // Only the stranger had chosen a password.
  const ended = `select u.email from auth.audit_log l join auth.users u on u.id = user_id where event = 'password_ended'`
  expect(await rows(shop, ended)).toEqual([{ email: 'invited@example.com' }])
  expect((await admin.call('GET', '/api/admin/users')).status).toBe(200)
})

test('a stranger’s sign-up with a buyer’s address gets nothing when its link is pressed', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const { email } = newVisitor()
  const [stranger, owner] = [
    await openBrowser(shop.url, { deviceId: randomUUID() }),
    await openBrowser(shop.url, { deviceId: randomUUID() }),
  ]
  const credentials = { email, password: 'the stranger’s' }
  await stranger.auth.signUp({ ...credentials, options: { data: { display_name: 'Mallory' } } })
  const [mail] = await mailsTo(shop, email, 1)
  await payAsGuest(shop, stripe, newVisitor(email))
  const { data, error } = await owner.auth.verifyOtp(linkIn(mail!))
  expect(error).toBeNull()
  expect(data.user?.user_metadata).toEqual({})
  expect((await stranger.auth.signInWithPassword(credentials)).error?.code).toBe('invalid_credentials')
  expect(await accounts(shop)).toMatchObject([{ is_confirmed: true, has_password: false, purchases: 1 }])
})

test('a buyer’s own sign-up has its password in the browser in which it was typed', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { sendsMail: true })
  const visitor = newVisitor()
  await payAsGuest(shop, stripe, visitor)
  const { email } = visitor
  await shop.mailbox.to(email, /receipt/i)
  const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
  await auth.signUp({ email, password: 'her own password' })
  const code = codeIn((await mailsTo(shop, email, 2)).at(-1)!)
  expect((await auth.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull()
  expect((await auth.signInWithPassword({ email, password: 'her own password' })).error).toBeNull()
})

test('the browser that bought sees where its parcel goes; the link of the receipt, which may be passed on, does not', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor()
  const { id } = await buyAsGuest(shop, visitor, { format: 'paperback' })
  const { name, phone, ...place } = someAddress
  stripe.pay(sessionOf(stripe, id).id, { ships_to: { name, phone, address: place } })
  const { parcel, own } = await settleAsGuest(shop, id, visitor.proof)
  expect([parcel, own]).toMatchObject([
    { shipped_at: null },
    { receipt_to: visitor.email, address: someAddress },
  ])
  const { url } = (await (await linkAsGuest(shop, id, visitor.proof)).json()) as AccessLink
  const passedOn = await settleAsGuest(shop, id, url.split('#').at(-1)!)
  expect(passedOn.own).toBeNull()
  expect(JSON.stringify(passedOn)).not.toContain(someAddress.line1)
})
