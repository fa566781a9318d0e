// The currency of the shop, in all that it says and charges.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { currencyCodes, minCharges, chargeLimits, isChargeable } from '#contract/stripe.ts'
import { toCents } from '#contract/money.ts'
import { toMinor } from '#platform/stripe/refunds.ts'
import type { AttentionList } from '#contract/payments/needs-attention.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { PurchaseMade, Receipt } from '#contract/orders/purchases.ts'
import { changeProducts } from '#test/changes.ts'
import { buy, openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import type { Person } from '#test/users.ts'
import type { SettingsGroup } from '#contract/operations/settings.ts'

const read = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/settings/shop')).json()) as SettingsGroup

const orderOf = async (admin: Person, id: string) =>
  (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail

test('a shop in euros charges, mails, exports and gives back euros', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { CURRENCY: 'EUR' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  expect(await read(admin)).toMatchObject({
    values: { currency: 'eur' },
    variables: { currency: 'CURRENCY' },
  })
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  expect([session.currency, session.amount_total]).toEqual(['eur', 1499])
  stripe.pay(session.id, { discount: 300, tax: 100 })
  expect(await settle(user, id)).toBe('completed')
  expect(await own(user)).toMatchObject([{ amount: 12.99, currency: 'eur', status: 'completed' }])

  const { text } = await shop.mailbox.to(user.email, /Your receipt/)
  for (const words of ['€14.99', '−€3.00', '€1.00', '€12.99']) expect(text).toContain(words)
  expect(text).not.toContain('$')
  const receipt = await user.call('GET', `/api/purchases/${id}/receipt`)
  expect((await receipt.json()) as Receipt).toMatchObject({ total: 12.99, currency: 'eur' })
  expect(await orderOf(admin, id)).toMatchObject({ amount: 12.99, currency: 'eur' })

  const asked = await admin.call('POST', '/api/admin/exports', { body: { list: 'purchases' } })
  const csv = await shop.call('GET', ((await asked.json()) as { url: string }).url)
  expect(await csv.text()).toMatch(/,12\.99,0\.00,12\.99,EUR,,test,,\r?\n$/)

  await admin.call('POST', `/api/admin/purchases/${id}/refund`, {
    body: { amount: 2.99, refunded: 0, reason: '' },
  })
  const refund = await shop.mailbox.to(user.email, /Your refund/)
  for (const words of ['€2.99', '€10.00']) expect(refund.text).toContain(words)
  expect(stripe.refunds).toMatchObject([{ amount: 299, currency: 'eur' }])
})

test('a shop in yen charges, mails, exports and gives back whole yen', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { CURRENCY: 'JPY', SHIPPING_PRICES: '350' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const paperback = await shop.product('paperback')
  expect(paperback.price).toBe(25)
  const set = await admin.call('PATCH', `/api/admin/products/${paperback.id}`, { body: { price: 1480 } })
  expect(set.status).toBe(200)
  const coded = { code: 'FIFTEEN', percent: 15 }
  expect((await admin.call('POST', '/api/admin/discounts', { body: coded })).status).toBe(201)
  const asked = { product_id: paperback.id, code: 'FIFTEEN', country: 'US', shipping: 350 }
  const { id } = (await (await user.call('POST', '/api/purchases', { body: asked })).json()) as PurchaseMade
  const session = sessionOf(stripe, id)
  expect([session.currency, session.amount_total]).toEqual(['jpy', 1258 + 350])
  stripe.pay(session.id, { tax: 161 })
  expect(await settle(user, id)).toBe('completed')
  expect(await own(user)).toMatchObject([{ amount: 1769, currency: 'jpy', status: 'completed' }])
  const { text } = await shop.mailbox.to(user.email, /Your receipt/)
  for (const words of ['¥1,480', '−¥222', '¥350', '¥161', '¥1,769']) expect(text).toContain(words)
  expect(text).not.toMatch(/¥[\d,]+\./)

  const exported = await admin.call('POST', '/api/admin/exports', { body: { list: 'purchases' } })
  const csv = await shop.call('GET', ((await exported.json()) as { url: string }).url)
  expect(await csv.text()).toMatch(/,1769,0,1769,JPY,350,test,,FIFTEEN\r?\n$/)
  const refund = (amount: number) =>
    admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount, refunded: 0, reason: '' } })
  expect(await (await refund(99.5)).json()).toMatchObject({
    fields: { amount: 'Amounts in JPY have no decimals.' },
  })
  expect((await refund(769)).status).toBeLessThan(300)
  expect((await shop.mailbox.to(user.email, /Your refund/)).text).toContain('¥769')
  expect(stripe.refunds).toMatchObject([{ amount: 769, currency: 'jpy' }])
})

test('what is paid in another currency than the shop’s is held, and accepted only in its own', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { CURRENCY: 'EUR' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await buy(shop, user)
  const session = sessionOf(stripe, id)
  session.currency = 'usd'
  stripe.pay(session.id)
  expect(await settle(user, id)).toBe('pending')
  const attention = await admin.call('GET', '/api/admin/payments')
  expect(((await attention.json()) as AttentionList).items).toMatchObject([
    {
      reason: 'The payment is in USD, not in EUR.',
      amount: 14.99,
      currency: 'eur',
      paid: { currency: 'usd' },
    },
  ])
  const accepted = await admin.call('POST', `/api/admin/payments/held/${id}/accept`)
  expect(accepted.status).toBe(409)
})

test('every currency of the list can be charged from its least amount on, as at Stripe', async () => {
  await using stripe = await startStripe()
  for (const code of currencyCodes) {
    const least = minCharges[code]
    const cents = toCents(least)
    const unit = toCents(1) / BigInt(toMinor(100n, code))
    expect(isChargeable(cents, code) && isChargeable(0n, code)).toBe(true)
    expect(isChargeable(cents - unit, code) || isChargeable(100_000_000n * unit, code)).toBe(false)
    const ask = (unit_amount: number) =>
      fetch(`${stripe.url}/v1/checkout/sessions`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_x', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          mode: 'payment',
          success_url: 'https://books.example',
          'line_items[0][price_data][currency]': code,
          'line_items[0][price_data][unit_amount]': String(unit_amount),
          'line_items[0][price_data][product_data][name]': 'A book',
        }),
      })
    const minor = toMinor(cents, code)
    const statuses = [await ask(minor), await ask(minor - 1)].map(({ status }) => status)
    expect([code, ...statuses]).toEqual([code, 200, 400])
  }
  expect(chargeLimits('chf').words).toBe(
    'Stripe takes no payment under CHF\u00a00.50 or over CHF\u00a0999,999.99.',
  )
})

test('a price has to be one that Stripe takes in the currency of the shop', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { env: { CURRENCY: 'czk' } })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  const price = async (value: number) => {
    const response = await admin.call('PATCH', `/api/admin/products/${id}`, { body: { price: value } })
    return [response.status, ((await response.json()) as { fields?: { price: string } }).fields?.price]
  }
  const words = 'Stripe takes no payment under CZK\u00a015.00 or over CZK\u00a0999,999.99.'
  expect(await price(14.99)).toEqual([422, words])
  expect((await price(15))[0]).toBe(200)
  // The other samples cost more; this one was set before.
  await changeProducts(shop.services.db, { price: 1499n }, id)
  const attention = await admin.call('GET', '/api/admin/payments')
  expect(((await attention.json()) as AttentionList).faults).toMatchObject([{ kind: 'price', words }])
})
