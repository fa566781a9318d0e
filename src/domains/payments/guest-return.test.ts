// The id of the checkout with which Stripe leads back: what it opens, for whom, and for how long.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import {
  askAsGuest,
  beginAsGuest,
  buyAsGuest,
  codeOf,
  downloadAsGuest,
  linkAsGuest,
  newProof,
  newVisitor,
  openGuestShop,
  payAsGuest,
  rows,
  settleAsGuest,
  sizeOf,
} from '#test/guests.ts'
import { buyAndPay, sessionOf } from '#test/paying.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const exchange = (shop: TestShop, id: string, proof: string, new_proof: string) =>
  shop.call('POST', `/api/guest/purchases/${id}/return`, { body: { proof, new_proof } })

test('the id of the checkout opens its purchase and no other, for a day after the payment', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { clock })
  const { id } = await buyAsGuest(shop, newVisitor())
  const { id: other } = await buyAsGuest(shop, newVisitor())
  const session = sessionOf(stripe, id).id
  expect(await settleAsGuest(shop, id, session)).toMatchObject({ status: 'pending', own: null })
  expect((await downloadAsGuest(shop, id, session)).status).toBe(409)
  stripe.pay(session)
  expect(await settleAsGuest(shop, id, session)).toMatchObject({ id, status: 'completed', own: null })
  expect(await sizeOf(shop, await downloadAsGuest(shop, id, session))).toMatchObject({ status: 200 })
  for (const [purchase, wrong] of [
    [other, session],
    [id, sessionOf(stripe, other).id],
    [id, `${session}x`],
    [id, `cs_test_${'a'.repeat(58)}`],
  ] as const)
    for (const ask of [askAsGuest, downloadAsGuest])
      expect((await ask(shop, purchase, wrong)).status).toBe(404)
  expect((await askAsGuest(shop, id, 'cs_test_%27')).status).toBe(422)
  // What only the browser may that bought.
  expect(await codeOf(await linkAsGuest(shop, id, session))).toBe('guest_checkout.other_browser')
  expect((await beginAsGuest(shop, { proof: session, email: 'ruth@example.com' })).status).toBe(422)
  time.ahead = 24 * 3_600_000 + 60_000
  for (const ask of [askAsGuest, downloadAsGuest])
    expect(await codeOf(await ask(shop, id, session))).toBe('guest_checkout.access_ended')
  const refund = shop.call('POST', `/api/guest/purchases/${id}/refund`, {
    body: { proof: session, reason: '' },
  })
  expect(await codeOf(await refund)).toBe('guest_checkout.access_ended')
})

test('it opens nothing of who has an account, and is stored as a hash', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const id = await buyAndPay(shop, stripe, await shop.person())
  expect((await askAsGuest(shop, id, sessionOf(stripe, id).id)).status).toBe(404)
  const guests = await payAsGuest(shop, stripe, newVisitor())
  const stored = await rows<{ kind: string; text: string }>(
    shop,
    `select kind, encode(hash, 'escape') as text from purchase_access where purchase_id = '${guests}' and kind <> 'receipt' order by kind`,
  )
  expect(stored.map(({ kind }) => kind)).toEqual(['browser', 'return'])
  expect(JSON.stringify(stored)).not.toContain(sessionOf(stripe, guests).id)
})

test('it becomes the proof of one browser, once, and opens nothing afterwards', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const id = await payAsGuest(shop, stripe, newVisitor())
  const session = sessionOf(stripe, id).id
  const mine = newProof()
  const response = await exchange(shop, id, session, mine)
  expect([response.status, await response.json()]).toMatchObject([200, { id, own: { is_correctable: true } }])
  // As a response that was lost is asked for again.
  expect((await exchange(shop, id, session, mine)).status).toBe(200)
  expect((await downloadAsGuest(shop, id, mine)).status).toBe(200)
  expect((await exchange(shop, id, session, newProof())).status).toBe(404)
  expect((await downloadAsGuest(shop, id, session)).status).toBe(404)
  const ends = await rows<{ ends: number }>(
    shop,
    `select count(distinct expires_at)::int as ends from purchase_access
      where purchase_id = '${id}' and kind = 'browser'`,
  )
  expect(ends).toEqual([{ ends: 1 }])
})

test('of two browsers that bring it at once one has the purchase; no proof of another order takes it over', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const [ruth, ben] = [newVisitor(), newVisitor()]
  const [hers, his] = [await payAsGuest(shop, stripe, ruth), await payAsGuest(shop, stripe, ben)]
  const session = sessionOf(stripe, hers).id
  expect(await codeOf(await exchange(shop, hers, session, ben.proof))).toBe('purchases.key_reused')
  expect((await downloadAsGuest(shop, his, ben.proof)).status).toBe(200)
  expect((await exchange(shop, his, session, newProof())).status).toBe(404)
  const both = await Promise.all([1, 2, 3].map(() => exchange(shop, hers, session, newProof())))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
})
