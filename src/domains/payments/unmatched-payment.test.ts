// Payments on this account whose purchase the shop does not have.
import { expect, test } from 'vitest'
import { losePurchases } from '#test/changes.ts'
import { listAttentionItems, press } from '#test/needs.ts'
import { buy, openPaidShop, sessionOf, sendEvent } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { reconcile } from './reconcile.ts'

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)

test('a payment without a purchase needs attention until it went back; another shop’s does not', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'https://shop.example' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const list = async () => (await listAttentionItems(admin)).items
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  // As in a shop restored from an older backup, for a checkout that does not name its buyer.
  Object.assign(session, { metadata: { purchase_id: id } })
  await losePurchases(shop.services.db)
  stripe.pay(session.id)
  await reconcile(shop.services)
  await soon(shop, list).toMatchObject([
    { kind: 'event', reason: expect.stringContaining(`$14.99 was paid for the purchase ${id}`) },
  ])
  const again = () => press(admin, `event/${stripe.events[0]!.id}/again`)
  expect((await again()).status).toBe(200)
  await soon(shop, list).toHaveLength(1)
  stripe.refund(session.payment_intent as string)
  // The one before may have come so late that it has seen it.
  expect([200, 409]).toContain((await again()).status)
  await soon(shop, list).toEqual([])

  await sendEvent(
    shop,
    stripe.event('checkout.session.completed', { ...session, id: 'cs_of_another_account' }),
  )
  const other = sessionOf(stripe, (await buy(shop, user)).id)
  await losePurchases(shop.services.db)
  other.success_url = 'https://another.example/dashboard'
  stripe.pay(other.id)
  await reconcile(shop.services)
  await soon(
    shop,
    async () => (await run(shop, 'select from payment_events where handled_at is null')).rowCount,
  ).toBe(0)
  expect(await list()).toEqual([])
})

test('a payment that names no purchase, or something else in its place, needs attention too', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { SITE_URL: 'https://shop.example' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  for (const metadata of [{}, { purchase_id: 'order 7' }]) {
    const session = sessionOf(stripe, (await buy(shop, user)).id)
    await losePurchases(shop.services.db)
    stripe.pay(session.id)
    Object.assign(session, { metadata })
    await sendEvent(shop, stripe.event('checkout.session.completed', session))
  }
  const reasons = async () => (await listAttentionItems(admin)).items.map(({ reason }) => reason)
  const reason = '$14.99 was paid in a checkout that names no purchase.'
  await soon(shop, reasons).toEqual([reason, reason])
})
