// Accounts at Stripe that have Managed Payments on: Link would sell there, and refuses what the shop's sessions name.
import { expect, test } from 'vitest'
import { changeCheckouts, changeProducts } from '#test/changes.ts'
import { begin, buy, openPaidShop, sendEvent, sessionOf, settle } from '#test/paying.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { checkouts, payment_events } from '#tables/payments.ts'
import { isNull } from 'drizzle-orm'
import { soon } from '#test/retries.ts'
import { statedDefaults } from '#platform/stripe/objects.ts'
import type { TestShop } from '#test/shop.ts'
import { tryCheckout } from '#platform/stripe/account.ts'
import { tryCheckouts } from './trial-checkouts.ts'

const formats = ['digital', 'paperback', 'hardcover', 'bundle']

test('where Managed Payments is on, the shop sells all four formats itself, with and without Stripe Tax', async () => {
  await using stripe = await startStripe()
  stripe.managedPayments.isDefault = true
  await using shop = await openPaidShop(stripe)
  for (const has_tax of [false, true]) {
    shop.services.settings.get().tax.has_tax = has_tax
    for (const format of formats) {
      const user = await shop.person()
      const { id } = await buy(shop, user, format)
      const session = sessionOf(stripe, id)
      expect(session).toMatchObject({
        managed_payments: { enabled: false },
        automatic_tax: { enabled: has_tax },
      })
      stripe.pay(session.id)
      expect(await settle(user, id)).toBe('completed')
    }
  }
})

test('a checkout is tried of each format for sale, names nobody, ends at once and is ignored', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const { db, settings } = shop.services
  const key = { secretKey: 'sk_test_x', apiBase: stripe.url }
  const values = settings.get()
  const trials = await tryCheckouts(db, key, values)
  expect(trials).toHaveLength(formats.length)
  expect(trials.flatMap(({ refused }) => refused ?? [])).toEqual([])
  const sessions = [...stripe.sessions.values()]
  expect(sessions.map(({ status }) => status)).toEqual(formats.map(() => 'expired'))
  expect(sessions.filter(({ shipping_address_collection }) => shipping_address_collection)).toHaveLength(3)
  const [session] = sessions
  expect(session).toMatchObject({ customer_email: null, client_reference_id: null })
  expect(JSON.stringify(session)).not.toContain(String(values.shop.id))

  const asked = stripe.calls.asked
  expect((await sendEvent(shop, stripe.event('checkout.session.expired', session!))).status).toBe(200)
  const unhandled = isNull(payment_events.handled_at)
  await soon(shop, () => db.$count(payment_events, unhandled)).toBe(0)
  expect(stripe.calls.asked).toBe(asked)

  await changeProducts(db, { price: 20n })
  const [refused] = await tryCheckouts(db, key, values)
  expect(refused?.refused).toContain('must add up to at least $0.50 usd')
})

async function readCheckout(shop: TestShop) {
  const [row] = await shop.services.db.select().from(checkouts)
  return row!
}

/** Stripe was away when the buyer pressed: what the shop asks for is stored, and Stripe has made nothing. */
async function storeParameters(shop: TestShop, change: (parameters: object) => object) {
  const { parameters } = await readCheckout(shop)
  await changeCheckouts(shop.services.db, { parameters: change(parameters!) })
}

const withoutDefaults = (parameters: object) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !(name in statedDefaults)))

test('what was asked for without the defaults is repeated as it was, and asked for anew where it is refused', async () => {
  for (const isDefault of [false, true]) {
    await using stripe = await startStripe()
    stripe.managedPayments.isDefault = isDefault
    await using shop = await openPaidShop(stripe)
    const user = await shop.person()
    stripe.faults.away = 1
    expect((await begin(shop, user, 'paperback')).status).toBe(503)
    stripe.faults.away = 0
    await storeParameters(shop, withoutDefaults)
    const { id } = await buy(shop, user, 'paperback')
    const { attempt, parameters, session_id } = await readCheckout(shop)
    expect([attempt, 'managed_payments' in parameters!]).toEqual(isDefault ? [2, true] : [1, false])
    expect(session_id).toBe(sessionOf(stripe, id).id)
    expect(sessionOf(stripe, id).managed_payments).toEqual({ enabled: false })
  }
})

test('a default that Stripe does not take for an account is left out of the next attempt', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  stripe.faults.away = 1
  expect((await begin(shop, user)).status).toBe(503)
  stripe.faults.away = 0
  await storeParameters(shop, (parameters) => ({
    ...parameters,
    submit_type: 'none',
    adaptive_pricing: { enabled: 'no' },
  }))
  const { id } = await buy(shop, user)
  const { attempt, parameters } = await readCheckout(shop)
  expect(attempt).toBe(3)
  expect(parameters).not.toHaveProperty('submit_type')
  expect(parameters).not.toHaveProperty('adaptive_pricing')
  expect(parameters).toMatchObject({
    managed_payments: { enabled: false },
    billing_address_collection: 'auto',
  })
  expect(sessionOf(stripe, id).status).toBe('open')
})

test('a checkout that is tried leaves out what the next attempt of a buyer would leave out', async () => {
  await using stripe = await startStripe()
  const key = { secretKey: 'sk_test_x', apiBase: stripe.url }
  const product_data = { name: 'A book' }
  const params = {
    mode: 'payment',
    success_url: 'https://books.example',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data } }],
    ...statedDefaults,
  }
  const odd = { submit_type: 'none', adaptive_pricing: { enabled: 'no' } }
  expect(await tryCheckout(key, { ...params, ...odd })).toEqual({})
  expect([...stripe.sessions.values()].map(({ status }) => status)).toEqual(['expired'])
  expect(await tryCheckout(key, { ...params, mode: 'none' })).toHaveProperty('refused')
})
