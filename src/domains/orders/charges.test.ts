// What sending costs the buyer where nothing else takes money: the price that was shown is the price that counts.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { someAddress } from '#test/addresses.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'

const prices = { SHIPPING_COUNTRIES: 'US,CA,GB', SHIPPING_PRICES: '4.90,US:0,CA:12.50' }

type Made = Purchase & { code?: string; detail?: string }

async function buy(user: Person, body: object, key: string = randomUUID()): Promise<Made> {
  const headers = { 'idempotency-key': key }
  return (await (await user.call('POST', '/api/purchases', { body, headers })).json()) as Made
}

async function charges({ services }: TestShop) {
  const { rows } = await services.database.pool.query(
    'select country, amount from shipping_charges order by 2',
  )
  return rows
}

test('without a country, without its price, or to one that is not served nothing is bought', async () => {
  await using shop = await openTestShop({ env: prices })
  const user = await shop.person()
  const { id: product_id } = await shop.product('paperback')
  const refusal = async (body: object) => {
    const { code, detail } = await buy(user, { product_id, ...body })
    return { code, detail }
  }
  expect(await refusal({})).toMatchObject({ code: 'shipments.country_needed' })
  expect(await refusal({ country: 'FR', shipping: 4.9 })).toMatchObject({
    code: 'shipments.country_not_served',
  })
  expect(await refusal({ country: 'Canada' })).toMatchObject({ code: 'request.invalid' })
  expect(await refusal({ country: 'CA', shipping: 12.501 })).toMatchObject({ code: 'request.invalid' })
  const changed = 'Shipping to Canada costs $12.50 now. Nothing was bought.'
  for (const shipping of [undefined, 12.49])
    expect(await refusal({ country: 'CA', shipping })).toEqual({
      code: 'shipments.price_changed',
      detail: changed,
    })
  expect(await charges(shop)).toEqual([])
  // What is not sent costs nothing more.
  const digital = await shop.product('digital')
  expect(await buy(user, { product_id: digital.id })).toMatchObject({ amount: digital.price, shipping: null })
})

test('the amount is the price with shipping, on the receipt, in its mail, in the list and in the sums', async () => {
  await using shop = await openTestShop({ env: prices })
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  await admin.call('POST', '/api/admin/discounts', { body: { code: 'HALF', percent: 50 } })
  const { id: product_id, price } = await shop.product('hardcover')
  expect(price).toBe(39.99)
  const made = await buy(user, { product_id, country: 'CA', shipping: 12.5, code: 'HALF' })
  expect(made).toMatchObject({ amount: 32.49, shipping: { country: 'CA', amount: 12.5 } })
  const receipt = (await (await user.call('GET', `/api/purchases/${made.id}/receipt`)).json()) as Receipt
  expect(receipt).toMatchObject({ price, discount: 20, tax: 0, total: 32.49 })
  expect(receipt).toMatchObject({ shipping: 12.5, shipping_country: 'CA' })
  const { text } = await shop.mailbox.to(user.email, /Your receipt/)
  for (const line of ['$39.99', '−$20.00', 'Shipping to Canada', '$12.50', '$32.49'])
    expect(text).toContain(line)

  // A lower price than the one that was shown is no reason to refuse.
  await buy(user, { product_id, country: 'US', shipping: 4.9 })
  expect(await charges(shop)).toEqual([
    { country: 'US', amount: 0 },
    { country: 'CA', amount: 12.5 },
  ])
  const order = await (await admin.call('GET', `/api/admin/purchases/${made.id}`)).json()
  expect(order).toMatchObject({ amount: 32.49, discount: 20, shipping: { country: 'CA', amount: 12.5 } })
  const asked = await admin.call('POST', '/api/admin/exports', { body: { list: 'purchases' } })
  const { url } = (await asked.json()) as { url: string }
  expect(await (await shop.call('GET', url)).text()).toContain(',32.49,0.00,32.49,USD,12.50')
  const sales = await (await admin.call('GET', '/api/admin/sales')).json()
  expect(sales).toMatchObject({ totals: { total_revenue: 72.48 } })
})

test('a discount takes nothing off the shipping', async () => {
  await using shop = await openTestShop({ env: { SHIPPING_PRICES: '4.90' } })
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  await admin.call('POST', '/api/admin/discounts', { body: { code: 'FREE', percent: 100 } })
  const { id: product_id } = await shop.product('bundle')
  expect(await buy(user, { product_id, code: 'FREE', shipping: 4.9 })).toMatchObject({
    amount: 4.9,
    shipping: { country: 'US', amount: 4.9 },
  })
})

test('one key is one purchase to one country, also of many at once', async () => {
  await using shop = await openTestShop({ env: { ...prices, RATE_LIMIT: 'off' }, hasWorkers: false })
  const user = await shop.person()
  const { id: product_id } = await shop.product('paperback')
  const key = randomUUID()
  const countries = [
    { country: 'CA', shipping: 12.5 },
    { country: 'GB', shipping: 4.9 },
  ]
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) => buy(user, { product_id, ...countries[n % 2] }, key)),
  )
  const codes = made.map(({ code }) => code ?? 'bought').toSorted()
  expect(codes).toEqual([...Array(4).fill('bought'), ...Array(4).fill('purchases.key_reused')])
  expect(await charges(shop)).toHaveLength(1)
})

test('the country of an address is the one that counts', async () => {
  await using shop = await openTestShop({ env: { ...prices, ASK_ADDRESS: 'on' } })
  const user = await shop.person()
  const { id: product_id } = await shop.product('paperback')
  const address = { ...someAddress, country: 'GB', state: '', postal_code: 'SW1A 1AA' }
  expect((await buy(user, { product_id, country: 'US' })).code).toBe('purchases.address_needed')
  expect((await buy(user, { product_id, country: 'US', shipping: 0, address })).code).toBe(
    'shipments.price_changed',
  )
  expect(await buy(user, { product_id, address, shipping: 4.9 })).toMatchObject({
    shipping: { country: 'GB', amount: 4.9 },
  })
})

test('an address is corrected within the country that was paid for, and by the author to any', async () => {
  await using shop = await openTestShop({ env: prices })
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  const { id: product_id } = await shop.product('paperback')
  const { id } = await buy(user, { product_id, country: 'US', shipping: 0 })
  const abroad = { ...someAddress, country: 'CA', state: 'ON', postal_code: 'K1A 0A1' }
  const correct = (body: object) => user.call('PUT', `/api/purchases/${id}/address`, { body })
  const refused = await correct(abroad)
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'shipments.other_country', fields: { country: expect.stringContaining('United States') } },
  ])
  expect((await correct(someAddress)).status).toBe(200)
  const path = `/api/admin/shipments/${id}/address`
  expect((await admin.call('PUT', path, { body: abroad })).status).toBe(200)
  expect((await correct({ ...abroad, line1: '8 Barley Road' })).status).toBe(200)
  // What it cost stays with the purchase.
  expect(await charges(shop)).toEqual([{ country: 'US', amount: 0 }])
})

test('an address in the country that was paid for is given and corrected although it is not served any more', async () => {
  await using shop = await openTestShop({ env: { SHIPPING_PRICES: '4.90,CA:12.50' }, hasWorkers: false })
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  const path = '/api/admin/settings/shipping'
  const serve = async (countries: string[]) => {
    const { revision } = (await (await admin.call('GET', path)).json()) as SettingsGroup
    expect((await admin.call('PUT', path, { body: { revision, values: { countries } } })).status).toBe(200)
  }
  await serve(['US', 'CA'])
  const { id: product_id } = await shop.product('paperback')
  const { id } = await buy(user, { product_id, country: 'CA', shipping: 12.5 })
  await serve(['US'])
  const abroad = { ...someAddress, country: 'CA', state: 'ON', postal_code: 'K1A 0A1' }
  for (const line1 of ['7 Barley Road', '8 Barley Road']) {
    const body = { ...abroad, line1 }
    expect((await user.call('PUT', `/api/purchases/${id}/address`, { body })).status).toBe(200)
  }
})

test('at one price everywhere nobody is asked for the country, and it may change', async () => {
  await using shop = await openTestShop({ env: { SHIPPING_COUNTRIES: 'US,CA', SHIPPING_PRICES: '4.90' } })
  const user = await shop.person()
  const { id: product_id, price } = await shop.product('paperback')
  const { id, amount } = await buy(user, { product_id, shipping: 4.9 })
  expect([amount, await charges(shop)]).toEqual([price + 4.9, [{ country: null, amount: 4.9 }]])
  for (const part of [{ country: 'US' }, { country: 'CA', postal_code: 'K1A 0B1' }])
    expect(
      (await user.call('PUT', `/api/purchases/${id}/address`, { body: { ...someAddress, ...part } })).status,
    ).toBe(200)
})

test('free copies are sent free of charge', async () => {
  await using shop = await openTestShop({ env: prices })
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  const { id: product_id } = await shop.product('paperback')
  const body = { product_id, list: user.email, message: '' }
  const given = await admin.call('POST', '/api/admin/gifts', { body })
  expect(given.status).toBe(200)
  expect(await charges(shop)).toEqual([])
})

test('a price that is set on the screen is in force at once, and dropped by none that is not served', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [user, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  const { id: product_id, price } = await shop.product('paperback')
  expect(await buy(user, { product_id })).toMatchObject({ amount: price, shipping: null })
  expect(await charges(shop)).toEqual([])
  const path = '/api/admin/settings/shipping'
  const save = async (values: object) => {
    const { revision } = (await (await admin.call('GET', path)).json()) as SettingsGroup
    return admin.call('PUT', path, { body: { revision, values } })
  }
  for (const wrong of [{ price: -1 }, { price: 4.999 }, { price: 10_000 }, { country_prices: { XX: 1 } }])
    expect((await save(wrong)).status).toBe(422)
  await save({ price: 4.9, country_prices: { US: 3, GB: 9 } })
  expect(await (await shop.call('GET', '/api/shipping')).json()).toEqual({
    asks_address: false,
    countries: ['US'],
    price: 4.9,
    country_prices: { US: 3, GB: 9 },
    takes_payments: false,
    has_tax: false,
  })
  expect((await buy(user, { product_id })).code).toBe('shipments.price_changed')
  expect((await buy(user, { product_id, shipping: 3 })).amount).toBe(price + 3)
})
