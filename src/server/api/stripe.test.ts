// Whose news of payments is taken.
import { expect, test } from 'vitest'
import { openPaidShop, tell } from '#test/paying.ts'
import { startStripe } from '#test/stripe.ts'

test('a webhook that is signed with another secret is refused, and the log says so, once a minute', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { STRIPE_WEBHOOK_SECRET: 'whsec_another' } })
  const warnings: unknown[] = []
  shop.services.log.warn = (words: unknown) => void warnings.push(words)
  const event = stripe.event('customer.created', { object: 'customer', id: 'cus_1' })
  for (let told = 0; told < 3; told += 1) expect((await tell(shop, event)).status).toBe(400)
  expect(warnings).toEqual([expect.stringContaining('STRIPE_WEBHOOK_SECRET')])
})
