// A free order is taken back: by its reader until the book is out, by the author until its parcel leaves.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import type { OrderDetail, ShipmentList } from '#contract/orders/admin-orders.ts'
import type { Today } from '#contract/overview/today.ts'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import { someAddress } from '#test/addresses.ts'
import { countAttentionItems, listAuditEvents, press } from '#test/needs.ts'
import { begin, openPaidShop, sessionOf, settle } from '#test/paying.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { settlePurchase } from './settle.ts'

const read = async <Body>(person: Person, path: string) =>
  (await (await person.call('GET', path)).json()) as Body
const own = async (person: Person) => (await read<OwnPurchases>(person, '/api/purchases')).items
const order = (admin: Person, id: string) => read<OrderDetail>(admin, `/api/admin/purchases/${id}`)
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

/** The products of the sample have a price. */
async function orderFree(shop: TestShop, person: Person, product_id: string) {
  const { pool } = shop.services.database
  await pool.query('update products set price = 0 where id = $1', [product_id])
  return person.buy(product_id, { address: someAddress })
}

test('a reader takes a free pre-order back until it is out, once, and it counts nowhere any more', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const [admin, reader, other] = [
    await shop.person({ role: 'admin' }),
    await shop.person(),
    await shop.person(),
  ]
  const { id: product_id } = await shop.product('hardcover')
  await pool.query('insert into stock (product_id, copies) values ($1, 5)', [product_id])
  await pool.query('update products set release_on = shop_day() + 9 where id = $1', [product_id])
  const { id } = await orderFree(shop, reader, product_id)
  const kept = await orderFree(shop, reader, product_id)
  const copies = async () => (await pool.query('select copies from stock')).rows
  expect(await copies()).toEqual([{ copies: 3 }])
  expect(await own(reader)).toMatchObject([{ can_take_back: true }, { can_take_back: true }])

  const takeBack = (person: Person, purchase_id = id) =>
    person.call('POST', `/api/purchases/${purchase_id}/refund`, { body: {} })
  expect((await takeBack(other)).status).toBe(404)
  const twice = await Promise.all([takeBack(reader), takeBack(reader)])
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  expect(await order(admin, id)).toMatchObject({ status: 'canceled', can_take_back: false })
  expect(await listAuditEvents(shop)).toEqual(['purchases.taken_back'])
  expect(await copies()).toEqual([{ copies: 4 }])
  const waiting = await read<ShipmentList>(admin, '/api/admin/shipments?view=pre_orders')
  expect(waiting.items.map(({ purchase_id }) => purchase_id)).toEqual([kept.id])
  expect((await read<Today>(admin, '/api/admin/today')).sales).toMatchObject({ sold: 0, free: 1 })

  await pool.query('update products set release_on = shop_day() where id = $1', [product_id])
  expect(await own(reader)).toMatchObject([{ id: kept.id, can_take_back: false }])
  expect(await codeOf(await takeBack(reader, kept.id))).toBe('purchases.not_refundable')
})

test('the author takes a free order back until its parcel leaves, and its reader is told', async () => {
  await using shop = await openTestShop()
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id: product_id } = await shop.product('paperback')
  const [unwanted, sent] = [
    await orderFree(shop, reader, product_id),
    await orderFree(shop, reader, product_id),
  ]
  const takeBack = (id: string) => admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: {} })
  const ship = (id: string) =>
    admin.call('POST', '/api/admin/shipments/shipped', { body: { parcels: [{ purchase_id: id }] } })

  await ship(sent.id)
  expect(await order(admin, sent.id)).toMatchObject({ can_take_back: false })
  expect(await codeOf(await takeBack(sent.id))).toBe('purchases.not_refundable')

  expect(await order(admin, unwanted.id)).toMatchObject({ can_take_back: true })
  const money = { body: { amount: 5 } }
  const refund = await admin.call('POST', `/api/admin/purchases/${unwanted.id}/refund`, money)
  expect(await codeOf(refund)).toBe('purchases.not_refundable')
  const answers = await Promise.all([takeBack(unwanted.id), takeBack(unwanted.id)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409])
  const mail = await shop.mailbox.to(reader.email, /was taken back/)
  expect(mail.text).toContain('It cost you nothing')
  expect(await (await ship(unwanted.id)).json()).toEqual({ shipped: [], skipped: [unwanted.id] })
  expect(await own(reader)).toMatchObject([{ id: sent.id }])
})

test('a file of a free order opens no more once it is taken back; a paid order and a given copy are none', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id: product_id } = await shop.product('digital')
  const paid = await reader.buy(product_id)
  expect(await order(admin, paid.id)).toMatchObject({ can_take_back: false })
  const { id } = await orderFree(shop, reader, product_id)
  const download = () => reader.call('POST', `/api/purchases/${id}/download`, { body: {} })
  expect((await download()).status).toBe(200)
  await pool.query('update purchases set is_given = true where id = $1', [id])
  expect(await order(admin, id)).toMatchObject({ can_take_back: false })
  await pool.query('update purchases set is_given = false where id = $1', [id])
  expect((await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: {} })).status).toBe(202)
  expect((await download()).status).not.toBe(200)
})

test('no event of a checkout that a code of Stripe left free brings the order back once it is taken back', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = (await (await begin(shop, reader)).json()) as { id: string }
  const session = sessionOf(stripe, id)
  stripe.pay(session.id, { discount: 1499 })
  expect(await settle(reader, id)).toBe('completed')
  expect(await order(admin, id)).toMatchObject({ amount: 0, can_take_back: true })
  expect((await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: {} })).status).toBe(202)

  expect(await settlePurchase(shop.services, id)).toBe('canceled')
  expect(await countAttentionItems(admin)).toMatchObject({ count: 0 })
  expect(await order(admin, id)).toMatchObject({ status: 'canceled', dismissed: null })
  expect((await press(admin, `held/${id}/accept`)).status).toBe(409)
  expect((await press(admin, `dismissed/${id}/accept`)).status).toBe(409)
  expect(await order(admin, id)).toMatchObject({ status: 'canceled' })
})
