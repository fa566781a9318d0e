// Checkouts that Stripe refuses to open: a refusal blocks no later purchase.
import { expect, test } from 'vitest'
import { begin, buy, openPaidShop, own, sessionOf } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { findOrOpen } from './open-checkout.ts'

const run = (shop: TestShop, query: string) => shop.services.database.pool.query(query)

test('what Stripe refuses to sell is canceled at once, so that the next click may succeed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const price = async (dollars: number) => {
    await run(shop, `update products set price = ${dollars}`)
    await soon(shop, async () => (await shop.product('digital')).price).toBe(dollars)
  }
  await price(0.3)
  expect(await (await begin(shop, user)).json()).toMatchObject({ status: 409, code: 'payments.refused' })
  expect((await own(user)).map(({ status }) => status)).toEqual(['canceled'])
  await price(3)
  expect(await buy(shop, user)).toMatchObject({ status: 'pending', amount: 3 })
})

test('an outdated checkout that Stripe would refuse is canceled without asking it, and blocks no purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.fail(2)
  expect((await begin(shop, user)).status).toBe(503)
  await run(shop, `update purchases set amount = 0.3`)
  await run(
    shop,
    `update checkouts set asked = jsonb_set(asked, '{line_items,0,price_data,unit_amount}', '30')`,
  )
  const { checkout_url, amount } = await buy(shop, user)
  expect([checkout_url, amount]).toEqual([expect.stringMatching(stripe.url), 14.99])
  expect(await (await admin.call('GET', '/api/admin/payments')).json()).toMatchObject({ faults: [] })
})

test('a refusal that comes after another process has opened a checkout ends nothing', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const payments = shop.services.payments.current()!
  const openCheckout = payments.openCheckout.bind(payments)
  payments.openCheckout = async (ask) => {
    payments.openCheckout = openCheckout
    await findOrOpen({ ...shop.services, provider: payments }, user, ask.purchase_id)
    return { refused: 'No.' }
  }
  const { id, checkout_url } = await buy(shop, user)
  expect(checkout_url).toBe(sessionOf(stripe, id).url)
  expect((await own(user)).map(({ status }) => status)).toEqual(['pending'])
})

test('an email address that Stripe refuses is left out, and is no fault of the product', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  stripe.fail(2)
  expect((await begin(shop, user)).status).toBe(503)
  await run(shop, `update checkouts set asked = asked || '{"customer_email": "nobody"}'`)
  const { id, checkout_url } = await buy(shop, user)
  expect(checkout_url).toBe(sessionOf(stripe, id).url)
  expect(sessionOf(stripe, id).customer_email).toBe(null)
  expect(await (await admin.call('GET', '/api/admin/payments')).json()).toMatchObject({ faults: [] })
})
