// A buyer's declaration that they want the money back: received at once, once, and what becomes of it.
import { expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { startStripe } from '@lectern/stripe-stand-in'
import { changeCheckouts } from '#test/changes.ts'
import {
  changePurchase,
  giveAgreedDownload,
  giveConsent,
  giveDownload,
  giveReceiptMail,
} from '#test/factories.ts'
import { listAuditEvents, listAttentionItems } from '#test/needs.ts'
import { buyAndPay, openPaidShop, own, sessionOf, settle, buy } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { codeOf, decide, mails, ofPurchase, press, ship, bought, loseAddress } from '#test/withdrawals.ts'
import { given } from '#test/given.ts'
import { refund_requests } from '#tables/payments.ts'
import { refundJob } from './refunds.ts'
import type { Person } from '#test/users.ts'

test('the first refund of an ebook goes back by itself, and is acknowledged once with its date, however often it is pressed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  const pressed = await Promise.all([1, 2, 3].map(() => press(user, id, 'Too heavy')))
  expect(pressed.map(({ status }) => status)).toEqual([200, 200, 200])
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('refunded')
  const mail = await shop.mailbox.to(user.email, /received your withdrawal/)
  const today = new Date().toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  expect(mail.text).toContain(today)
  expect(mail.text).toContain('Too heavy')
  expect(mail.text).toContain('The files of this order can no longer be downloaded.')
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1499])
  expect(await mails(shop, user.email, /received your withdrawal/)).toHaveLength(1)
  expect((await listAuditEvents(shop)).filter((action) => action === 'purchases.withdrawn')).toHaveLength(1)
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'given', waits_for: null })
  // A page that has not seen the refund yet gets its state.
  expect((await press(user, id)).status).toBe(200)
  expect(stripe.refunds).toHaveLength(1)
})

test('who has the same product by another order reads in page and emails that its files stay', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const [kept, refunded, withdrawn] = [
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
  ]
  const { number } = await ofPurchase(user, kept)
  const stays = `You keep the files by order #${number}.`
  expect((await ofPurchase(user, withdrawn)).other_order).toBe(number)
  const readMail = async (subject: RegExp) => (await shop.mailbox.to(user.email, subject)).text
  await admin.call('POST', `/api/admin/purchases/${refunded}/refund`, { body: {} })
  expect(await readMail(/Your refund for/)).toContain(stays)
  await press(user, withdrawn)
  expect(await readMail(/received your withdrawal/)).toContain(stays)
  expect((await ofPurchase(user, kept)).other_order).toBeNull()
})

test.each([
  ['a pre-order', 'update products set release_on = shop_day() + 9'],
  [
    'what is out without its file',
    'with lost as (delete from product_files) update products set download_url = null',
  ],
])('the emails about a withdrawal of %s name no files that end', async (_, change) => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  await shop.services.database.pool.query(change)
  expect((await press(user, id)).status).toBe(200)
  for (const subject of [/received your withdrawal/, /Your refund for/])
    expect((await shop.mailbox.to(user.email, subject)).text).not.toContain('files of this order')
})

test('the email about a withdrawn bundle says that its files end, also before its paper is out', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const anna = await shop.person()
  const bundle = await buyAndPay(shop, stripe, anna, 'bundle')
  await shop.services.database.pool.query(
    `update products set release_on = shop_day() + 9 where format = 'paperback'`,
  )
  expect((await press(anna, bundle)).status).toBe(200)
  const mail = await shop.mailbox.to(anna.email, /received your withdrawal/)
  expect(mail.text).toContain('The files of this order can no longer be downloaded.')
})

test('a declaration is received while Stripe is down, and the money follows', async () => {
  const stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user)
  await stripe[Symbol.asyncDispose]()
  expect((await press(user, id)).status).toBe(200)
  await shop.mailbox.to(user.email, /received your withdrawal/)
  expect(await ofPurchase(user, id)).toMatchObject({
    status: 'completed',
    is_going_back: true,
    withdrawal: { state: 'on_its_way' },
  })
})

test('before the parcel left the money goes back by itself; afterwards it waits for the author, who gives it', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, anna, ben] = [await shop.person({ role: 'admin' }), await shop.person(), await shop.person()]
  const atHome = await buyAndPay(shop, stripe, anna, 'paperback')
  expect((await press(anna, atHome)).status).toBe(200)
  await soon(shop, async () => (await ofPurchase(anna, atHome)).status).toBe('refunded')

  const sent = await buyAndPay(shop, stripe, ben, 'bundle')
  await ship(shop, sent)
  expect((await Promise.all([1, 2].map(() => press(ben, sent, 'Torn')))).map(({ status }) => status)).toEqual(
    [200, 200],
  )
  expect(await ofPurchase(ben, sent)).toMatchObject({
    status: 'completed',
    is_going_back: false,
    is_refundable: false,
    withdrawal: { state: 'waiting', waits_for: 'return', refusal: null },
  })
  const mail = await shop.mailbox.to(ben.email, /received your withdrawal/)
  expect(mail.text).toContain('send the book back within 14 days')
  expect(mail.text).toContain('Reply to this email to ask where to send it.')
  expect(mail.text).not.toContain('goes back the way it came')
  // Who wants the money back reads no longer.
  expect((await ben.call('POST', `/api/purchases/${sent}/download`, { body: {} })).status).toBe(409)
  expect((await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'withdrawal', id: sent, amount: 49.97, words: 'Torn', binding: 'law', waits_for: 'return' },
  ])
  const order = await admin.call('GET', `/api/admin/purchases/${sent}`)
  expect(await order.json()).toMatchObject({
    status: 'completed',
    open_withdrawal: 'law',
    withdrawal: { right: 'law', waits_for: 'return', decision: null },
  })
  const orders = await admin.call('GET', '/api/admin/purchases')
  expect(await orders.json()).toMatchObject({
    items: [{ id: sent, open_withdrawal: 'law' }, { open_withdrawal: null }],
  })
  // Neither dismissed nor refused where the law may hold.
  expect(await codeOf(await decide(admin, sent, 'refuse', { sentence: 'No' }))).toBe('withdrawals.bound')
  const dismissal = `/api/admin/payments/withdrawal/${sent}/dismissal`
  expect((await admin.call('POST', dismissal, { body: { note: 'x' } })).status).toBeGreaterThanOrEqual(400)

  const given = await Promise.all([decide(admin, sent, 'refund'), decide(admin, sent, 'refund')])
  expect(given.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await soon(shop, async () => (await ofPurchase(ben, sent)).status).toBe('refunded')
  expect((await ofPurchase(ben, sent)).withdrawal).toMatchObject({ state: 'given' })
  expect((await listAttentionItems(admin)).items).toEqual([])
  expect(await mails(shop, ben.email, /received your withdrawal/)).toHaveLength(1)
})

test('a bundle whose file was downloaded with the consent waits for the author, who refunds its paper part or all', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { db } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const download = async (user: Person, id: string, { refund_days = 0, country = 'DE' } = {}) => {
    await changePurchase(db, id, { refund_days, country })
    await giveConsent(db, id)
    await giveReceiptMail(db, id, 'sent')
    expect((await ofPurchase(user, id)).refund_waits_for).toBe(null)
    await giveDownload(db, id)
  }
  const refund = (id: string, amount: number) =>
    admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })
  const file = (user: Person, id: string) =>
    user.call('POST', `/api/purchases/${id}/download`, { body: { file_format: 'epub' } })

  const anna = await shop.person()
  const part = await buyAndPay(shop, stripe, anna, 'bundle')
  await download(anna, part)
  expect(await ofPurchase(anna, part)).toMatchObject({ refund_right: 'law', refund_waits_for: 'downloaded' })
  const pressed = await Promise.all([1, 2].map(() => press(anna, part)))
  expect(pressed.map(({ status }) => status)).toEqual([200, 200])
  expect(await ofPurchase(anna, part)).toMatchObject({
    is_refundable: false,
    withdrawal: { state: 'waiting', waits_for: 'downloaded', right: 'law' },
  })
  expect(stripe.refunds).toEqual([])
  const { text } = await shop.mailbox.to(anna.email, /received your withdrawal/)
  expect(text).toContain('the right of withdrawal covers the printed book only')
  // A part leaves the file, so its access has not ended for good.
  expect(text).toContain('The files of this order cannot be downloaded until the author has decided.')
  expect(text).not.toContain('access')
  expect(await ofPurchase(anna, part)).toMatchObject({ refund_right: null, refund_is_of_paper: true })
  expect((await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'withdrawal', id: part, binding: 'law', waits_for: 'downloaded' },
  ])
  expect(await codeOf(await decide(admin, part, 'refuse', { sentence: 'No' }))).toBe('withdrawals.bound')
  expect((await file(anna, part)).status).toBe(409)
  // A part of what is left settles it: the files open again, no parcel waits, and nothing more can be asked back.
  expect((await refund(part, 30)).status).toBe(202)
  await soon(shop, async () => (await ofPurchase(anna, part)).status).toBe('partially_refunded')
  expect((await listAttentionItems(admin)).items).toEqual([])
  expect(await ofPurchase(anna, part)).toMatchObject({
    refund_right: null,
    withdrawal: { state: 'partly' },
    shipment: { is_to_ship: false },
  })
  expect((await file(anna, part)).status).toBe(200)
  const given = await shop.mailbox.to(anna.email, /Your refund for/)
  expect(given.text).toContain('You keep your access to the book.')
  expect(await codeOf(await press(anna, part))).toBe('purchases.not_refundable')
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([3000])

  const ben = await shop.person()
  const all = await buyAndPay(shop, stripe, ben, 'bundle')
  await download(ben, all)
  await press(ben, all)
  expect((await decide(admin, all, 'refund')).status).toBe(200)
  await soon(shop, async () => (await ofPurchase(ben, all)).withdrawal?.state).toBe('given')

  // A promise covers the file, too, and the law of other countries takes nothing from it.
  for (const more of [{ refund_days: 30 }, { refund_days: 30, country: 'US' }]) {
    const reader = await shop.person()
    const id = await buyAndPay(shop, stripe, reader, 'bundle')
    await download(reader, id, more)
    expect((await ofPurchase(reader, id)).refund_waits_for).toBe(null)
    await press(reader, id)
    await soon(shop, async () => (await ofPurchase(reader, id)).status).toBe('refunded')
  }
})

test('who is signed in reads when the right ended and asks the author, once for all presses, for 30 days', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { db } = shop.services
  const [admin, user, other] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
  ]
  const id = await buyAndPay(shop, stripe, user)
  const ask = (person = user, is_request = true) =>
    person.call('POST', `/api/purchases/${id}/refund`, { body: { reason: '', is_request } })
  await changePurchase(db, id, { refund_days: 0 })
  expect(await ofPurchase(user, id)).toMatchObject({ refund_right: 'law', ended_right: null })
  await giveAgreedDownload(db, id)
  expect(await ofPurchase(user, id)).toMatchObject({ refund_right: null, ended_right: { is_waived: true } })
  // A page from before the download does not ask by the button of the law.
  expect(await codeOf(await ask(user, false))).toBe('purchases.not_refundable')
  expect((await ask(other)).status).toBe(404)
  expect((await Promise.all([1, 2].map(() => ask()))).map(({ status }) => status)).toEqual([200, 200])
  expect(await ofPurchase(user, id)).toMatchObject({
    ended_right: null,
    withdrawal: { state: 'waiting', waits_for: 'no_right', right: 'request' },
  })
  expect((await listAttentionItems(admin)).items).toMatchObject([{ kind: 'withdrawal', id, binding: null }])
  expect((await user.call('DELETE', `/api/purchases/${id}/refund`)).status).toBe(200)
  expect((await ask()).status).toBe(200)
  expect((await decide(admin, id, 'refuse', { sentence: 'You have read it.' })).status).toBe(200)
  expect(await ofPurchase(user, id)).toMatchObject({ ended_right: null, withdrawal: { state: 'refused' } })
  expect(await codeOf(await ask())).toBe('purchases.not_refundable')

  const late = await buyAndPay(shop, stripe, other)
  await changePurchase(db, late, { refund_days: 0 })
  await bought(shop, late, 40)
  expect(await ofPurchase(other, late)).toMatchObject({ ended_right: { is_waived: false } })
  await bought(shop, late, 50)
  expect(await ofPurchase(other, late)).toMatchObject({ refund_right: null, ended_right: null })
  const tooLate = await other.call('POST', `/api/purchases/${late}/refund`, { body: { is_request: true } })
  expect(await codeOf(tooLate)).toBe('purchases.not_refundable')
  expect(stripe.refunds).toEqual([])
})

test('a paper part whose refund failed can be asked back again, and waits again', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { db } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user, 'bundle')
  await changePurchase(db, id, { refund_days: 0 })
  await giveAgreedDownload(db, id)
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 1 } })
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('partially_refunded')
  await press(user, id)
  await shop.services.database.pool.query(`update withdrawals set declared_at = now() + interval '2 seconds'`)
  // What went back before settles nothing.
  await settle(user, id)
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'waiting' })
  await decide(admin, id, 'refund')
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('refunded')
  for (const { id: refund } of stripe.refunds) stripe.failRefund(refund)
  await settle(user, id)
  expect(await ofPurchase(user, id)).toMatchObject({
    status: 'completed',
    refund_waits_for: 'downloaded',
    withdrawal: { state: 'unpaid' },
  })
  expect((await press(user, id)).status).toBe(200)
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'waiting', waits_for: 'downloaded' })
  expect(stripe.refunds).toHaveLength(2)
})

test('a part settles the withdrawal of a bundle that was sent, where its file was downloaded, until that part comes back', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { db } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user, 'bundle')
  await changePurchase(db, id, { refund_days: 0 })
  await giveAgreedDownload(db, id)
  await ship(shop, id)
  const refund = (amount: number) =>
    admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })
  await refund(1)
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('partially_refunded')
  expect(await ofPurchase(user, id)).toMatchObject({ refund_waits_for: 'return', refund_is_of_paper: true })
  await press(user, id)
  await settle(user, id)
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'waiting', waits_for: 'return' })
  expect((await listAttentionItems(admin)).items).toMatchObject([{ id, is_paper_alone: true }])
  await refund(20)
  await soon(shop, async () => (await ofPurchase(user, id)).withdrawal?.state).toBe('partly')
  expect((await listAttentionItems(admin)).items).toEqual([])
  expect(await codeOf(await press(user, id))).toBe('purchases.not_refundable')
  const file = () => user.call('POST', `/api/purchases/${id}/download`, { body: { file_format: 'epub' } })
  expect((await file()).status).toBe(200)

  stripe.failRefund(stripe.refunds.find(({ amount }) => amount === 2000)?.id ?? '')
  await settle(user, id)
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'waiting', right: 'law' })
  expect((await listAttentionItems(admin)).items.map(({ kind }) => kind)).toContain('withdrawal')
  expect((await file()).status).toBe(409)
  expect((await decide(admin, id, 'refund')).status).toBe(200)
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('refunded')
})

test('a promise that was used before does not cover the file of a bundle, and a part settles its withdrawal', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { db } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const first = await buyAndPay(shop, stripe, user, 'bundle')
  await changePurchase(db, first, { country: 'US' })
  await press(user, first)
  await soon(shop, async () => (await ofPurchase(user, first)).status).toBe('refunded')
  const id = await buyAndPay(shop, stripe, user, 'bundle')
  await changePurchase(db, id, { refund_days: 30 })
  await giveAgreedDownload(db, id)
  await press(user, id)
  expect((await listAttentionItems(admin)).items).toMatchObject([
    { id, waits_for: 'repeat', binding: 'law', is_paper_alone: true },
  ])
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 20 } })
  await soon(shop, async () => (await ofPurchase(user, id)).withdrawal?.state).toBe('partly')
})

test('a part that was asked for before the withdrawal settles none, though it goes back afterwards', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { db } = shop.services
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user, 'bundle')
  await changePurchase(db, id, { refund_days: 0 })
  await giveAgreedDownload(db, id)
  const request_id = uuidv7()
  const request = { id: request_id, purchase_id: id, amount: 100n, is_by_buyer: false }
  await db.insert(refund_requests).values(request)
  await press(user, id)
  await db.transaction((tx) => shop.services.queue.enqueue(tx, refundJob, { request_id }))
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('partially_refunded')
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'waiting', waits_for: 'downloaded' })
  await settle(user, id)
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'waiting' })
})

test('of two purchases of the same thing that are given back at the same moment, one waits', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const user = await shop.person()
  const both = [await buyAndPay(shop, stripe, user), await buyAndPay(shop, stripe, user)]
  expect((await Promise.all(both.map((id) => press(user, id)))).map(({ status }) => status)).toEqual([
    200, 200,
  ])
  const states = (await own(user)).map(({ withdrawal }) => withdrawal?.state)
  expect(new Set(states)).toEqual(new Set(['on_its_way', 'waiting']))
})

test('pressed while the author gives the money back, it is received, and no money goes back twice', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, anna, ben] = [await shop.person({ role: 'admin' }), await shop.person(), await shop.person()]
  const [all, part] = [await buyAndPay(shop, stripe, anna), await buyAndPay(shop, stripe, ben)]
  const give = (id: string, amount: number) =>
    admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })
  await give(all, 14.99)
  await give(part, 5)
  expect([(await press(anna, all)).status, (await press(ben, part)).status]).toEqual([200, 200])
  expect(await ofPurchase(anna, all)).toMatchObject({ withdrawal: { state: 'on_its_way' } })
  expect(await ofPurchase(ben, part)).toMatchObject({
    withdrawal: { state: 'waiting', waits_for: 'other_refund' },
  })
  const { rows } = await shop.services.database.pool.query(
    'select amount from refund_requests order by amount',
  )
  expect(rows).toEqual([{ amount: 5 }, { amount: 14.99 }])
  // At the same moment, whoever comes first.
  const cleo = await shop.person()
  const id = await buyAndPay(shop, stripe, cleo)
  const [pressed] = await Promise.all([press(cleo, id), give(id, 14.99)])
  expect(pressed.status).toBe(200)
  expect(
    (await shop.services.database.pool.query(`select from refund_requests where purchase_id = '${id}'`))
      .rowCount,
  ).toBe(1)
})

test('what goes back at Stripe settles a declaration that waits, and a refund that fails leaves the buyer the button', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user, 'paperback')
  await ship(shop, id)
  await press(user, id)
  const refund = stripe.refund(sessionOf(stripe, id).payment_intent as string)
  await settle(user, id)
  expect((await listAttentionItems(admin)).items).toEqual([])
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'given' })
  stripe.failRefund(refund.id)
  await settle(user, id)
  expect(await ofPurchase(user, id)).toMatchObject({ is_refundable: true, withdrawal: { state: 'unpaid' } })
  expect((await press(user, id)).status).toBe(200)
  await soon(shop, async () => (await ofPurchase(user, id)).status).toBe('refunded')
  expect(await mails(shop, user.email, /received your withdrawal/)).toHaveLength(1)
})

test('a parcel to the European Union can be given back by the button while the law holds, whatever was promised', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const user = await shop.person()
  const id = await buyAndPay(shop, stripe, user, 'paperback')
  await changePurchase(shop.services.db, id, { refund_days: 0 })
  await ship(shop, id, { country: 'US', daysAgo: 1 })
  expect((await ofPurchase(user, id)).is_refundable).toBe(false)
  expect(await codeOf(await press(user, id))).toBe('purchases.not_refundable')
  await ship(shop, id, { country: 'FR', daysAgo: 1 })
  expect((await ofPurchase(user, id)).is_refundable).toBe(true)
  expect((await press(user, id)).status).toBe(200)
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'waiting', waits_for: 'return' })
})

test('what was not paid through Stripe has no button, and nobody declares for somebody else', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [user, other] = [await shop.person(), await shop.person()]
  const id = await buyAndPay(shop, stripe, user)
  expect((await press(other, id)).status).toBe(404)
  await changeCheckouts(shop.services.db, { payment_intent: null })
  expect((await ofPurchase(user, id)).is_refundable).toBe(false)
  expect(await codeOf(await press(user, id))).toBe('purchases.not_refundable')
  expect((await shop.services.database.pool.query('select from withdrawals')).rowCount).toBe(0)
})

// What the author may decide about a declaration that waits, and where nobody can refuse.

test('giving the money back asks for a proof of the last ten minutes, and refusing for a sign-in of the last day', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const id = await buyAndPay(shop, stripe, user, 'paperback')
  await ship(shop, id)
  await press(user, id)
  await given.passwordsGiven(shop, '11 minutes')
  expect(await codeOf(await decide(admin, id, 'refund'))).toBe('auth.reauthentication_needed')
  await given.passwordsGiven(shop, '25 hours')
  expect(await codeOf(await decide(admin, id, 'refuse', { sentence: 'No' }))).toBe(
    'auth.reauthentication_needed',
  )
  expect((await listAttentionItems(admin)).items).toMatchObject([{ kind: 'withdrawal', id }])
})

test('the same product given back a second time waits, and the author may refuse it with a sentence that is mailed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const first = await buyAndPay(shop, stripe, user)
  await changePurchase(shop.services.db, first, { country: 'US' })
  await press(user, first)
  await soon(shop, async () => (await ofPurchase(user, first)).status).toBe('refunded')
  const second = await buyAndPay(shop, stripe, user)
  await bought(shop, second, 20)
  expect((await press(user, second)).status).toBe(200)
  expect((await ofPurchase(user, second)).withdrawal).toMatchObject({ state: 'waiting', waits_for: 'repeat' })
  expect((await listAttentionItems(admin)).items).toMatchObject([
    { kind: 'withdrawal', id: second, binding: null },
  ])
  expect((await decide(admin, second, 'refuse', { sentence: '' })).status).toBe(422)
  const sentence = 'You have read it twice by now.'
  const refused = await Promise.all([1, 2].map(() => decide(admin, second, 'refuse', { sentence })))
  expect(refused.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const mail = await shop.mailbox.to(user.email, /About your refund/)
  expect(mail.text).toContain(sentence)
  expect(await ofPurchase(user, second)).toMatchObject({
    status: 'completed',
    is_refundable: false,
    withdrawal: { state: 'refused', refusal: sentence },
  })
  // The book is the buyer's again, and the button says why it does nothing.
  expect((await user.call('POST', `/api/purchases/${second}/download`, { body: {} })).status).toBe(200)
  expect(await codeOf(await press(user, second))).toBe('purchases.not_refundable')
  expect(stripe.refunds).toHaveLength(1)
  expect(await listAuditEvents(shop)).toContain('withdrawals.refused')
})

test('a withdrawal by the law uses up no promise, a dispute after one does, and each further one waits for the author', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { db } = shop.services
  const [kept, second, third] = [
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
    await buyAndPay(shop, stripe, user),
  ]
  for (const id of [kept, third]) await bought(shop, id, 20)
  await press(user, second)
  await soon(shop, async () => (await ofPurchase(user, second)).status).toBe('refunded')
  expect(await ofPurchase(user, kept)).toMatchObject({ refund_right: 'promise', refund_waits_for: 'repeat' })
  await changePurchase(db, second, { status: 'disputed' })
  expect((await ofPurchase(user, kept)).refund_right).toBe('request')
  await changePurchase(db, second, { status: 'refunded' })
  await press(user, kept)
  expect((await listAttentionItems(admin)).items).toMatchObject([{ id: kept, binding: 'promise' }])
  expect((await decide(admin, kept, 'refuse', { sentence: 'No.' })).status).toBe(409)
  expect((await decide(admin, kept, 'refund')).status).toBe(200)
  await soon(shop, async () => (await ofPurchase(user, kept)).status).toBe('refunded')
  expect((await ofPurchase(user, third)).refund_right).toBe('request')
})

test('where the promise or the law binds, nobody can refuse', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  /** The second purchase of a product whose first was given back; what is changed of it; what binds. */
  const cases: [
    says: string,
    format: string,
    change: (id: string) => Promise<unknown>,
    binding: string | null,
  ][] = [
    ['a file within 14 days, without consent', 'digital', (id) => bought(shop, id, 13), 'law'],
    ['a file with consent, before its delivery', 'digital', (id) => giveConsent(shop.services.db, id), 'law'],
    [
      'a file with consent, confirmed and delivered',
      'digital',
      async (id) => {
        await giveAgreedDownload(shop.services.db, id)
      },
      null,
    ],
    [
      'a parcel to Germany, perhaps received 13 days ago',
      'paperback',
      async (id) => {
        await bought(shop, id, 29)
        await ship(shop, id, { daysAgo: 27 })
      },
      'law',
    ],
    [
      'a parcel to Germany, received long ago',
      'paperback',
      async (id) => {
        await bought(shop, id, 29)
        await ship(shop, id, { daysAgo: 28 })
      },
      null,
    ],
    ['a parcel to the United States', 'paperback', (id) => ship(shop, id, { country: 'US' }), null],
    ['a parcel without an address, not sent', 'paperback', async () => undefined, 'law'],
  ]
  for (const [says, format, change, binding] of cases) {
    const user = await shop.person()
    const first = await buyAndPay(shop, stripe, user, format)
    await changePurchase(shop.services.db, first, { country: 'US' })
    await press(user, first)
    await soon(shop, async () => (await ofPurchase(user, first)).status).toBe('refunded')
    const second = await buyAndPay(shop, stripe, user, format)
    await loseAddress(shop, second)
    await change(second)
    expect([says, (await press(user, second)).status]).toEqual([says, 200])
    const { items } = await listAttentionItems(admin)
    expect([says, items]).toMatchObject([says, [{ id: second, binding }]])
    const response = await decide(admin, second, 'refuse', { sentence: 'No.' })
    expect([says, response.status]).toEqual([says, binding ? 409 : 200])
    if (binding) expect((await decide(admin, second, 'refund')).status).toBe(200)
    await soon(shop, async () => (await listAttentionItems(admin)).items).toEqual([])
  }
})

// The buyer's button for the money back, pressed again after money did not arrive.

test('money that did not arrive waits for the author once the parcel has left', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user, 'paperback')
  stripe.pay(sessionOf(stripe, id).id)
  await settle(user, id)
  const press = () => user.call('POST', `/api/purchases/${id}/refund`, { body: { reason: '' } })
  const found = async () => (await own(user)).find((each) => each.id === id)
  await press()
  await soon(shop, async () => (await found())?.status).toBe('refunded')
  const [refund] = stripe.refunds
  stripe.failRefund(refund?.id ?? '')
  await settle(user, id)
  expect(await found()).toMatchObject({ withdrawal: { state: 'unpaid' }, shipment: { is_to_ship: false } })
  const list = await admin.call('GET', '/api/admin/shipments?view=to_ship')
  expect(await list.json()).toMatchObject({ items: [], to_ship: { count: 0 } })
  // Its buyer may want the book after all: the parcel is not listed, but may be marked as shipped.
  const shipped = await admin.call('POST', '/api/admin/shipments/shipped', {
    body: { parcels: [{ purchase_id: id }] },
  })
  expect(await shipped.json()).toMatchObject({ shipped: [id] })

  expect((await press()).status).toBe(200)
  expect(await found()).toMatchObject({
    is_going_back: false,
    is_refundable: false,
    withdrawal: { state: 'waiting', waits_for: 'return' },
  })
  expect(stripe.refunds).toHaveLength(1)
  expect((await listAttentionItems(admin)).items).toContainEqual(
    expect.objectContaining({ kind: 'withdrawal', id }),
  )
  // The declaration is the first one: pressed once more, nothing changes.
  expect((await press()).status).toBe(200)
  const given = await admin.call('POST', `/api/admin/payments/withdrawal/${id}/refund`, { body: {} })
  expect(given.status).toBe(200)
  await soon(shop, async () => (await found())?.status).toBe('refunded')
})
