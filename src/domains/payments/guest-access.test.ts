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
} from '#test/guests.ts'
import { linkIn, mailsTo, openBrowser } from '#test/auth-client.ts'
import { sessionOf } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { clock, time } from '#test/time.ts'
import { settlePurchase } from './settle.ts'

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
  expect(Object.keys(paid)).not.toContain('email')
  const file = await sizeOf(shop, await downloadAsGuest(shop, id, visitor.proof))
  expect([file.status, file.size > 1000]).toEqual([200, true])
  expect(await accounts(shop)).toEqual([
    { email: 'ruth@example.com', is_confirmed: false, has_password: false, purchases: 1 },
  ])
  const sums = await rows(shop, 'select total_purchases, total_spent from user_sums')
  expect(sums).toEqual([{ total_purchases: 1, total_spent: 14.99 }])
  await soon(shop, async () => (await shop.mailbox.all()).length).toBe(1)
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
