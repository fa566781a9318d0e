// Link as the seller of files: what is asked of Stripe, who is said to sell, and what becomes of an answer that differs.
import { expect, test } from 'vitest'
import { allowedByLink, refusedByLink, startStripe } from '@lectern/stripe-stand-in'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { begin, beginOfLink, openPaidShop, sellByLink, sessionOf, settle } from '#test/paying.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { sessionOf as paramsOf } from '#platform/stripe/objects.ts'
import type { CheckoutOrder } from '#platform/stripe/payments.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import { usualTaxCodes } from '#contract/settings/settings.ts'
import type { Seller } from '#contract/orders/seller.ts'
import { checkouts, payment_faults } from '#tables/payments.ts'
import { purchases } from '#tables/orders.ts'
import { tryCheckouts } from './trial-checkouts.ts'

const order: CheckoutOrder = {
  seller: 'author',
  currency: 'usd',
  product: {
    id: 'a',
    name: 'A book',
    price: 999n,
    tax_code: usualTaxCodes.digital,
    ships: false,
    note: 'A note',
  },
  countries: [],
  shipping: null,
  shop_id: 'shop',
  purchase_id: 'b',
  user_id: 'c',
  order: '#1001',
  email: 'reader@example.com',
  code: { code_id: 'd', code: 'LESS', discount: 100n },
  consent: 'I agree',
  success_url: 'https://shop.example/paid',
  cancel_url: 'https://shop.example/',
}
const tax = {
  has_tax: true,
  digital_seller: 'stripe' as const,
  in_prices: 'included' as const,
  tax_codes: usualTaxCodes,
  has_tax_ids: true,
  has_invoices: true,
}

function keysOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, below]: [string, unknown]) => {
    const key = path ? `${path}[${name}]` : name
    return typeof below === 'object' && below !== null ? keysOf(below, key) : [key]
  })
}

test('Link’s session leaves out what only a seller decides, and names nothing that the author’s does not', () => {
  const ofAuthor = keysOf(paramsOf(order, tax))
  const ofLink = keysOf(paramsOf({ ...order, seller: 'stripe' }, tax))
  expect(ofLink.filter((key) => !ofAuthor.includes(key))).toEqual([])
  const leftOut = ofAuthor.filter((key) => !ofLink.includes(key)).map((key) => key.split('[')[0])
  expect(new Set(leftOut)).toEqual(
    new Set([
      'adaptive_pricing',
      'automatic_tax',
      'billing_address_collection',
      'invoice_creation',
      'submit_type',
      'tax_id_collection',
    ]),
  )
  const isOf = (names: readonly string[]) => (key: string) =>
    names.some((name) => key === name || key.startsWith(`${name}[`))
  expect(ofLink.filter(isOf(Object.keys(refusedByLink)))).toEqual([])
  const needed = ['mode', 'managed_payments', 'line_items', 'success_url']
  expect(ofLink.filter((key) => !isOf([...needed, ...Object.keys(allowedByLink)])(key))).toEqual([])
})

test('the line says whether the tax is in the price, whatever Stripe Tax, and never nothing', () => {
  const behavior = (change: object) =>
    paramsOf({ ...order, seller: 'stripe' }, { ...tax, ...change }).line_items?.[0]?.price_data
  for (const has_tax of [false, true]) {
    expect(behavior({ has_tax })).toMatchObject({
      tax_behavior: 'inclusive',
      product_data: { tax_code: usualTaxCodes.digital },
    })
    expect(behavior({ has_tax, in_prices: 'added' })).toMatchObject({ tax_behavior: 'exclusive' })
    expect(behavior({ has_tax, in_prices: 'none' })).toMatchObject({ tax_behavior: 'inclusive' })
    expect(behavior({ has_tax, in_prices: undefined })).toMatchObject({ tax_behavior: 'inclusive' })
  }
})

const buyOf = async (shop: TestShop, person: Person, format: string, seller: Seller) =>
  (await (
    format === 'digital' && seller === 'stripe'
      ? await beginOfLink(shop, person)
      : await begin(shop, person, format)
  ).json()) as PurchaseMade

test('four formats on accounts with Managed Payments on, off and chosen: 12 of 12', async () => {
  let sold = 0
  for (const [isDefault, seller] of [
    [true, 'author'],
    [false, 'author'],
    [false, 'stripe'],
  ] as const) {
    await using stripe = await startStripe()
    stripe.managedPayments.isDefault = isDefault
    await using shop = await openPaidShop(stripe)
    if (seller === 'stripe') sellByLink(shop)
    for (const format of ['digital', 'paperback', 'hardcover', 'bundle']) {
      const user = await shop.person()
      const { id } = await buyOf(shop, user, format, seller)
      const session = sessionOf(stripe, id)
      const isOfLink = seller === 'stripe' && format === 'digital'
      expect(session.managed_payments).toEqual({ enabled: isOfLink })
      stripe.pay(session.id, { tax: isOfLink ? 74 : 0 })
      expect(await settle(user, id)).toBe('completed')
      const receipt = (await (await user.call('GET', `/api/purchases/${id}/receipt`)).json()) as Receipt
      expect(receipt).toMatchObject({ sold_by: isOfLink ? 'stripe' : 'author', invoice_url: null })
      sold += 1
    }
  }
  expect(sold).toBe(12)
})

test('a pre-order stays the author’s, and what costs nothing', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  const { db, database } = shop.services
  await database.pool.query(`update products set release_on = shop_day() + 9 where format = 'digital'`)
  const user = await shop.person()
  expect(await (await beginOfLink(shop, user)).json()).toMatchObject({ code: 'purchases.seller_changed' })
  const { id } = (await (await begin(shop, user)).json()) as PurchaseMade
  expect(sessionOf(stripe, id).managed_payments).toEqual({ enabled: false })
  const [row] = await db.select().from(purchases).where(eq(purchases.id, id))
  expect(row?.seller).toBe('author')
})

test('a buyer who was told of another seller buys nothing, and an open checkout stays as it was begun', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const changed = { status: 409, code: 'purchases.seller_changed' }
  expect(await (await beginOfLink(shop, user)).json()).toMatchObject(changed)
  sellByLink(shop)
  expect(await (await begin(shop, user)).json()).toMatchObject(changed)
  expect(stripe.sessions.size).toBe(0)
  const made = (await (await beginOfLink(shop, user)).json()) as PurchaseMade
  expect(made).toMatchObject({ seller: 'stripe', status: 'pending' })
  Object.assign(shop.services.settings.get().tax, { digital_seller: 'author' })
  const resumed = (await (await beginOfLink(shop, user)).json()) as PurchaseMade
  expect(resumed).toMatchObject({ id: made.id, checkout_url: made.checkout_url })
  const ofAuthor = (await (await begin(shop, user)).json()) as PurchaseMade
  expect(ofAuthor).toMatchObject({ seller: 'author' })
  expect(ofAuthor.id).not.toBe(made.id)
  expect(sessionOf(stripe, made.id).status).toBe('expired')
})

test('an open checkout of Link ends once its file is a pre-order, and a key is of one seller', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  const user = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const key = randomUUID()
  const order = (seller: Seller) =>
    user.call('POST', '/api/purchases', {
      body: { product_id, seller },
      headers: { 'idempotency-key': key },
    })
  const made = (await (await order('stripe')).json()) as PurchaseMade
  expect(await (await order('author')).json()).toMatchObject({ code: 'purchases.key_reused' })
  const { pool } = shop.services.database
  await pool.query(`update products set release_on = shop_day() + 9 where id = $1`, [product_id])
  expect(await (await beginOfLink(shop, user)).json()).toMatchObject({ code: 'purchases.seller_changed' })
  expect(sessionOf(stripe, made.id).status).toBe('expired')
})

test('where Stripe answers that the author sells, the checkout is ended, the product has a fault, and nothing is sold', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  stripe.managedPayments.isIgnored = true
  const { db, settings } = shop.services
  const user = await shop.person()
  expect(await (await beginOfLink(shop, user)).json()).toMatchObject({
    status: 409,
    code: 'payments.refused',
  })
  expect([...stripe.sessions.values()].map(({ status }) => status)).toEqual(['expired'])
  expect(await db.$count(purchases, eq(purchases.status, 'canceled'))).toBe(1)
  expect(await db.$count(checkouts, eq(checkouts.sold_by, 'stripe'))).toBe(0)
  const [fault] = await db.select().from(payment_faults)
  expect(fault).toMatchObject({ kind: 'product', words: expect.stringContaining('with you as the seller') })
  const key = { secretKey: 'sk_test_x', apiBase: stripe.url }
  const refused = (await tryCheckouts(db, key, settings.get())).filter((trial) => trial.refused)
  expect(refused).toEqual([{ name: expect.any(String), refused: fault?.words }])
  // Paper is the author's, and goes on.
  expect((await begin(shop, user, 'paperback')).status).toBe(201)
  stripe.managedPayments.isIgnored = false
  expect((await beginOfLink(shop, user)).status).toBe(201)
  expect(await db.$count(payment_faults)).toBe(0)
})

test('a payment that Link took for the author, or the author for Link, is held', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  const user = await shop.person()
  const { id } = (await (await beginOfLink(shop, user)).json()) as PurchaseMade
  const session = sessionOf(stripe, id)
  session.managed_payments = null
  stripe.pay(session.id)
  expect(await settle(user, id)).toBe('pending')
  const [row] = await shop.services.db.select().from(checkouts)
  expect(row?.held_reason).toContain('that Link sells it, and Stripe says that the author did')
  expect(row?.sold_by).toBe('author')

  const other = await shop.person()
  const { id: second } = (await (await begin(shop, other, 'paperback')).json()) as PurchaseMade
  const paper = sessionOf(stripe, second)
  paper.managed_payments = { enabled: true }
  stripe.pay(paper.id, { presented: { amount: 234_567, currency: 'jpy' } })
  expect(await settle(other, second)).toBe('pending')
  const [ofLink] = await shop.services.db.select().from(checkouts).where(eq(checkouts.purchase_id, second))
  expect(ofLink).toMatchObject({
    held_reason: expect.stringContaining('that the author sells it, and Stripe says that Link did'),
    sold_by: 'stripe',
    presented_amount: 23_456_700n,
    presented_currency: 'jpy',
  })
})

test('that Link sells is never left out of the next attempt', async () => {
  await using stripe = await startStripe()
  stripe.managedPayments.isAvailable = false
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  const user = await shop.person()
  expect((await beginOfLink(shop, user)).status).toBe(409)
  expect(stripe.sessions.size).toBe(0)
  const [fault] = await shop.services.db.select().from(payment_faults)
  expect(fault?.words).toContain('terms of service')
})

test('the order and its receipt stay with who sold it, whatever is set later; the invoice is left to Link', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { STRIPE_INVOICES: 'on' } })
  sellByLink(shop)
  const admin = await shop.person({ role: 'admin' })
  const user = await shop.person()
  const { id } = (await (await beginOfLink(shop, user)).json()) as PurchaseMade
  stripe.pay(sessionOf(stripe, id).id, { tax: 74, presented: { amount: 1480, currency: 'jpy' } })
  await settle(user, id)
  expect(sessionOf(stripe, id).invoice).not.toBeNull()
  Object.assign(shop.services.settings.get().tax, { digital_seller: 'author' })
  const receipt = (await (await user.call('GET', `/api/purchases/${id}/receipt`)).json()) as Receipt
  const presented = { amount: 1480, currency: 'jpy' }
  expect(receipt).toMatchObject({
    sold_by: 'stripe',
    invoice_url: null,
    tax: 0.74,
    presented,
    currency: 'usd',
  })
  const order = await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()
  expect(order).toMatchObject({ sold_by: 'stripe', link_tax: 0.74, presented, amount: receipt.total })
})
