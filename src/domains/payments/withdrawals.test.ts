// A buyer's declaration that they want the money back: received at once, once, and what becomes of it.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { changeCheckouts } from '#test/changes.ts'
import { changePurchase, giveConsent, giveDownload, giveReceiptMail } from '#test/factories.ts'
import { listAuditEvents, listAttentionItems } from '#test/needs.ts'
import { buyAndPay, openPaidShop, own, sessionOf, settle, buy } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { codeOf, decide, mails, ofPurchase, press, ship, bought, loseAddress } from '#test/withdrawals.ts'
import { given } from '#test/given.ts'

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
  expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1499])
  expect(await mails(shop, user.email, /received your withdrawal/)).toHaveLength(1)
  expect((await listAuditEvents(shop)).filter((action) => action === 'purchases.refund_asked')).toHaveLength(
    1,
  )
  expect((await ofPurchase(user, id)).withdrawal).toMatchObject({ state: 'given', waits_for: null })
  // A page that has not seen the refund yet gets its state.
  expect((await press(user, id)).status).toBe(200)
  expect(stripe.refunds).toHaveLength(1)
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
    { kind: 'withdrawal', id: sent, amount: 49.97, words: 'Torn', binding: 'law' },
  ])
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
        await giveConsent(shop.services.db, id)
        await giveReceiptMail(shop.services.db, id, 'sent')
        await giveDownload(shop.services.db, id)
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
