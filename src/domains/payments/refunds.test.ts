// Money that is asked back: once, in whole cents, and also when the provider cannot be asked for a while.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Stripe } from 'stripe'
import type { Evidence } from '#contract/orders/admin-orders.ts'
import type { AttentionList } from '#contract/payments/needs-attention.ts'
import { buy, buyAndPay, openPaidShop, own, sessionOf, settle, sendEvent } from '#test/paying.ts'
import type { Person } from '#test/users.ts'
import { type TestShop, openTestShop } from '#test/shop.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { paymentEventJob } from './events.ts'
import { refundJob } from './refunds.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import { soon } from '#test/retries.ts'
import { settlePurchase } from './settle.ts'
import { changePurchase, giveConsent, giveDownload, giveReceiptMail } from '#test/factories.ts'
import { listAttentionItems } from '#test/needs.ts'
import { bought, codeOf, loseAddress, ofPurchase, press, ship } from '#test/withdrawals.ts'

test('what is asked for while the keys are away is done once they are back, and no event is marked as handled before', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { services } = shop
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  await sendEvent(shop, stripe.event('checkout.session.completed', sessionOf(stripe, id)))
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  const first = async <Row extends object>(query: string) =>
    (await services.database.pool.query<Row>(query)).rows[0]!
  const { request_id } = await first<{ request_id: string }>('select id as request_id from refund_requests')
  const { event_id } = await first<{ event_id: string }>('select id as event_id from payment_events')
  const attempt = { id: randomUUID(), number: 1, isLast: false }

  const keyless = { ...services, payments: { mode: () => 'none' as const, current: () => undefined } }
  await expect(refundJob.run(keyless, { request_id }, attempt)).rejects.toThrow('takes no payments')
  await expect(paymentEventJob.run(keyless, { event_id }, attempt)).rejects.toThrow('takes no payments')
  expect(await first('select handled_at from payment_events')).toEqual({ handled_at: null })
  await refundJob.run(services, { request_id }, attempt)
  await paymentEventJob.run(services, { event_id }, attempt)
  expect((await own(user))[0]!.status).toBe('refunded')
  expect(await first('select status from refund_requests')).toEqual({ status: 'done' })
})

test('a refund is a number of whole cents', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  const give = async (amount: number) =>
    (await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })).status
  expect([await give(0.001), await give(5.005), await give(5.01)]).toEqual([422, 422, 202])
})

test('why money goes back stands beside it, and the actor in the audit log, also what a bank or Stripe did', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  const session = sessionOf(stripe, id)
  const read = async () =>
    (await (await admin.call('GET', `/api/admin/purchases/${id}/evidence`)).json()) as Evidence
  const runAsked = async () => {
    const { rows } = await shop.services.database.pool.query<{ request_id: string }>(
      `select id as request_id from refund_requests where status = 'requested'`,
    )
    await refundJob.run(shop.services, rows[0]!, { id: randomUUID(), number: 1, isLast: false })
  }
  const give = { amount: 2, reason: 'A bent corner' }
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: give })
  await runAsked()
  stripe.refund(session.payment_intent as string, 100).metadata = { request_id: 'of another tool' }
  stripe.dispute(session.id)
  await settle(user, id)
  stripe.dispute(session.id, 'won')
  await settle(user, id)
  await user.call('POST', `/api/purchases/${id}/refund`, { body: { reason: 'I have it twice' } })
  await runAsked()

  const { adjustments, events, status } = await read()
  expect(status).toBe('refunded')
  expect(adjustments.map(({ amount, note }) => `${amount} ${note}`).toSorted()).toEqual([
    '-1 ',
    '-11.99 ',
    '-11.99 By the buyer: I have it twice',
    '-2 A bent corner',
    '11.99 ',
  ])
  expect(events.map(({ action, actor }) => [action, actor])).toEqual([
    ['purchases.refunded', admin.email],
    ['payments.refunded', 'Stripe'],
    ['payments.disputed', 'Stripe'],
    ['payments.dispute_won', 'Stripe'],
    ['purchases.withdrawn', user.email],
  ])
})

test('a part that is given back is given once, though the author sends it again after its response was lost', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  const give = async (body: object) =>
    (await (await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body })).json()) as object
  expect(await give({ amount: 5, refunded: 0 })).toMatchObject({ id })
  expect(await give({ amount: 5, refunded: 0 })).toMatchObject({
    code: expect.stringMatching(/^purchases\.(not_refundable|refunded_meanwhile)$/),
  })
  await expect.poll(async () => (await own(user))[0]!.status).toBe('partially_refunded')
  await expect
    .poll(() => give({ amount: 5, refunded: 0 }))
    .toMatchObject({ code: 'purchases.refunded_meanwhile' })
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([500])
})

test('while all of the money is on its way back, the purchase says so and gives nothing', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  expect(await own(user)).toMatchObject([{ is_going_back: false, is_refundable: true }])
  await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })
  expect(await own(user)).toMatchObject([{ status: 'completed', is_going_back: true, is_refundable: false }])
})

/** Asks for all of it back, and runs the job until it is asked of Stripe no more. */
async function askBack(shop: TestShop, user: Person, id: string) {
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  const { rows } = await shop.services.database.pool.query<{ id: string }>(
    `select id from refund_requests where status = 'requested'`,
  )
  return ({ isLast = false } = {}) =>
    refundJob.run(shop.services, { request_id: rows[0]!.id }, { id: randomUUID(), number: 1, isLast })
}

const needs = async (admin: Person) =>
  ((await (await admin.call('GET', '/api/admin/payments')).json()) as AttentionList).items

test('a refund that had failed before the shop first read it ends as failed, with its mail and its item', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  stripe.failNextRefund()
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  const mail = await shop.mailbox.to(user.email, /did not arrive/)
  expect(mail.text).toContain('$14.99')
  const { rows } = await shop.services.database.pool.query('select status, problem from refund_requests')
  expect(rows).toEqual([{ status: 'failed', problem: 'The card has expired or was canceled.' }])
  expect(await own(user)).toMatchObject([{ status: 'completed', is_refundable: true, is_going_back: false }])
  const [need] = await needs(admin)
  expect(need).toMatchObject({
    kind: 'refund_failed',
    id: stripe.refunds[0]!.id,
    purchase_id: id,
    amount: 14.99,
    reason: 'The card has expired or was canceled.',
  })
  expect((await shop.mailbox.all()).filter(({ subject }) => subject?.startsWith('Your refund'))).toHaveLength(
    1,
  )

  const dismiss = (note: string) =>
    admin.call('POST', `/api/admin/payments/refund_failed/${need!.id}/dismissal`, { body: { note } })
  const twice = await Promise.all([dismiss('Sent a cheque'), dismiss('Sent a cheque')])
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]))
  await settle(user, id)
  expect(await needs(admin)).toEqual([])

  // Asked for once more, it arrives, and the one that failed takes nothing from it.
  expect((await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })).status).toBe(200)
  await expect.poll(async () => (await own(user))[0]!.status).toBe('refunded')
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1499, 1499])
})

test('a refund that fails later, one made at Stripe, and one of a held payment need attention until all is back', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, anna, ben, cleo] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
    await shop.person(),
  ]
  const annas = await buyAndPay(shop, stripe, anna)
  await (
    await askBack(shop, anna, annas)
  )()
  expect((await own(anna))[0]!.status).toBe('refunded')
  const bens = await buyAndPay(shop, stripe, ben)
  const foreign = stripe.refund(sessionOf(stripe, bens).payment_intent as string, 500)
  const cleos = (await buy(shop, cleo)).id
  stripe.pay(sessionOf(stripe, cleos).id)
  sessionOf(stripe, cleos).currency = 'eur'
  await settle(cleo, cleos)
  const held = stripe.refund(sessionOf(stripe, cleos).payment_intent as string)

  const failed = [stripe.refunds[0]!.id, foreign.id, held.id]
  for (const refund of failed) stripe.failRefund(refund, 'insufficient_funds')
  for (const [person, id] of [
    [anna, annas],
    [ben, bens],
    [cleo, cleos],
  ] as const)
    await settle(person, id)
  expect((await own(anna))[0]!.status).toBe('completed')
  const waiting = (await needs(admin)).filter(({ kind }) => kind === 'refund_failed')
  expect(new Set(waiting.map(({ id }) => id))).toEqual(new Set(failed))
  expect(waiting.map(({ reason }) => reason)).toContain('There was not enough money in your Stripe account.')
  const { rows } = await shop.services.database.pool.query(`select status from refund_requests`)
  expect(rows).toEqual([{ status: 'failed' }])

  // Nothing more is to be done once all of the payment is back, and a part is not all of it.
  const refundAgain = async (person: Person, id: string, amount?: number) => {
    const made = stripe.refund(sessionOf(stripe, id).payment_intent as string, amount)
    await settle(person, id)
    return made
  }
  const returned = async () =>
    (await needs(admin)).flatMap(({ kind, id }) => (kind === 'refund_failed' ? id : [])).toSorted()
  await refundAgain(anna, annas, 999)
  await refundAgain(ben, bens)
  expect(await returned()).toEqual([stripe.refunds[0]!.id, held.id].toSorted())
  const last = await refundAgain(anna, annas, 500)
  expect(await returned()).toEqual([held.id])
  stripe.failRefund(last.id)
  await settle(anna, annas)
  expect(await returned()).toEqual([last.id, held.id].toSorted())
  // The bank takes what is left, and decides; its decision is appealed.
  const dispute = async (person: Person, id: string, status: Stripe.Dispute.Status) => {
    stripe.dispute(sessionOf(stripe, id).id, status)
    await settle(person, id)
  }
  const both = [last.id, held.id].toSorted()
  for (const [status, entries] of [
    ['needs_response', both],
    ['lost', [held.id]],
    ['appeal_under_review', both],
    ['lost', [held.id]],
    ['won', both],
  ] as const) {
    await dispute(anna, annas, status)
    expect([status, await returned()]).toEqual([status, entries])
  }

  const dora = await shop.person()
  const doras = await buyAndPay(shop, stripe, dora)
  const ask = await askBack(shop, dora, doras)
  await refundAgain(dora, doras, 500)
  await ask()
  const refused = { kind: 'refund', purchase_id: doras }
  expect(await needs(admin)).toContainEqual(expect.objectContaining(refused))
  await dispute(dora, doras, 'lost')
  expect(await needs(admin)).not.toContainEqual(expect.objectContaining(refused))
  await dispute(dora, doras, 'won')
  expect(await needs(admin)).toContainEqual(expect.objectContaining(refused))
  await refundAgain(dora, doras, 999)
  expect(await needs(admin)).not.toContainEqual(expect.objectContaining(refused))
})

test('a refused refund needs no attention where all is back already, also where Stripe cannot be asked', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, anna, ben] = [await shop.person({ role: 'admin' }), await shop.person(), await shop.person()]
  const refundAtStripe = async (person: Person, id: string) => {
    stripe.refund(sessionOf(stripe, id).payment_intent as string)
    expect(await settle(person, id)).toBe('refunded')
  }
  const annas = await buyAndPay(shop, stripe, anna)
  const askForAnna = await askBack(shop, anna, annas)
  await refundAtStripe(anna, annas)
  await askForAnna()
  expect(await needs(admin)).toEqual([])

  const bens = await buyAndPay(shop, stripe, ben)
  const askForBen = await askBack(shop, ben, bens)
  await refundAtStripe(ben, bens)
  stripe.denied.add('POST refunds')
  await expect(askForBen({ isLast: true })).rejects.toThrow()
  expect(await needs(admin)).toEqual([])
  const { rows } = await shop.services.database.pool.query('select distinct status from refund_requests')
  expect(rows).toEqual([{ status: 'refused' }])
})

test('a refund that Stripe has refused is not asked for again when its settlement is retried', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  const ask = await askBack(shop, user, id)
  const part = stripe.refund(sessionOf(stripe, id).payment_intent as string, 500)
  stripe.fail(10, 'GET sessions/id')
  await expect(ask()).rejects.toThrow()
  stripe.fail(0)
  // Stripe would accept the refund by now.
  stripe.failRefund(part.id)
  stripe.clearKeys()
  await ask()
  expect(stripe.refunds).toHaveLength(1)
})

// The mail about a refund: one each, by the author or at Stripe, and however often Stripe reports it.

async function paid(shop: TestShop, stripe: StripeStandIn, person: Person) {
  const { id: product_id } = await shop.product('digital')
  const made = await person.call('POST', '/api/purchases', { body: { product_id } })
  const { id } = (await made.json()) as PurchaseMade
  const session = [...stripe.sessions.values()].find((each) => each['client_reference_id'] === id)!
  stripe.pay(session.id)
  await person.call('POST', `/api/purchases/${id}/settle`)
  return { id, session }
}

const mailsOf = async ({ services }: TestShop, purchase_id: string) =>
  (
    await services.database.pool.query<{ kind: string; subject: string; status: string }>(
      `select kind, subject, status from mails where purchase_id = $1 and kind <> 'receipt' order by created_at`,
      [purchase_id],
    )
  ).rows

test('a refund by the buyer sends one mail, though its event comes twice; a failed one sends one, too', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const user = await shop.person({ display_name: 'Ruth' })
  const { id, session } = await paid(shop, stripe, user)
  await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })
  const mail = await shop.mailbox.to(user.email, /Your refund for/)
  expect(mail.text).toContain('Dear Ruth,')
  for (const words of ['$14.99', '5 to 10 business days', '#1001']) expect(mail.text).toContain(words)
  // The email about the withdrawal has said that the access ended.
  for (const words of ['Paid after', 'can no longer be downloaded']) expect(mail.text).not.toContain(words)

  const sendEvent = () => {
    const { body, headers } = stripe.event('charge.refunded', {
      object: 'charge',
      payment_intent: session['payment_intent'],
    })
    return shop.call('POST', '/api/stripe/webhook', { body, headers })
  }
  await Promise.all([
    sendEvent(),
    sendEvent(),
    settlePurchase(shop.services, id),
    settlePurchase(shop.services, id),
  ])
  const open = `select count(*)::int as n from pgboss.job where state < 'completed'`
  await soon(shop, async () => (await shop.services.database.pool.query(open)).rows[0].n).toBe(0)
  const kinds = async () => (await mailsOf(shop, id)).map(({ kind }) => kind).toSorted()
  expect(await kinds()).toEqual(['refund', 'withdrawal'])

  stripe.refunds[0]!.status = 'failed'
  await Promise.all([settlePurchase(shop.services, id), settlePurchase(shop.services, id)])
  const failed = await shop.mailbox.to(user.email, /did not arrive/)
  for (const words of ['$14.99', 'reply to this email', 'Until then you have the book'])
    expect(failed.text).toContain(words)
  // The row of an email is written after the email.
  await soon(shop, kinds).toEqual(['refund', 'refund_failed', 'withdrawal'])
})

test('each part the author gives back has its mail, with what was left then, also where the author recorded it', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const user = await shop.person()
  const { id } = await paid(shop, stripe, user)
  for (const [amount, kept, access] of [
    [5, 'Paid after refunds $9.99', 'You keep your access to the book.'],
    [9.99, null, 'can no longer be downloaded'],
  ] as const) {
    await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })
    const find = async () =>
      (await shop.mailbox.all()).find(({ text }) => text?.includes(`We refund you $${amount.toFixed(2)}`))
    await soon(shop, find).toBeDefined()
    const text = (await find())!.text!.replaceAll(/\s+/g, ' ')
    expect(await own(user)).toMatchObject([{ refunded: kept ? 5 : 14.99 }])
    expect(text).toContain(access)
    if (kept) expect(text).toContain(kept)
    else expect(text).not.toContain('Paid after')
  }
  await soon(shop, () => mailsOf(shop, id)).toHaveLength(2)

  await shop.services.database.pool.query('delete from mails; delete from checkouts')
  await shop.services.database.pool.query(`update purchases set status = 'completed', amount = 20`)
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 2 } })
  await soon(shop, () => mailsOf(shop, id)).toMatchObject([{ kind: 'refund' }])
  const byHand = (await shop.mailbox.all()).find(({ text }) => text?.includes('sends it to you directly'))
  expect(byHand?.text).toContain('$2.00')
})

test('the mail of a refund says that the order was a test, and promises no money by a day', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const user = await shop.person()
  const { id } = await paid(shop, stripe, user)
  const { pool } = shop.services.database
  await pool.query('update sums_settings set counts_tests = false')
  await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })
  await soon(shop, async () => (await mailsOf(shop, id)).map(({ kind }) => kind)).toContain('refund')
  const find = async () => (await shop.mailbox.all()).find(({ text }) => text?.includes('We refund you'))
  await soon(shop, find).toBeDefined()
  const { text } = (await find())!
  expect(text).toContain('This was a test order: no real money was taken.')
  expect(text).not.toContain('business days')
})

// By what a purchase can be given back: one function decides what binds, whether the button is there and what it says.

test('the country decides for files too, a waiver needs consent, a mailed confirmation and a download, and the law goes before a promise', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { db } = shop.services
  const change = (values: Parameters<typeof changePurchase>[2]) => (id: string) =>
    changePurchase(db, id, values)
  const none = { refund_days: 0 }
  const waive = async (id: string, mail: 'sent' | 'unsent') => {
    await giveConsent(db, id)
    await giveReceiptMail(db, id, mail)
    await giveDownload(db, id)
  }
  const cases: [
    says: string,
    format: string,
    right: string | null,
    ...((id: string) => Promise<unknown>)[],
  ][] = [
    ['a file, country unknown, nothing promised', 'digital', 'law', change(none)],
    ['a file to Germany, a promise beside', 'digital', 'law', change({ country: 'DE' })],
    ['a file to Réunion', 'digital', 'law', change({ ...none, country: 'RE' })],
    ['a file to the United States', 'digital', null, change({ ...none, country: 'US' })],
    ['a file to the United States, promised', 'digital', 'promise', change({ country: 'US' })],
    ['a file after 14 days', 'digital', null, change(none), (id) => bought(shop, id, 15)],
    ['a file after 14 days, promised', 'digital', 'promise', (id) => bought(shop, id, 15)],
    ['after the promise', 'digital', null, (id) => bought(shop, id, 31)],
    ['consent and download, no email sent', 'digital', 'law', change(none), (id) => waive(id, 'unsent')],
    ['consent, email and download', 'digital', null, change(none), (id) => waive(id, 'sent')],
    ['consent, email and download, promised', 'digital', 'promise', (id) => waive(id, 'sent')],
    [
      'consent and email, no download',
      'digital',
      'law',
      (id) => giveConsent(db, id),
      (id) => giveReceiptMail(db, id, 'sent'),
    ],
    [
      'email and download, no consent',
      'digital',
      'law',
      (id) => giveReceiptMail(db, id, 'sent'),
      (id) => giveDownload(db, id),
    ],
    ['a parcel without an address', 'paperback', 'law', (id) => loseAddress(shop, id), change(none)],
    ['a bundle whose file was waived', 'bundle', 'law', (id) => waive(id, 'sent'), change(none)],
    ['a bundle, received long ago', 'bundle', null, (id) => ship(shop, id, { daysAgo: 29 }), change(none)],
    ['a parcel to Poland', 'paperback', 'law', (id) => ship(shop, id, { country: 'PL' }), change(none)],
    ['a parcel to Japan', 'paperback', null, (id) => ship(shop, id, { country: 'JP' }), change(none)],
  ]
  for (const [says, format, right, ...changes] of cases) {
    // Each of another reader: a repeat would make a promise a request.
    const user = await shop.person()
    const id = await buyAndPay(shop, stripe, user, format)
    for (const each of changes) await each(id)
    const { refund_right, is_refundable } = await ofPurchase(user, id)
    expect([says, refund_right, is_refundable]).toEqual([says, right, right !== null])
    const pressed = await press(user, id)
    expect([says, pressed.status]).toEqual([says, right ? 200 : 409])
    if (right) expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ right })
  }
})

test('the words of the law stand in the mails of a withdrawal, and never in those of a refund by promise', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const [law, promise] = [
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user, 'paperback'),
  ]
  await changePurchase(shop.services.db, promise, { country: 'US' })
  await ship(shop, promise, { country: 'US' })
  expect((await press(user, law)).status).toBe(200)
  const declared = await shop.mailbox.to(user.email, /received your withdrawal/)
  expect(declared.text).toContain('You have withdrawn from your contract')
  expect((await press(user, promise)).status).toBe(200)
  const asked = await shop.mailbox.to(user.email, /Your refund request/)
  expect(asked.text).toContain('You have asked for a refund')
  expect((await listAttentionItems(admin)).items).toMatchObject([{ id: promise, binding: 'promise' }])
  await soon(shop, async () => (await ofPurchase(user, law)).status).toBe('refunded')
  await shop.call('GET', '/')
  for (const mail of (await shop.mailbox.all()).filter(({ subject }) => /refund/i.test(subject ?? '')))
    expect(`${mail.subject} ${mail.text}`).not.toMatch(/withdr[ae]w/i)
})

test('after a refund nothing is left to declare', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: {} })
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('refunded')
  expect(await ofPurchase(user, id)).toMatchObject({ refund_right: null })
  expect(await codeOf(await press(user, id))).toBe('purchases.not_refundable')
})
