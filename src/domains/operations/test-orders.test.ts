// Test orders: marked, and in no sum once the shop has taken money.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import type { Page } from '#contract/paging.ts'
import { buy, buyAndPay, openPaidShop } from '#test/paying.ts'
import type { Order } from '#contract/payments/orders.ts'
import type { Sales } from '#contract/operations/sales.ts'
import { leaveOutTests } from './sums-settings.ts'

test('test orders are marked, and leave the sums for good when the shop takes money', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { database } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const sales = async () => (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  const id = await buyAndPay(shop, stripe, user)
  expect((await sales()).totals).toMatchObject({ total_revenue: 14.99, completed_purchases: 1 })
  const listed = (await (await admin.call('GET', '/api/admin/purchases')).json()) as Page<Order>
  expect(listed.items).toMatchObject([{ id, is_test: true }])

  await leaveOutTests(database)
  const nothing = { total_revenue: 0, total_purchases: 0, completed_purchases: 0 }
  expect((await sales()).totals).toMatchObject(nothing)
  // Later changes of test orders, and later test orders, stay out as well.
  await database.pool.query(`update purchases set created_at = created_at - interval '3 days'`)
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 5, reason: '' } })
  await buy(shop, user, 'bundle')
  expect((await sales()).totals).toMatchObject(nothing)
  const { rows } = await database.pool.query(
    'select total_purchases, total_spent from user_sums where user_id = $1',
    [user.id],
  )
  expect(rows).toEqual([{ total_purchases: 0, total_spent: 0 }])
  await database.pool.query('select sums_rebuild()')
  expect((await sales()).totals).toMatchObject(nothing)
  await database.pool.query('delete from purchases')
  expect((await sales()).totals).toMatchObject(nothing)
})

test('a test order that the version before has made beside this one leaves the sums as well', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { database } = shop.services
  const admin = await shop.person({ role: 'admin' })
  await buyAndPay(shop, stripe, await shop.person())
  await database.pool.query('update purchases set is_test = false')
  await leaveOutTests(database)
  const { totals } = (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  expect(totals).toMatchObject({ total_revenue: 0, total_purchases: 0 })
  const { rows } = await database.pool.query('select is_test from purchases')
  expect(rows).toEqual([{ is_test: true }])
})
