// The price of shipping where money is taken: Stripe is asked for it beside the price, for the country that was chosen.
import { randomUUID } from 'node:crypto'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { someAddress } from '#test/addresses.ts'
import { losePurchases } from '#test/changes.ts'
import { listHeld, press } from '#test/needs.ts'
import { openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { reconcile } from './reconcile.ts'

const countries = { SHIPPING_COUNTRIES: 'US,CA' }

async function begin(shop: TestShop, user: Person, body: object, key: string = randomUUID()) {
  const { id: product_id } = await shop.product('paperback')
  const options = { body: { product_id, ...body }, headers: { 'idempotency-key': key } }
  return (await (await user.call('POST', '/api/purchases', options)).json()) as PurchaseMade & {
    code?: string
  }
}

async function setPrices(admin: Person, values: object): Promise<void> {
  const path = '/api/admin/settings/shipping'
  const { revision } = (await (await admin.call('GET', path)).json()) as SettingsGroup
  expect((await admin.call('PUT', path, { body: { revision, values } })).status).toBe(200)
}

async function openPricedShop(stripe: StripeStandIn, more: Parameters<typeof openPaidShop>[1] = {}) {
  const shop = await openPaidShop(stripe, { ...more, env: { ...countries, ...more.env } })
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  await setPrices(admin, { price: 4.9, country_prices: { CA: 12.5 } })
  return Object.assign(shop, { user, admin })
}

const { name, phone, ...place } = { ...someAddress, country: 'CA', state: 'ON', postal_code: 'K1A 0A1' }
const toCanada = { name, phone, address: place }

const receiptOf = async (user: Person, id: string) =>
  (await (await user.call('GET', `/api/purchases/${id}/receipt`)).json()) as Receipt

test('Stripe is asked for the price of the country, and for no other country', async () => {
  await using stripe = await startStripe()
  await using shop = await openPricedShop(stripe)
  const { user } = shop
  expect((await begin(shop, user, {})).code).toBe('shipments.country_needed')
  expect((await begin(shop, user, { country: 'GB' })).code).toBe('shipments.country_not_served')
  expect((await begin(shop, user, { country: 'CA', shipping: 4.9 })).code).toBe('shipments.price_changed')
  expect(stripe.sessions.size).toBe(0)
  const { id, amount } = await begin(shop, user, { country: 'CA' })
  expect(amount).toBe(37.49)
  const session = sessionOf(stripe, id)
  expect(session).toMatchObject({
    amount_subtotal: 2499,
    amount_total: 3749,
    total_details: { amount_shipping: 1250 },
    shipping_address_collection: { allowed_countries: ['CA'] },
    shipping_name: 'Shipping to Canada',
  })
  stripe.pay(session.id, { discount: 500, tax: 100, ships_to: toCanada })
  expect(await settle(user, id)).toBe('completed')
  expect(await receiptOf(user, id)).toMatchObject({
    price: 24.99,
    discount: 5,
    shipping: 12.5,
    tax: 1,
    is_tax_included: false,
    total: 33.49,
    kept: 33.49,
  })
  const mail = await shop.mailbox.to(user.email, /Your receipt/)
  expect(mail.text).toMatch(/Shipping to Canada\s+\$12\.50/)
  const evidence = await (await shop.admin.call('GET', `/api/admin/purchases/${id}/evidence`)).json()
  expect(evidence).toMatchObject({ amount: 33.49, shipping: { country: 'CA', amount: 12.5 } })
  const body = { ...someAddress, country: 'US' }
  const moved = await user.call('PUT', `/api/purchases/${id}/address`, { body })
  expect(await moved.json()).toMatchObject({ code: 'shipments.other_country' })
})

test('tax that is part of the prices is part of the shipping as well', async () => {
  await using stripe = await startStripe()
  await using shop = await openPricedShop(stripe, { hasWorkers: false })
  const { id } = await begin(shop, shop.user, { country: 'US', shipping: 4.9 })
  stripe.pay(sessionOf(stripe, id).id, { tax: 200, isTaxIncluded: true })
  await settle(shop.user, id)
  expect(await receiptOf(shop.user, id)).toMatchObject({ is_tax_included: true, price: 24.99, total: 29.89 })
})

test('a payment fits its subtotals whether the tax is in the prices or added, and is held at others', async () => {
  await using stripe = await startStripe()
  const totals = { included: 29.89, added: 31.89 }
  for (const in_prices of ['included', 'added'] as const) {
    const env = { STRIPE_TAX: 'on', TAX_IN_PRICES: in_prices }
    await using shop = await openPricedShop(stripe, { hasWorkers: false, env })
    const open = async () => {
      const person = await shop.person()
      const { id } = await begin(shop, person, { country: 'US', shipping: 4.9 })
      return { person, id, session: sessionOf(stripe, id) }
    }
    // Decides between "Total", which the button names too, and "Total, before tax".
    const terms = await (await shop.call('GET', '/api/shipping')).json()
    expect(terms).toMatchObject({ has_tax: in_prices === 'added' })
    const fitting = await open()
    stripe.pay(fitting.session.id, { tax: 200 })
    expect(await settle(fitting.person, fitting.id)).toBe('completed')
    expect(await receiptOf(fitting.person, fitting.id)).toMatchObject({
      price: 24.99,
      shipping: 4.9,
      tax: 2,
      is_tax_included: in_prices === 'included',
      total: totals[in_prices],
    })
    const digital = await shop.person()
    const { id: product_id } = await shop.product('digital')
    const bought = await begin(shop, digital, { product_id })
    stripe.pay(sessionOf(stripe, bought.id).id, { tax: 120 })
    expect(await settle(digital, bought.id)).toBe('completed')

    const dearer = await open()
    dearer.session.amount_subtotal += 200
    const sent = await open()
    sent.session.shipping_cost!.amount_subtotal += 39
    for (const { person, id, session } of [dearer, sent]) {
      stripe.pay(session.id, { tax: 200 })
      expect(await settle(person, id)).toBe('pending')
    }
    const reasons = (await listHeld(shop.admin)).map(({ reason }) => reason)
    expect(reasons.toSorted()).toEqual([
      'The payment is for $24.99 and $5.29 of shipping, the purchase for $24.99 and $4.90 of shipping.',
      'The payment is for $26.99 and $4.90 of shipping, the purchase for $24.99 and $4.90 of shipping.',
    ])
  }
})

test('an open checkout is resumed for its country, and left for another country or another price', async () => {
  await using stripe = await startStripe()
  await using shop = await openPricedShop(stripe, { hasWorkers: false })
  const { user, admin } = shop
  const key = randomUUID()
  const first = await begin(shop, user, { country: 'CA' }, key)
  expect((await begin(shop, user, { country: 'US' }, key)).code).toBe('purchases.key_reused')
  expect((await begin(shop, user, { country: 'CA' })).id).toBe(first.id)
  // As the dashboard goes on with it.
  expect((await begin(shop, user, {})).id).toBe(first.id)

  const second = await begin(shop, user, { country: 'US' })
  expect([second.amount, sessionOf(stripe, first.id).status]).toEqual([29.89, 'expired'])
  await setPrices(admin, { price: 5.9 })
  const third = await begin(shop, user, {})
  expect([third.amount, third.shipping]).toEqual([30.89, { country: 'US', amount: 5.9 }])
  expect(sessionOf(stripe, second.id).status).toBe('expired')
  // Free of charge again: what was asked for before is not asked any more.
  await setPrices(admin, { price: 0, country_prices: {} })
  const fourth = await begin(shop, user, {})
  expect([fourth.amount, fourth.shipping]).toEqual([24.99, null])
  expect(sessionOf(stripe, fourth.id)).toMatchObject({ shipping_cost: null, amount_total: 2499 })
  expect((await own(user)).filter(({ status }) => status === 'pending')).toHaveLength(1)
})

test('of many at once, to two countries, one checkout can be paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openPricedShop(stripe, { hasWorkers: false })
  await Promise.all(
    Array.from({ length: 6 }, (_, n) => begin(shop, shop.user, { country: n % 2 ? 'US' : 'CA' })),
  )
  const open = [...stripe.sessions.values()].filter(({ status }) => status === 'open')
  expect(open).toHaveLength(1)
})

test('at one price everywhere Stripe asks for the country', async () => {
  await using stripe = await startStripe()
  await using shop = await openPricedShop(stripe, { hasWorkers: false })
  await setPrices(shop.admin, { country_prices: {} })
  const { id, shipping } = await begin(shop, shop.user, {})
  expect(shipping).toEqual({ country: null, amount: 4.9 })
  expect(sessionOf(stripe, id)).toMatchObject({
    shipping_address_collection: { allowed_countries: ['US', 'CA'] },
    shipping_name: 'Shipping',
    amount_total: 2989,
  })
})

test('a book that costs nothing with a code is still paid for where its shipping costs something', async () => {
  await using stripe = await startStripe()
  await using shop = await openPricedShop(stripe, { hasWorkers: false })
  await shop.admin.call('POST', '/api/admin/discounts', { body: { code: 'FREE', percent: 100 } })
  const made = await begin(shop, shop.user, { country: 'CA', code: 'FREE' })
  expect(made).toMatchObject({ status: 'pending', amount: 12.5 })
  expect(sessionOf(stripe, made.id)).toMatchObject({ amount_subtotal: 0, amount_total: 1250 })
  stripe.pay(sessionOf(stripe, made.id).id, { ships_to: toCanada })
  expect(await settle(shop.user, made.id)).toBe('completed')
  expect(await receiptOf(shop.user, made.id)).toMatchObject({ price: 24.99, discount: 24.99, total: 12.5 })
  await setPrices(shop.admin, { country_prices: { CA: 0 } })
  expect(await begin(shop, shop.user, { country: 'CA', code: 'FREE' })).toMatchObject({
    status: 'completed',
    amount: 0,
    shipping: { country: 'CA', amount: 0 },
  })
})

test('a payment with another price of shipping is held, and accepted at what was paid', async () => {
  await using stripe = await startStripe()
  await using shop = await openPricedShop(stripe, { hasWorkers: false })
  const { user, admin } = shop
  const { id } = await begin(shop, user, { country: 'CA' })
  const session = sessionOf(stripe, id)
  session.shipping_cost!.amount_subtotal = 100
  stripe.pay(session.id, { ships_to: toCanada })
  expect(await settle(user, id)).toBe('pending')
  const held = await listHeld(admin)
  const reason =
    'The payment is for $24.99 and $1.00 of shipping, the purchase for $24.99 and $12.50 of shipping.'
  expect(held).toMatchObject([{ reason }])
  await press(admin, `held/${id}/accept`)
  expect(await receiptOf(user, id)).toMatchObject({ price: 24.99, shipping: 1, total: 25.99 })
})

test('after a restore from an older backup the charge comes back with its purchase', async () => {
  await using stripe = await startStripe()
  await using shop = await openPricedShop(stripe)
  const { user } = shop
  const { id } = await begin(shop, user, { country: 'CA' })
  await losePurchases(shop.services.db)
  stripe.pay(sessionOf(stripe, id).id, { ships_to: toCanada })
  await reconcile(shop.services)
  await soon(shop, async () => await own(user)).toMatchObject([
    { id, status: 'completed', amount: 37.49, shipping: { country: 'CA', amount: 12.5 } },
  ])
  expect(await receiptOf(user, id)).toMatchObject({ price: 24.99, shipping: 12.5, total: 37.49 })
})
