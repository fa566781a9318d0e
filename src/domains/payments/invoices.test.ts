// Invoices that come after the payment, and tax that is part of the price.
import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '#contract/durations.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import { changeCheckouts } from '#test/changes.ts'
import { buy, openPaidShop, sessionOf, settle, sendEvent } from '#test/paying.ts'
import type { Person } from '#test/users.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { clock, time } from '#test/time.ts'
import { reconcile } from './reconcile.ts'

const receiptOf = async (user: Person, id: string) =>
  (await (await user.call('GET', `/api/purchases/${id}/receipt`)).json()) as Receipt

/** Paid, and settled before its invoice is there. */
async function openLateShop() {
  const stripe = await startStripe()
  const shop = await openPaidShop(stripe, { clock, env: { STRIPE_INVOICES: 'on' } })
  const user = await shop.person()
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  stripe.pay(session.id, { isInvoiceLate: true })
  expect(await settle(user, id)).toBe('completed')
  expect(await receiptOf(user, id)).toMatchObject({ invoice_url: null })
  const close = async () => {
    await shop[Symbol.asyncDispose]()
    await stripe[Symbol.asyncDispose]()
  }
  return { stripe, shop, user, id, session, [Symbol.asyncDispose]: close }
}

test('an invoice that is made after the payment is fetched when its event comes', async () => {
  await using late = await openLateShop()
  const { stripe, shop, user, id, session } = late
  const invoice = stripe.makeInvoice(session.id)
  expect((await sendEvent(shop, stripe.event('invoice.paid', invoice))).status).toBe(200)
  const url = async () => (await receiptOf(user, id)).invoice_url
  await expect.poll(url).toBe(invoice.hosted_invoice_url)
})

test('an invoice without an event is asked about at growing intervals, and not without end', async () => {
  await using late = await openLateShop()
  const { stripe, shop, user, id, session } = late
  // What happened is not in the list of events either.
  stripe.events.length = 0
  const round = () => reconcile(shop.services)
  expect(await round()).toEqual({ checked: 0, failed: 0 })
  time.ahead = 3 * minuteMs
  expect(await round()).toEqual({ checked: 1, failed: 0 })
  expect(await round()).toEqual({ checked: 0, failed: 0 })
  time.ahead = 8 * minuteMs
  const invoice = stripe.makeInvoice(session.id)
  stripe.events.length = 0
  expect(await round()).toEqual({ checked: 1, failed: 0 })
  expect((await receiptOf(user, id)).invoice_url).toBe(invoice.hosted_invoice_url)
  time.ahead = 60 * minuteMs
  expect(await round()).toEqual({ checked: 0, failed: 0 })
})

test('an invoice that never comes is given up after three days', async () => {
  await using late = await openLateShop()
  const { stripe, shop } = late
  stripe.events.length = 0
  time.ahead = 73 * hourMs
  expect(await reconcile(shop.services)).toEqual({ checked: 1, failed: 0 })
  time.ahead = 200 * hourMs
  expect(await reconcile(shop.services)).toEqual({ checked: 0, failed: 0 })
})

test('an invoice of another shop on the same account is ignored', async () => {
  await using late = await openLateShop()
  const { stripe, shop, session } = late
  const { metadata: _own, ...invoice } = stripe.makeInvoice(session.id)
  stripe.events.length = 0
  const foreign = { ...invoice, metadata: { purchase_id: '018f0000-0000-7000-8000-000000000000' } }
  await sendEvent(shop, stripe.event('invoice.paid', foreign))
  const open = 'select from payment_events where handled_at is null or problem is not null'
  const left = async () => (await shop.services.database.pool.query(open)).rowCount
  await expect.poll(left).toBe(0)
})

test('a receipt says the price as the page said it, whether the tax is part of it or comes on top', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [anna, ben] = [await shop.person(), await shop.person()]
  const bought = async (person: Person, isTaxIncluded: boolean) => {
    const { id } = await buy(shop, person)
    stripe.pay(sessionOf(stripe, id).id, { discount: 300, tax: 79, isTaxIncluded })
    await settle(person, id)
    const mail = await shop.mailbox.to(person.email, /receipt/)
    return { receipt: await receiptOf(person, id), text: mail.text!.replaceAll(/\s+/g, ' ') }
  }
  const included = await bought(anna, true)
  const sums = { price: 14.99, discount: 3, tax: 0.79 }
  expect(included.receipt).toMatchObject({ ...sums, total: 11.99, is_tax_included: true })
  expect(included.text).toContain('Price $14.99 Discount −$3.00 Amount $11.99 Tax included $0.79')
  await changeCheckouts(shop.services.db, { subtotal: null })
  await settle(anna, included.receipt.id)
  expect(await receiptOf(anna, included.receipt.id)).toMatchObject({ ...sums, is_tax_included: true })
  const onTop = await bought(ben, false)
  expect(onTop.receipt).toMatchObject({ ...sums, total: 12.78, is_tax_included: false })
  expect(onTop.text).toContain('Price $14.99 Discount −$3.00 Tax $0.79 Amount $12.78')
})

test('Stripe is told whether the tax is in the prices, and nothing before the author has said so', async () => {
  await using stripe = await startStripe()
  const behaviors = async (env: Record<string, string>) => {
    const shipping = { SHIPPING_COUNTRIES: 'US', SHIPPING_PRICES: '4.90' }
    await using shop = await openPaidShop(stripe, { hasWorkers: false, env: { ...shipping, ...env } })
    await buy(shop, await shop.person(), 'paperback')
    const { rows } = await shop.services.database.pool.query<{ line: string | null; rate: string | null }>(
      `select parameters #>> '{line_items,0,price_data,tax_behavior}' as line,
        parameters #>> '{shipping_options,0,shipping_rate_data,tax_behavior}' as rate from checkouts`,
    )
    return rows[0]
  }
  const none = { line: null, rate: null }
  expect(await behaviors({ STRIPE_TAX: 'on' })).toEqual(none)
  const included = { line: 'inclusive', rate: 'inclusive' }
  expect(await behaviors({ STRIPE_TAX: 'on', TAX_IN_PRICES: 'included' })).toEqual(included)
  const added = { line: 'exclusive', rate: 'exclusive' }
  expect(await behaviors({ STRIPE_TAX: 'on', TAX_IN_PRICES: 'added' })).toEqual(added)
  expect(await behaviors({ TAX_IN_PRICES: 'included' })).toEqual(none)
})

test('where Stripe works out the tax, it is told what is sold, by format', async () => {
  await using stripe = await startStripe()
  const env = { STRIPE_TAX: 'on', STRIPE_TAX_CODES: 'digital:txcd_10302001' }
  await using shop = await openPaidShop(stripe, { env })
  await using untaxed = await openPaidShop(stripe)
  const codeAt = async (at: typeof shop, format: string) => {
    await buy(at, await at.person(), format)
    const { rows } = await at.services.database.pool.query<{ code: string | null }>(
      `select parameters #>> '{line_items,0,price_data,product_data,tax_code}' as code from checkouts order by created_at desc`,
    )
    return rows[0]!.code
  }
  expect(await codeAt(shop, 'digital')).toBe('txcd_10302001')
  expect(await codeAt(shop, 'hardcover')).toBe('txcd_35010000')
  expect(await codeAt(untaxed, 'digital')).toBeNull()
})
