// By what a purchase can be given back: one function decides what binds, whether the button is there and what it says.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { changePurchase, giveConsent, giveDownload, giveReceiptMail } from '#test/factories.ts'
import { listAttentionItems } from '#test/needs.ts'
import { buyAndPay, openPaidShop } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { bought, codeOf, loseAddress, ofPurchase, press, ship } from '#test/withdrawals.ts'

test('the country decides for files too, a waiver needs consent, a mailed confirmation and a download, and the law goes before a promise', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { db } = shop.services
  const user = await shop.person()
  const change = (values: Parameters<typeof changePurchase>[2]) => (id: string) =>
    changePurchase(db, id, values)
  const none = { refund_days: 0 }
  const waive = async (id: string, mail: 'sent' | 'kept') => {
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
    ['consent and download, no email sent', 'digital', 'law', change(none), (id) => waive(id, 'kept')],
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
    const id = await buyAndPay(shop, stripe, user, format)
    // Of each other independent: a repeat would make a promise a request.
    await changePurchase(db, id, { refund_terms: 'always' })
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
  expect(asked.text).toContain('You have asked for your money back')
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
