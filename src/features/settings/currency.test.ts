// The currency of the shop: in all that it says and charges, and the same one once something was sold.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { currencyCodes, leastCharges } from '#platform/contract/currencies.ts'
import { chargeLimits, isChargeable } from '../payments/contract/charge-limits.ts'
import type { AttentionList } from '../payments/contract/needs-attention.ts'
import type { AdminProduct } from '../products/contract/admin-products.ts'
import type { OrderDetail } from '../orders/contract/orders.ts'
import type { Receipt } from '../purchases/contract/receipts.ts'
import { changePurchase, giveRefund } from '#test/factories.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { buy, buyAndPay, openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { SettingsGroup } from './contract/settings.ts'

const read = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/settings/shop')).json()) as SettingsGroup

async function change(admin: Person, currency: string) {
  const { revision } = await read(admin)
  const body = { revision, values: { currency } }
  const response = await admin.call('PUT', '/api/admin/settings/shop', { body })
  const { code, fields } = (await response.json()) as { code?: string; fields?: Record<string, string> }
  return { status: response.status, ...(code && { code }), ...(fields && { fields }) }
}

const orderOf = async (admin: Person, id: string) =>
  (await (await admin.call('GET', `/api/admin/purchases/${id}`)).json()) as OrderDetail

const currenciesIn = async ({ services }: Pick<TestShop, 'services'>) =>
  (
    await services.database.pool.query<{ currency: string }>('select currency from purchases order by number')
  ).rows.map(({ currency }) => currency)

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
  expect(await csv.text()).toMatch(/,12\.99,0\.00,12\.99,EUR,\r?\n$/)

  await admin.call('POST', `/api/admin/purchases/${id}/refund`, {
    body: { amount: 2.99, refunded: 0, reason: '' },
  })
  const refund = await shop.mailbox.to(user.email, /Your refund/)
  for (const words of ['€2.99', '€10.00']) expect(refund.text).toContain(words)
  expect(stripe.refunds).toMatchObject([{ amount: 299, currency: 'eur' }])
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
    const least = leastCharges[code]
    expect(isChargeable(least, code) && isChargeable(0, code)).toBe(true)
    expect(isChargeable(least - 0.01, code) || isChargeable(1_000_000, code)).toBe(false)
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
    const statuses = [await ask(least * 100), await ask(least * 100 - 1)].map(({ status }) => status)
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
  await shop.services.database.pool.query('update products set price = 14.99 where id = $1', [id])
  const attention = await admin.call('GET', '/api/admin/payments')
  expect(((await attention.json()) as AttentionList).faults).toMatchObject([{ kind: 'price', words }])
})

test('test orders, free copies and what was never paid leave the choice; an order binds it', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const paid = await buyAndPay(shop, stripe, user)
  const open = await buy(shop, await shop.person())
  expect(await read(admin)).toMatchObject({ values: { currency: 'usd' }, locked: {} })
  expect(await change(admin, 'jpy')).toMatchObject({ status: 422, fields: { currency: expect.any(String) } })
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

test('an admin’s own purchase while no money is taken leaves the choice; then it is in no sum', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const totals = async () =>
    ((await (await admin.call('GET', '/api/admin/sales')).json()) as { totals: Record<string, number> })
      .totals
  const sold = async () => {
    const products = (await (await admin.call('GET', '/api/admin/products')).json()) as AdminProduct[]
    return products.find(({ id }) => id === product_id)?.sold
  }
  const { id: product_id } = await shop.product('digital')
  const { id } = await admin.buy(product_id)
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
  expect(await change(admin, 'usd')).toMatchObject({ code: 'settings.currency_fixed' })
  const { pool } = shop.services.database
  await pool.query('select sums_rebuild()')
  expect(await totals()).toMatchObject({ total_revenue: 14.99, total_purchases: 1 })
  await pool.query('delete from purchases')
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
  await giveRefund(shop.services.db, id, 1)
  expect(await currenciesIn(shop)).toEqual(['eur'])
  await expect(start('chf')).rejects.toThrow(
    'The currency is CHF, but this shop has sold in EUR, and a shop has one currency: start it with CURRENCY=EUR.',
  )
  await using again = await start('eur')
  expect(again.services.settings.get().shop.currency).toBe('eur')
  await expect(openTestShop({ env: { CURRENCY: 'JPY' } })).rejects.toThrow('CURRENCY must be one of AED, AUD')
})
