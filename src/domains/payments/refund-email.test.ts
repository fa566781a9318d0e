// The mail about a refund: one each, by the author or at Stripe, and however often Stripe reports it.
import { expect, test } from 'vitest'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import { soon } from '#test/retries.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { settlePurchase } from './settle.ts'

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
  for (const words of ['$14.99', 'has ended', '5 to 10 business days', '#1001'])
    expect(mail.text).toContain(words)
  expect(mail.text).not.toContain('Kept')

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
  expect(await kinds()).toEqual(['refund', 'refund_failed', 'withdrawal'])
})

test('each part the author gives back has its mail, with what was left then, also where the author recorded it', async () => {
  await using stripe = await startStripe()
  await using shop = await openTestShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const user = await shop.person()
  const { id } = await paid(shop, stripe, user)
  for (const [amount, kept, access] of [
    [5, 'Kept $9.99', 'stays'],
    [9.99, null, 'has ended'],
  ] as const) {
    await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount } })
    const find = async () =>
      (await shop.mailbox.all()).find(({ text }) => text?.includes(`We refund you $${amount.toFixed(2)}`))
    await soon(shop, find).toBeDefined()
    const text = (await find())!.text!.replaceAll(/\s+/g, ' ')
    expect(text).toContain(access)
    if (kept) expect(text).toContain(kept)
    else expect(text).not.toContain('Kept')
  }
  expect(await mailsOf(shop, id)).toHaveLength(2)

  await shop.services.database.pool.query('delete from mails; delete from checkouts')
  await shop.services.database.pool.query(`update purchases set status = 'completed', amount = 20`)
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 2 } })
  await soon(shop, () => mailsOf(shop, id)).toMatchObject([{ kind: 'refund' }])
  const byHand = (await shop.mailbox.all()).find(({ text }) => text?.includes('sends it to you directly'))
  expect(byHand?.text).toContain('$2.00')
})
