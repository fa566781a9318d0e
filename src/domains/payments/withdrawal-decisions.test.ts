// What the author may decide about a declaration that waits, and where nobody can refuse.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { changePurchase, giveConsent, giveDownload, giveReceiptMail } from '#test/factories.ts'
import { given } from '#test/given.ts'
import { listAuditEvents, listAttentionItems } from '#test/needs.ts'
import { buyAndPay, openPaidShop } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { bought, codeOf, decide, loseAddress, ofPurchase, press, ship } from '#test/withdrawals.ts'

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
  const mail = await shop.mailbox.to(user.email, /Your money back/)
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
    [
      'made with the older promise',
      'digital',
      async (id) => {
        await changePurchase(shop.services.db, id, { refund_terms: 'always' })
        await bought(shop, id, 20)
      },
      'promise',
    ],
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
