// The currency of the shop, in all that it says and charges.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { currencyCodes, minCharges, chargeLimits, isChargeable } from '#contract/stripe.ts'
import { toCents } from '#contract/money.ts'
import { toMinor } from '#platform/stripe/conversions.ts'
import type { AttentionList } from '#contract/payments/needs-attention.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import { changeProducts, losePurchases } from '#test/changes.ts'
import { buy, openPaidShop, own, sessionOf, settle, buyAndPay } from '#test/paying.ts'
import type { Person } from '#test/users.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { changePurchase, giveRefund } from '#test/factories.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'

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
  expect(await csv.text()).toMatch(/,12\.99,0\.00,12\.99,EUR,,test,,,1\.00,,,,,,,\r?\n$/)

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
  expect(await csv.text()).toMatch(/,1769,0,1769,JPY,350,test,,FIFTEEN,161,/)
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
  expect(((await attention.json()) as AttentionList).faults).toMatchObject([
    { kind: 'price', check: { advice: expect.stringContaining(words) } },
  ])
})

// The currency of the shop is chosen before the first sale: when it can be changed, and what becomes of what was begun.

async function change(admin: Person, currency: string) {
  const { revision } = await read(admin)
  const body = { revision, values: { currency } }
  const response = await admin.call('PUT', '/api/admin/settings/shop', { body })
  const { code, fields } = (await response.json()) as { code?: string; fields?: Record<string, string> }
  return { status: response.status, ...(code && { code }), ...(fields && { fields }) }
}

const currenciesIn = async ({ services }: Pick<TestShop, 'services'>) =>
  (
    await services.database.pool.query<{ currency: string }>('select currency from purchases order by number')
  ).rows.map(({ currency }) => currency)

test('test orders, free copies and what was never paid leave the choice; an order binds it', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const paid = await buyAndPay(shop, stripe, user)
  const open = await buy(shop, await shop.person())
  expect(await read(admin)).toMatchObject({ values: { currency: 'usd' }, locked: {} })
  expect(await change(admin, 'xxx')).toMatchObject({ status: 422, fields: { currency: expect.any(String) } })
  expect(await change(admin, 'gbp')).toEqual({ status: 200 })
  expect(shop.services.settings.get().shop.currency).toBe('gbp')
  // What was paid before stays what it was, and goes back as it came.
  expect(await orderOf(admin, paid)).toMatchObject({ amount: 14.99, currency: 'usd' })
  await user.call('POST', `/api/purchases/${paid}/refund`, { body: {} })
  expect((await shop.mailbox.to(user.email, /Your refund/)).text).toContain('$14.99')
  expect(await currenciesIn(shop)).toEqual(['usd', open.currency])
  const again = await buy(shop, user, 'paperback')
  expect([again.currency, sessionOf(stripe, again.id).currency]).toEqual(['gbp', 'gbp'])

  await changePurchase(shop.services.db, again.id, { is_test: false })
  expect((await read(admin)).locked).toEqual({ currency: expect.stringContaining('has sold in it') })
  const refused = await change(admin, 'eur')
  expect(refused).toMatchObject({ status: 409, code: 'settings.currency_fixed' })
  expect(refused.fields).toEqual({ currency: expect.any(String) })
  await changePurchase(shop.services.db, again.id, { status: 'canceled' })
  expect(await change(admin, 'eur')).toEqual({ status: 200 })
})

test('an order of the sample leaves the choice; then it is in no sum', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { pool } = shop.services.database
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const totals = async () =>
    ((await (await admin.call('GET', '/api/admin/sales')).json()) as { totals: Record<string, number> })
      .totals
  const sold = async () => {
    const products = (await (await admin.call('GET', '/api/admin/products')).json()) as AdminProduct[]
    return products.find(({ id }) => id === product_id)?.sold
  }
  const { id: product_id } = await shop.product('digital')
  const { id } = await user.buy(product_id)
  await giveRefund(shop.services.db, id, 5)
  expect(await totals()).toMatchObject({ total_revenue: 9.99, total_purchases: 1 })
  expect(await change(admin, 'eur')).toEqual({ status: 200 })
  const nothing = { total_revenue: 0, total_purchases: 0 }
  expect(await totals()).toMatchObject(nothing)
  expect((await orderOf(admin, id)).currency).toBe('usd')
  await giveRefund(shop.services.db, id, 1)
  await changePurchase(shop.services.db, id, { created_at: new Date(Date.now() - 86_400_000) })
  expect([await totals(), await sold()]).toMatchObject([nothing, 0])

  await user.buy(product_id)
  expect([await totals(), await sold()]).toMatchObject([{ total_revenue: 14.99, total_purchases: 1 }, 1])
  await pool.query(`update purchases set is_test = false where currency = 'eur'`)
  expect(await change(admin, 'usd')).toMatchObject({ code: 'settings.currency_fixed' })
  await pool.query('select sums_rebuild()')
  expect(await totals()).toMatchObject({ total_revenue: 14.99, total_purchases: 1 })
  await losePurchases(shop.services.db)
  expect(await totals()).toMatchObject(nothing)
})

test('a checkout that was opened in the currency before is ended, not resumed', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const first = await buy(shop, user)
  expect(await change(admin, 'eur')).toEqual({ status: 200 })
  const second = await buy(shop, user)
  expect([sessionOf(stripe, first.id).status, sessionOf(stripe, second.id).currency]).toEqual([
    'expired',
    'eur',
  ])
})

test('of a change and a purchase at the same moment, the one that comes second sees the first', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  await using other = await openSecondShop(shop)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { database } = shop.services
  const { id: product_id } = await shop.product('digital')
  const buyAtOther = () =>
    fetch(`${other.url}/api/purchases`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ product_id }),
    })
  // Both wait for the table, the change first. The other process does not know of it yet.
  const client = await database.pool.connect()
  await client.query('begin; lock table purchases in share row exclusive mode')
  const changed = change(admin, 'eur')
  await untilWaiting(database, 1)
  const bought = buyAtOther()
  await untilWaiting(database, 2)
  await client.query('commit')
  expect([(await changed).status, (await bought).status]).toEqual([200, 201])
  expect(await currenciesIn(shop)).toEqual(['eur'])

  // The other way round: the purchase is not committed when the change is asked for.
  await database.pool.query('truncate purchases cascade')
  await client.query('begin')
  await client.query(
    `insert into purchases (id, user_id, product_id, amount, status) values (gen_random_uuid(), $1, $2, 14.99, 'completed')`,
    [user.id, product_id],
  )
  const refused = change(admin, 'gbp')
  await untilWaiting(database, 1)
  await client.query('commit')
  client.release()
  expect(await refused).toMatchObject({ status: 409, code: 'settings.currency_fixed' })
  expect(await currenciesIn(shop)).toEqual(['eur'])
})

test('a shop does not start in another currency than it has sold in, and says how it does', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const start = (CURRENCY: string) => openSecondShop(shop, { env: { CURRENCY } })
  {
    await using other = await start('EUR')
    expect(other.services.settings.get().shop.currency).toBe('eur')
  }
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('digital')).id)
  await changePurchase(shop.services.db, id, { is_test: false })
  await giveRefund(shop.services.db, id, 1)
  expect(await currenciesIn(shop)).toEqual(['eur'])
  await expect(start('chf')).rejects.toThrow(
    'The currency is CHF, but this shop has sold in EUR, and a shop has one currency: start it with CURRENCY=EUR.',
  )
  await using again = await start('eur')
  expect(again.services.settings.get().shop.currency).toBe('eur')
  await expect(openTestShop({ env: { CURRENCY: 'XXX' } })).rejects.toThrow('CURRENCY must be one of AED, AUD')
})

test('a currency without decimals is refused with each amount that does not fit it; the sample’s prices become whole', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { revision } = (await (
    await admin.call('GET', '/api/admin/settings/shipping')
  ).json()) as SettingsGroup
  const ship = (values: object, at: number) =>
    admin.call('PUT', '/api/admin/settings/shipping', { body: { revision: at, values } })
  const addCode = (body: object) => admin.call('POST', '/api/admin/discounts', { body })
  expect((await ship({ price: 4.5, country_prices: { CA: 9.9 } }, revision)).status).toBe(200)
  for (const code of [
    { code: 'SPRING', amount_off: 2.5 },
    { code: 'SUMMER', amount_off: 2 },
  ])
    expect((await addCode(code)).status).toBe(201)
  const [digital, paperback] = [await shop.product('digital'), await shop.product('paperback')]
  const changeProduct = (id: string, body: object) =>
    admin.call('PATCH', `/api/admin/products/${id}`, { body })
  expect((await changeProduct(digital.id, { price: 9.5 })).status).toBe(200)
  const prices = async () =>
    ((await (await shop.call('GET', '/api/products')).json()) as AdminProduct[]).map(({ price }) => price)
  const before = await prices()
  expect(await change(admin, 'jpy')).toEqual({
    status: 422,
    code: 'request.invalid',
    fields: {
      currency: `Amounts in JPY have no decimals. Change these first: 9.50 for “${digital.name}”, under Products; 2.50 off with the code SPRING, under Discounts; 4.50 for shipping, under Settings, Shipping; 9.90 for shipping to Canada, under Settings, Shipping.`,
    },
  })
  expect(await prices()).toEqual(before)

  expect((await ship({ price: 5, country_prices: {} }, revision + 1)).status).toBe(200)
  const { rows } = await shop.services.database.pool.query(
    `select id from discount_codes where code = 'SPRING'`,
  )
  expect((await admin.call('PUT', `/api/admin/discounts/${rows[0].id}/ended`)).status).toBe(200)
  expect(await change(admin, 'jpy')).toMatchObject({ status: 422 })
  expect((await changeProduct(digital.id, { price: 9 })).status).toBe(200)
  expect(await change(admin, 'jpy')).toEqual({ status: 200 })
  // The cached catalogue is dropped by a notification.
  await expect.poll(prices).toEqual([9, 25, 40, 50])
  const refused = await ship({ country_prices: { CA: 9.9 } }, revision + 2)
  expect(await refused.json()).toMatchObject({
    fields: { 'country_prices.CA': 'Amounts in JPY have no decimals.' },
  })
  const priced = await changeProduct(paperback.id, { price: 9.5 })
  expect(await priced.json()).toMatchObject({ fields: { price: 'Amounts in JPY have no decimals.' } })
  const code = await addCode({ code: 'HALF-A-YEN', amount_off: 0.5 })
  expect(await code.json()).toMatchObject({ fields: { amount_off: 'Amounts in JPY have no decimals.' } })
})

test('a shop does not start in a currency that its amounts do not fit, and goes on in the one before', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id, name } = await shop.product('digital')
  await admin.call('PATCH', `/api/admin/products/${id}`, { body: { price: 9.5 } })
  await expect(openSecondShop(shop, { env: { CURRENCY: 'JPY' } })).rejects.toThrow(
    `The currency does not fit what this shop has saved. Amounts in JPY have no decimals. Change these first: 9.50 for “${name}”, under Products.`,
  )
  await using again = await openSecondShop(shop, { env: { CURRENCY: 'USD' } })
  expect(again.services.settings.get().shop.currency).toBe('usd')
})
