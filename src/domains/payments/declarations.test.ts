// Withdrawing without an account: by what proves the order, and by a declaration that is proven later or never.
import { randomUUID } from 'node:crypto'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import {
  changePurchase,
  giveAgreedDownload,
  giveConsent,
  giveDownload,
  giveReceiptMail,
} from '#test/factories.ts'
import {
  askAsGuest,
  codeOf,
  downloadAsGuest,
  linkAsGuest,
  newProof,
  newVisitor,
  openGuestShop,
  payAsGuest,
  rows,
  settleAsGuest,
} from '#test/guests.ts'
import { listAttentionItems } from '#test/needs.ts'
import { buyAndPay, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { bought, mails, ofPurchase, press, ship as shipParcel } from '#test/withdrawals.ts'
import type { Person } from '#test/users.ts'
import { dayMs } from '#contract/durations.ts'
import type { AccessLink } from '#contract/orders/guest-purchases.ts'
import type { DeclarationReceived, ProvenDeclaration } from '#contract/orders/declarations.ts'
import { Postponed } from '#platform/queue.ts'
import { declarationMailJob } from './declarations.ts'
import { alignTestOrders } from '#domains/settings/sums-settings.ts'
import { sweepDeclarations } from '#domains/orders/withdrawal-declarations.ts'

const withdrawAsGuest = (shop: TestShop, id: string, proof: string) =>
  shop.call('POST', `/api/guest/purchases/${id}/refund`, { body: { proof, reason: '' } })

const declare = (shop: TestShop, email: string, order = 'the ebook, last week', headers = {}) =>
  shop.call('POST', '/api/withdrawals', { body: { name: 'Ruth', email, order }, headers })

const received = async (response: Response) => {
  expect(response.status).toBe(201)
  return (await response.json()) as DeclarationReceived
}

const look = (shop: TestShop, token: string) =>
  shop.call('POST', '/api/withdrawals/look', { body: { token } })

const prove = (shop: TestShop, token: string, purchase_id: string) =>
  shop.call('POST', '/api/withdrawals/proof', { body: { token, purchase_id } })

async function tokenFor(shop: TestShop, email: string) {
  const { text = '' } = await shop.mailbox.to(email, /received your withdrawal$/)
  return /\/withdraw#([\w-]{43})/.exec(text)![1]!
}

const endAccess = (shop: TestShop, id: string) =>
  rows(shop, `update purchase_access set expires_at = now() - interval '1 day' where purchase_id = '${id}'`)

const accept = (admin: Person, id: string, purchase_id: string) =>
  admin.call('POST', `/api/admin/payments/unproven_withdrawal/${id}/accept`, { body: { purchase_id } })

const refunds = (shop: TestShop) =>
  rows<{ purchase_id: string }>(shop, 'select purchase_id from refund_requests')

const open = async (stripe: StripeStandIn, options?: Parameters<typeof openGuestShop>[1]) => {
  const shop = await openGuestShop(stripe, { sendsMail: true, ...options })
  return { shop, admin: await shop.person({ role: 'admin' }) }
}

test('the browser that bought and the receipt’s link withdraw while a right lasts, also after their downloads have ended', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { hasWorkers: false })
  const visitor = newVisitor()
  for (const way of ['browser', 'link'] as const) {
    const proof = newProof()
    const id = await payAsGuest(shop, stripe, { ...visitor, proof })
    const made = (await (await linkAsGuest(shop, id, proof)).json()) as AccessLink
    const token = way === 'browser' ? proof : made.url.split('#').at(-1)!
    expect(await settleAsGuest(shop, id, token)).toMatchObject({ is_over: false, last_link: {} })
    await endAccess(shop, id)
    const seen = await settleAsGuest(shop, id, token)
    expect(seen).toMatchObject({ refund_right: 'law', own: null, product: { download_url: null } })
    expect(seen, 'no link opens it any more either').toMatchObject({ is_over: true, last_link: null })
    expect(await codeOf(await downloadAsGuest(shop, id, token))).toBe('guest_checkout.access_ended')
    expect((await withdrawAsGuest(shop, id, newProof())).status).toBe(404)
    const pressed = await Promise.all([1, 2].map(() => withdrawAsGuest(shop, id, token)))
    expect(pressed.map(({ status }) => status)).toEqual([200, 200])
    expect(await settleAsGuest(shop, id, token)).toMatchObject({ withdrawal: { right: 'law' } })
  }
  expect(await rows(shop, 'select from withdrawals')).toHaveLength(2)
})

test('after the law’s period and the promise, neither opens it any more; without a promise there is no button', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { hasWorkers: false })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await bought(shop, id, 20)
  await endAccess(shop, id)
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ refund_right: 'promise' })
  await bought(shop, id, 31)
  expect(await codeOf(await askAsGuest(shop, id, visitor.proof))).toBe('guest_checkout.access_ended')
  expect(await codeOf(await withdrawAsGuest(shop, id, visitor.proof))).toBe('purchases.not_refundable')
})

test('a declaration is acknowledged in the same words whether or not there is such an order, and takes effect by its link', async () => {
  await using stripe = await startStripe()
  const { shop, admin } = await open(stripe)
  await using _shop = shop
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const stranger = newVisitor()
  for (const { email } of [visitor, stranger])
    expect(await received(await declare(shop, email))).toMatchObject({ is_mailed: true })
  const [own, others] = await Promise.all(
    [visitor, stranger].map(({ email }) => shop.mailbox.to(email, /received your withdrawal$/)),
  )
  const plain = (text = '', email: string) => text.replaceAll(email, '…').replaceAll(/#[\w-]{43}/g, '#…')
  expect(plain(own?.text, visitor.email)).toBe(plain(others?.text, stranger.email))
  expect(own?.text).toContain('the ebook, last week')
  expect(await refunds(shop)).toEqual([])

  const token = await tokenFor(shop, visitor.email)
  const found = (await (await look(shop, token)).json()) as ProvenDeclaration
  expect(found).toMatchObject({ state: 'open', orders: [{ id, right: 'law' }] })
  const none = (await (await look(shop, await tokenFor(shop, stranger.email))).json()) as ProvenDeclaration
  expect(none.orders).toEqual([])
  // A stranger's link does nothing to another's order.
  expect((await prove(shop, await tokenFor(shop, stranger.email), id)).status).toBe(404)
  expect((await prove(shop, newProof(), id)).status).toBe(403)
  const proven = await Promise.all([1, 2].map(() => prove(shop, token, id)))
  expect(proven.map(({ status }) => status)).toEqual([200, 200])
  await soon(shop, async () => (await settleAsGuest(shop, id, visitor.proof)).status).toBe('refunded')
  expect(await refunds(shop)).toHaveLength(1)
  await shop.mailbox.to(visitor.email, /withdrawal from/)
  expect(await mails(shop, visitor.email, /withdrawal from/)).toHaveLength(1)
  const { declared_at } = (await settleAsGuest(shop, id, visitor.proof)).withdrawal!
  expect(declared_at).toBe(found.declared_at)
  expect((await (await look(shop, token)).json()) as object).toMatchObject({
    state: 'effective',
    orders: [],
  })
  const { items } = await listAttentionItems(admin)
  expect(items).toMatchObject([{ kind: 'unmatched_withdrawals', count: 1, declarations: [{ name: 'Ruth' }] }])
})

test('proofs at once, beside the browser’s own withdrawal, all get the state of the one withdrawal, also once it is paid back', async () => {
  await using stripe = await startStripe()
  const { shop } = await open(stripe)
  await using _shop = shop
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  // The declaration can mean this one, too.
  await payAsGuest(shop, stripe, { ...visitor, proof: newProof() })
  await received(await declare(shop, visitor.email))
  const token = await tokenFor(shop, visitor.email)
  const stateOf = async (response: Response) => {
    const { withdrawal } = (await response.json()) as { withdrawal: { declared_at: string } | null }
    return [response.status, withdrawal && typeof withdrawal.declared_at]
  }
  const proveAtOnce = () => Promise.all(Array.from({ length: 8 }, () => prove(shop, token, id).then(stateOf)))
  const all = Array.from({ length: 8 }, () => [200, 'string'])
  const [proven] = await Promise.all([proveAtOnce(), withdrawAsGuest(shop, id, visitor.proof)])
  expect(proven).toEqual(all)
  await soon(shop, async () => (await settleAsGuest(shop, id, visitor.proof)).status).toBe('refunded')
  expect(await proveAtOnce()).toEqual(all)
  expect(await refunds(shop)).toEqual([{ purchase_id: id }])
})

test('what was declared in time counts from then, by a sign-in, too', async () => {
  await using stripe = await startStripe()
  const { shop } = await open(stripe, { hasWorkers: false })
  await using _shop = shop
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  await changePurchase(shop.services.db, id, { refund_days: 0 })
  await received(await declare(shop, user.email))
  await bought(shop, id, 20)
  expect((await ofPurchase(user, id)).refund_right).toBe(null)
  await rows(shop, `update withdrawal_declarations set declared_at = now() - interval '10 days'`)
  expect((await ofPurchase(user, id)).refund_right).toBe('law')
  expect((await press(user, id)).status).toBe(200)
  const { withdrawal } = await ofPurchase(user, id)
  expect(Date.now() - Date.parse(withdrawal!.declared_at)).toBeGreaterThan(9 * dayMs)
  expect(await rows(shop, 'select from withdrawal_declarations where closed_at is null')).toEqual([])
})

test('a number that is none of the buyer’s hides no order, and the link’s own time counts', async () => {
  await using stripe = await startStripe()
  const { shop, admin } = await open(stripe)
  await using _shop = shop
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await changePurchase(shop.services.db, id, { refund_days: 0 })
  await received(await declare(shop, visitor.email, '#4711'))
  const token = await tokenFor(shop, visitor.email)
  await bought(shop, id, 20)
  await rows(shop, `update withdrawal_declarations set declared_at = now() - interval '10 days'`)
  expect((await prove(shop, token, id)).status).toBe(200)
  await soon(shop, async () => (await settleAsGuest(shop, id, visitor.proof)).status).toBe('refunded')
  expect((await listAttentionItems(admin)).items).toEqual([])
})

test('unproven, it waits for the author where address or number fits; accepted, it takes effect, dismissed, nothing does', async () => {
  await using stripe = await startStripe()
  const { shop, admin } = await open(stripe)
  await using _shop = shop
  const [anna, ben] = [newVisitor(), newVisitor()]
  const ids = [
    await payAsGuest(shop, stripe, anna),
    await payAsGuest(shop, stripe, { ...anna, proof: newProof() }),
  ]
  const bens = await payAsGuest(shop, stripe, ben)
  const { number } = await settleAsGuest(shop, bens, ben.proof)
  await received(await declare(shop, anna.email))
  await received(await declare(shop, 'elsewhere@example.com', `#${number}`))
  const list = async () =>
    (await listAttentionItems(admin)).items.filter(({ kind }) => kind === 'unproven_withdrawal')
  const [byNumber, byAddress] = await list()
  expect(byAddress).toMatchObject({ email: anna.email, order_number: null })
  expect(byAddress).toHaveProperty('orders.length', 2)
  expect(byNumber).toMatchObject({
    email: 'elsewhere@example.com',
    reason: expect.stringContaining('entered elsewhere@example.com on the withdrawal page'),
    order_number: number,
    orders: [{ purchase_id: bens, email: ben.email, binding: 'law', is_test: false }],
  })
  await alignTestOrders(shop.services.database)
  expect((await list())[0]).toMatchObject({ orders: [{ is_test: true }] })
  // Who knows a number proves nothing by an own mailbox.
  expect((await prove(shop, await tokenFor(shop, 'elsewhere@example.com'), bens)).status).toBe(404)
  expect((await accept(admin, byNumber!.id, ids[0]!)).status).toBe(409)
  expect((await accept(await shop.person(), byNumber!.id, bens)).status).toBe(403)
  const accepted = await Promise.all([1, 2].map(() => accept(admin, byNumber!.id, bens)))
  expect(accepted.map(({ status }) => status).toSorted((a, b) => a - b)[0]).toBe(200)
  await soon(shop, async () => (await settleAsGuest(shop, bens, ben.proof)).status).toBe('refunded')
  expect((await shop.mailbox.to(ben.email, /withdrawal from/)).text).toContain('You have withdrawn')
  expect(await refunds(shop)).toHaveLength(1)

  const dismissal = `/api/admin/payments/unproven_withdrawal/${byAddress!.id}/dismissal`
  expect((await admin.call('POST', dismissal, { body: { note: 'Asked her' } })).status).toBe(200)
  expect(await list()).toEqual([])
  expect(await refunds(shop)).toHaveLength(1)
  // What the buyer proves takes effect nevertheless.
  const token = await tokenFor(shop, anna.email)
  expect((await prove(shop, token, ids[0]!)).status).toBe(200)
  expect(await refunds(shop)).toHaveLength(2)
})

test('after the period the author may still accept, and after a refund it fits no order', async () => {
  await using stripe = await startStripe()
  const { shop, admin } = await open(stripe)
  await using _shop = shop
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await bought(shop, id, 40)
  await received(await declare(shop, visitor.email))
  const token = await tokenFor(shop, visitor.email)
  const found = { orders: [{ id, right: null, ended_right: { is_waived: false } }] }
  expect(await (await look(shop, token)).json()).toMatchObject(found)
  const [need] = (await listAttentionItems(admin)).items
  expect(need).toMatchObject({ kind: 'unproven_withdrawal', orders: [{ binding: null }] })
  expect((await accept(admin, need!.id, id)).status).toBe(200)
  await soon(shop, async () => (await refunds(shop)).length).toBe(1)
  await soon(shop, async () => (await listAttentionItems(admin)).items).toEqual([])
  await received(await declare(shop, visitor.email))
  expect((await listAttentionItems(admin)).items).toMatchObject([{ kind: 'unmatched_withdrawals', count: 1 }])
})

test('a declaration that is sent again under its key is one, with one acknowledgement; other words are another', async () => {
  await using stripe = await startStripe()
  const { shop } = await open(stripe)
  await using _shop = shop
  const body = { key: crypto.randomUUID(), name: 'Ruth', email: 'ruth@example.com', order: '#1001' }
  const send = async (more = {}) =>
    received(await shop.call('POST', '/api/withdrawals', { body: { ...body, ...more } }))
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => send()))
  expect(first).toMatchObject({ is_mailed: true })
  for (const again of [...others, await send()]) expect(again).toEqual(first)
  await shop.mailbox.to(body.email, /received your withdrawal$/)
  const other = await send({ order: '#1002' })
  expect(other.declared_at).not.toBe(first!.declared_at)
  const numbers = await rows(shop, 'select number from withdrawal_declarations order by number')
  expect(numbers).toEqual([{ number: 1001 }, { number: 1002 }])
  await soon(shop, () => mails(shop, body.email, /received your withdrawal$/)).toHaveLength(2)
})

test('a stranger’s words are no links in the mailbox of another', async () => {
  await using stripe = await startStripe()
  const { shop } = await open(stripe)
  await using _shop = shop
  const body = {
    name: 'You won https://evil.example',
    email: 'victim@example.com',
    order: 'see www.evil.example',
  }
  await received(await shop.call('POST', '/api/withdrawals', { body }))
  const { text = '', html = '' } = await shop.mailbox.to('victim@example.com', /received your withdrawal$/)
  expect(text + html).not.toMatch(/evil\.example|https:\/\/evil/)
})

test('a declaration after which a file was downloaded counts from its proof, which asks the author where the right has ended', async () => {
  await using stripe = await startStripe()
  const { shop, admin } = await open(stripe)
  await using _shop = shop
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const { db } = shop.services
  await changePurchase(db, id, { refund_days: 0 })
  await giveConsent(db, id)
  await giveReceiptMail(db, id, 'sent')
  await bought(shop, id, 1)
  await received(await declare(shop, visitor.email))
  const token = await tokenFor(shop, visitor.email)
  await rows(shop, `update withdrawal_declarations set declared_at = now() - interval '1 minute'`)
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ refund_right: 'law' })
  await giveDownload(db, id)
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ refund_right: null })
  const found = { orders: [{ id, right: null, ended_right: { is_waived: true } }] }
  expect(await (await look(shop, token)).json()).toMatchObject(found)
  const proven = await Promise.all([1, 2].map(() => prove(shop, token, id)))
  expect(proven.map(({ status }) => status)).toEqual([200, 200])
  expect(await refunds(shop)).toEqual([])
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({
    withdrawal: { state: 'waiting', waits_for: 'no_right', right: 'request' },
  })
  const { text } = await shop.mailbox.to(visitor.email, /refund request/)
  expect(text).toContain('No right of withdrawal applies to this order, so the author decides.')
  expect(text).toContain('The files of this order cannot be downloaded until the author has decided.')
  expect(text).not.toContain('can no longer be downloaded')
  const { items } = await listAttentionItems(admin)
  expect(items).toMatchObject([{ kind: 'withdrawal', id, binding: null }])
  const effect = { state: 'effective', orders: [], withdrawal: { state: 'waiting', right: 'request' } }
  expect(await (await look(shop, token)).json()).toMatchObject(effect)
  const refuse = `/api/admin/payments/withdrawal/${id}/refuse`
  expect((await admin.call('POST', refuse, { body: { sentence: 'You have read it.' } })).status).toBe(200)
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ status: 'completed' })
  expect((await shop.mailbox.to(visitor.email, /About your refund/)).text).toContain('You have read it.')
})

test('a guest whose right ended reads when, asks the author, and takes the request back, once for all presses', async () => {
  await using stripe = await startStripe()
  const { shop, admin } = await open(stripe)
  await using _shop = shop
  const { db } = shop.services
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const ask = (is_request: boolean) =>
    shop.call('POST', `/api/guest/purchases/${id}/refund`, { body: { proof: visitor.proof, is_request } })
  const takeBack = (proof = visitor.proof) =>
    shop.call('POST', `/api/guest/purchases/${id}/refund/end`, { body: { proof } })
  await changePurchase(db, id, { refund_days: 0 })
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({
    refund_right: 'law',
    ended_right: null,
  })
  await giveAgreedDownload(db, id)
  const ended = await settleAsGuest(shop, id, visitor.proof)
  expect(ended).toMatchObject({ refund_right: null, ended_right: { is_waived: true } })
  expect(Math.abs(Date.now() - Date.parse(ended.ended_right!.at))).toBeLessThan(dayMs)
  // A page from before the download does not ask by the button of the law.
  expect(await codeOf(await ask(false))).toBe('purchases.not_refundable')
  expect((await Promise.all([1, 2].map(() => ask(true)))).map(({ status }) => status)).toEqual([200, 200])
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({
    ended_right: null,
    withdrawal: { state: 'waiting', waits_for: 'no_right', right: 'request' },
  })
  expect(await codeOf(await downloadAsGuest(shop, id, visitor.proof))).toBe('purchases.not_completed')
  expect((await takeBack(newProof())).status).toBe(404)
  const taken = await Promise.all([1, 2, 3].map(async () => (await takeBack()).json()))
  expect(taken).toEqual([1, 2, 3].map(() => ({ is_done: true })))
  expect((await listAttentionItems(admin)).items).toEqual([])
  expect((await downloadAsGuest(shop, id, visitor.proof)).status).toBe(200)
  expect(await refunds(shop)).toEqual([])

  // Of the buyer and the author at once one decides.
  for (let nth = 0; nth < 3; nth += 1) {
    expect((await ask(true)).status).toBe(200)
    const refund = () => admin.call('POST', `/api/admin/payments/withdrawal/${id}/refund`, { body: {} })
    const [given, back] = await Promise.all([refund(), takeBack()])
    const { is_done } = (await back.json()) as { is_done: boolean }
    expect([given.status, is_done]).toEqual(given.status === 200 ? [200, false] : [409, true])
    expect(await refunds(shop)).toHaveLength(given.status === 200 ? 1 : 0)
    if (given.status === 200) break
  }
})

test('each new request is told to the author, and ten an hour are taken back by whoever has a link', async () => {
  await using stripe = await startStripe()
  const { shop } = await open(stripe, { env: { RATE_LIMIT: 'on' } })
  await using _shop = shop
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await bought(shop, id, 40)
  const body = { proof: visitor.proof, is_request: true }
  const ask = () => shop.call('POST', `/api/guest/purchases/${id}/refund`, { body })
  const takeBack = () =>
    shop.call('POST', `/api/guest/purchases/${id}/refund/end`, { body: { proof: visitor.proof } })
  const told = () =>
    rows(shop, `select id from pgboss.job where name = 'mail.author' and data ->> 'name' = 'refund_asked'`)
  for (let nth = 1; nth <= 2; nth += 1) {
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
    expect(await told()).toHaveLength(nth)
    expect((await takeBack()).status).toBe(200)
  }
  for (let nth = 3; nth <= 10; nth += 1) await takeBack()
  expect((await takeBack()).status).toBe(429)
  expect((await ask()).status).toBe(200)
})

test('a part that went back before the proof of a declaration does not settle it', async () => {
  await using stripe = await startStripe()
  const { shop, admin } = await open(stripe)
  await using _shop = shop
  const { db } = shop.services
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user, 'bundle')
  await changePurchase(db, id, { refund_days: 0 })
  await giveAgreedDownload(db, id)
  await received(await declare(shop, user.email, 'the bundle'))
  const token = await tokenFor(shop, user.email)
  const refund = (amount: number) =>
    admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })
  await refund(1)
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('partially_refunded')
  expect((await prove(shop, token, id)).status).toBe(200)
  await settle(user, id)
  const waiting = { state: 'waiting', waits_for: 'downloaded', right: 'law' }
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject(waiting)
  await refund(20)
  await soon(shop, async () => (await ofPurchase(user, id)).withdrawal?.state).toBe('partly')
})

test('a request by the promise is taken back by who is signed in, and by no link', async () => {
  await using stripe = await startStripe()
  const { shop } = await open(stripe)
  await using _shop = shop
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor, { format: 'paperback' })
  await shipParcel(shop, id, { country: 'US' })
  await changePurchase(shop.services.db, id, { refund_days: 30 })
  expect((await withdrawAsGuest(shop, id, visitor.proof)).status).toBe(200)
  const withdrawal = { state: 'waiting', waits_for: 'return', right: 'promise' }
  const body = { proof: visitor.proof }
  const byLink = await shop.call('POST', `/api/guest/purchases/${id}/refund/end`, { body })
  expect(await codeOf(byLink)).toBe('payments.not_waiting')
  expect(await settleAsGuest(shop, id, visitor.proof)).toMatchObject({ withdrawal })

  const user = await shop.person()
  const own = await buyAndPay(shop, stripe, user, 'paperback')
  await shipParcel(shop, own, { country: 'US' })
  await changePurchase(shop.services.db, own, { refund_days: 30 })
  await press(user, own)
  expect((await ofPurchase(user, own)).withdrawal).toMatchObject(withdrawal)
  const taken = await user.call('DELETE', `/api/purchases/${own}/refund`)
  expect(await taken.json()).toEqual({ is_done: true })
})

test('a withdrawal by the law is not taken back, and a link whose request was taken back asks anew', async () => {
  await using stripe = await startStripe()
  const { shop } = await open(stripe)
  await using _shop = shop
  const user = await shop.person()
  const [law, late] = [await buyAndPay(shop, stripe, user, 'paperback'), await buyAndPay(shop, stripe, user)]
  const takeBack = (person: Person, id: string) => person.call('DELETE', `/api/purchases/${id}/refund`)
  await shipParcel(shop, law)
  await press(user, law)
  expect(await codeOf(await takeBack(user, law))).toBe('payments.not_waiting')
  expect((await ofPurchase(user, law)).withdrawal).toMatchObject({ state: 'waiting' })

  await bought(shop, late, 40)
  await received(await declare(shop, user.email, 'the ebook'))
  const token = await tokenFor(shop, user.email)
  expect((await prove(shop, token, late)).status).toBe(200)
  expect((await ofPurchase(user, late)).withdrawal).toMatchObject({ waits_for: 'no_right' })
  expect((await takeBack(await shop.person(), late)).status).toBe(404)
  expect(await (await takeBack(user, late)).json()).toEqual({ is_done: true })
  expect((await ofPurchase(user, late)).withdrawal).toBe(null)
  expect(await (await look(shop, token)).json()).toMatchObject({ orders: [{ id: late }], withdrawal: null })
  expect((await prove(shop, token, late)).status).toBe(200)
  expect((await ofPurchase(user, late)).withdrawal).toMatchObject({ state: 'waiting' })
})

test('of two orders one is withdrawn from by a link, and what others declare of the second waits', async () => {
  await using stripe = await startStripe()
  const { shop, admin } = await open(stripe)
  await using _shop = shop
  const visitor = newVisitor()
  const [first, second] = [
    await payAsGuest(shop, stripe, visitor),
    await payAsGuest(shop, stripe, { ...visitor, proof: newProof() }),
  ]
  await received(await declare(shop, visitor.email, 'the first'))
  const token = await tokenFor(shop, visitor.email)
  await received(await declare(shop, visitor.email, 'the second'))
  expect((await prove(shop, token, first)).status).toBe(200)
  // The used link ends nothing more.
  expect((await prove(shop, token, second)).status).toBe(404)
  expect(await (await look(shop, token)).json()).toMatchObject({ state: 'effective', orders: [] })
  const waits = (await listAttentionItems(admin)).items.filter(({ kind }) => kind === 'unproven_withdrawal')
  expect(waits).toMatchObject([{ ordered: 'the second', orders: [{ purchase_id: second }] }])
  // Of two who accept it at once, one does.
  const accepted = await Promise.all([1, 2].map(() => accept(admin, waits[0]!.id, second)))
  expect(accepted.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('20 an hour and network; a limit of mails refuses none, whose acknowledgement comes later; without mail it is a file', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, {
    hasWorkers: false,
    sendsMail: true,
    env: { RATE_LIMIT: 'on' },
  })
  const mailed: boolean[] = []
  for (let nth = 0; nth < 20; nth += 1)
    mailed.push((await received(await declare(shop, 'reader@example.com'))).is_mailed)
  expect(mailed.slice(0, 2)).toEqual([true, true])
  expect(mailed.slice(4)).toEqual(Array(16).fill(false))
  expect((await declare(shop, 'another@example.com')).status).toBe(429)
  const jobs = await rows<{ is_limited: boolean }>(
    shop,
    `select data ? 'network' as is_limited from pgboss.job where name = 'mail.withdrawal_declared'`,
  )
  expect(jobs).toHaveLength(20)
  expect(jobs.filter(({ is_limited }) => !is_limited)).toHaveLength(mailed.filter(Boolean).length)

  // It waits for the limit, hour by hour.
  const [declared] = await rows<{ id: string }>(shop, 'select id from withdrawal_declarations limit 1')
  const payload = { declaration_id: declared!.id, network: '127.0.0.1' }
  const attempt = { id: randomUUID(), number: 25, isLast: true }
  await expect(declarationMailJob.run(shop.services as never, payload, attempt)).rejects.toThrow(Postponed)

  await using silent = await openGuestShop(stripe, { hasWorkers: false, sendsMail: false })
  expect(await received(await declare(silent, 'reader@example.com'))).toMatchObject({ is_mailed: false })
})

test('what fits no order is deleted after 30 days, and what waits for the author stays', async () => {
  await using stripe = await startStripe()
  const { shop } = await open(stripe, { hasWorkers: false })
  await using _shop = shop
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await bought(shop, id, 60)
  for (const email of [visitor.email, 'nobody@example.com']) await received(await declare(shop, email))
  await sweepDeclarations(shop.services)
  const left = () => rows(shop, 'select email from withdrawal_declarations order by email')
  expect(await left()).toHaveLength(2)
  await rows(shop, `update withdrawal_declarations set declared_at = now() - interval '31 days'`)
  await sweepDeclarations(shop.services)
  expect(await left()).toEqual([{ email: visitor.email }])
})
