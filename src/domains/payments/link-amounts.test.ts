// Amounts of what Link has sold: what was paid stays the sum, Link's tax stands apart, and both follow refunds.
import { expect, test } from 'vitest'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'
import { beginOfLink, buyAndPay, openPaidShop, own, sellByLink, sessionOf, settle } from '#test/paying.ts'
import { soon } from '#test/retries.ts'
import { readSums } from '#test/sales-sums.ts'
import type { TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import { fromCents } from '#contract/money.ts'
import type { SalesReport, SalesTotals } from '#contract/reports/sales.ts'
import { idOf } from '#platform/stripe/conversions.ts'

type Bought = { id: string; intent: string; user: Person }

async function buyOfLink(
  shop: TestShop,
  stripe: StripeStandIn,
  payment: Parameters<StripeStandIn['pay']>[1],
): Promise<Bought> {
  const user = await shop.person()
  const { id } = (await (await beginOfLink(shop, user)).json()) as PurchaseMade
  const session = sessionOf(stripe, id)
  stripe.pay(session.id, payment)
  expect(await settle(user, id)).toBe('completed')
  return { id, intent: idOf(session.payment_intent) ?? '', user }
}

const read = async <Result>(admin: Person, path: string) =>
  (await (await admin.call('GET', `/api/admin/${path}`)).json()) as Result

async function readCsv(shop: TestShop, admin: Person, body: object): Promise<Record<string, string>[]> {
  const { url } = (await (await admin.call('POST', '/api/admin/exports', { body })).json()) as { url: string }
  const [head = '', ...lines] = (await (await shop.call('GET', url)).text()).trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])))
}

const sumOf = (amounts: readonly number[]) =>
  Math.round(amounts.reduce((sum, each) => sum + each * 100, 0)) / 100

test('the sums of a year with both sellers are those of the ledger at Stripe, refunds included', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  const admin = await shop.person({ role: 'admin' })
  // Shares of taxes that do not come out even, on and within the price, refunded in parts, in whole, and not after all.
  const taxes = [0, 1, 74, 79, 119, 124, 239, 250, 277]
  const parts = [[], [1], [333, 334, 335], [500], [749, 1], [1499]]
  const orders: Bought[] = []
  for (const [at, tax] of taxes.entries()) {
    const bought = await buyOfLink(shop, stripe, {
      tax,
      isTaxIncluded: at % 2 === 0,
      discount: at === 4 ? 300 : 0,
    })
    orders.push(bought)
    for (const part of parts[at % parts.length] ?? []) {
      const left = stripe.intents.get(bought.intent)!.amount
      if (part < left) stripe.refund(bought.intent, part)
      await settle(bought.user, bought.id)
    }
  }
  const [whole, failing] = [orders[6]!, orders[7]!]
  stripe.refund(whole.intent)
  stripe.failRefund(stripe.refund(failing.intent, 700).id)
  for (const { user, id } of [whole, failing]) await settle(user, id)
  for (const format of ['paperback', 'hardcover']) {
    const user = await shop.person()
    orders.push({ id: await buyAndPay(shop, stripe, user, format), intent: '', user })
  }

  const paid = [...stripe.intents.values()].reduce((sum, { amount }) => sum + amount, 0)
  const back = stripe.refunds.reduce((sum, { amount, status }) => sum + (status === 'failed' ? 0 : amount), 0)
  const withheld = stripe.withheld.reduce((sum, { tax }) => sum + tax, 0)
  expect(withheld).toBeGreaterThan(0)
  const { total, by_format } = await read<SalesReport>(admin, 'sales/report?range=year')
  expect(total).toMatchObject({ revenue: (paid - back) / 100, link_tax: withheld / 100 })
  expect(by_format.find(({ format }) => format === 'paperback')).toMatchObject({ link_tax: 0 })
  // The specification's sum.
  const { totals } = await read<{ totals: SalesTotals }>(admin, 'sales')
  expect(totals.total_revenue).toBe((paid - back) / 100)

  const heldOf = (intent: string) =>
    stripe.withheld
      .filter(({ payment_intent }) => payment_intent === intent)
      .reduce((sum, { tax }) => sum + tax, 0)
  for (const { id, intent } of orders) {
    const { link_tax, amount, sold_by } = await read<OrderDetail>(admin, `purchases/${id}`)
    expect(link_tax).toBe(intent ? heldOf(intent) / 100 : null)
    expect([amount, sold_by]).toEqual([expect.any(Number), intent ? 'stripe' : 'author'])
  }
  const rows = await readCsv(shop, admin, { list: 'purchases' })
  expect(sumOf(rows.map(({ kept }) => Number(kept)))).toBe((paid - back) / 100)
  expect(rows.filter((row) => row['sold_by'] === 'Link' && row['tax'])).toEqual([])
  expect(sumOf(rows.map(({ link_tax }) => Number(link_tax)))).toBe(withheld / 100)
  expect(sumOf(rows.map((row) => Number(row['kept_without_link_tax'])))).toBe((paid - back - withheld) / 100)
  expect(new Set(rows.map(({ sold_by }) => sold_by))).toEqual(new Set(['Link', 'author']))
  const [days] = await readCsv(shop, admin, { list: 'sales', table: 'steps', range: 'year', by: 'month' })
  expect(days).toMatchObject({ link_tax: fromCents(BigInt(withheld)).toFixed(2) })

  const { kept, counted } = await readSums(shop.services.database)
  expect(kept).toEqual(counted)
  await shop.services.database.pool.query('select sums_rebuild()')
  expect((await readSums(shop.services.database)).kept).toEqual(kept)
})

test('a shop in which Link has sold nothing has the columns that it had', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  await buyAndPay(shop, stripe, await shop.person())
  const [row] = await readCsv(shop, admin, { list: 'purchases' })
  expect(Object.keys(row!).filter((name) => /link|sold_by/.test(name))).toEqual([])
  const [day] = await readCsv(shop, admin, { list: 'sales', table: 'steps', range: '7' })
  expect(Object.keys(day!).filter((name) => /link/.test(name))).toEqual([])
})

test('a session and its refund are read in their own currency; what the buyer saw is only shown', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  const admin = await shop.person({ role: 'admin' })
  const presented = { amount: 234_567, currency: 'jpy' }
  const { id, intent, user } = await buyOfLink(shop, stripe, { tax: 124, presented })
  const refund = stripe.refund(intent, 500)
  expect(refund).toMatchObject({ currency: 'usd', presentment_details: { presentment_currency: 'jpy' } })
  await settle(user, id)
  const order = await read<OrderDetail>(admin, `purchases/${id}`)
  expect(order).toMatchObject({
    amount: 14.99,
    refunded: 5,
    currency: 'usd',
    presented,
    status: 'partially_refunded',
  })
  const mail = await shop.mailbox.to(user.email, /^Your refund/)
  expect(mail.text).toContain('$5.00')
  expect((await shop.mailbox.to(user.email, /receipt/)).text).toContain('$14.99 (paid as ¥234,567)')
})

test('a refund by Link ends the access, also where the buyer had given up the right of withdrawal', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  sellByLink(shop)
  const { id, intent, user } = await buyOfLink(shop, stripe, { tax: 74 })
  await shop.mailbox.to(user.email, /receipt/)
  const { pool } = shop.services.database
  await pool.query(`insert into consents (purchase_id, text) values ($1, 'At once')`, [id])
  const isSentBefore = `update mails set sent_at = now() - interval '1 hour', status = 'sent' where purchase_id = $1`
  await soon(shop, async () => (await pool.query(isSentBefore, [id])).rowCount).toBe(1)
  await pool.query('update purchases set refund_days = 0 where id = $1', [id])
  const download = () => user.call('POST', `/api/purchases/${id}/download`, { body: {} })
  const { url } = (await (await download()).json()) as { url: string }
  await (await shop.call('GET', url)).arrayBuffer()
  await pool.query(`update downloads set started_at = now() - interval '1 minute'`)
  const [before] = await own(user)
  expect(before).toMatchObject({ is_refundable: false, status: 'completed' })
  stripe.refund(intent)
  expect(await settle(user, id)).toBe('refunded')
  expect((await download()).status).toBeGreaterThanOrEqual(400)
  const mail = await shop.mailbox.to(user.email, /^Your refund/)
  expect(mail.text).toMatch(/goes back to you from Link/)
  expect(mail.text).not.toMatch(/We refund you|The author sends/)
})
