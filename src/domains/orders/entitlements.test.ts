// What a purchase gives: every state of it, on every way to the bytes, for every person.
import { afterAll, expect, test } from 'vitest'
import { purchaseStatuses, type PurchaseStatus } from '#contract/orders/purchase-status.ts'
import { giveCheckout, giveRefundRequest } from '#test/factories.ts'
import { openTestShop } from '#test/shop.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

type Statuses = { download: number; link: number; receipt: number; refund: number }

/** The status that each route gives to the buyer of a purchase in each state. */
const statuses: Record<PurchaseStatus, Statuses> = {
  pending: { download: 409, link: 409, receipt: 409, refund: 409 },
  completed: { download: 200, link: 200, receipt: 200, refund: 200 },
  partially_refunded: { download: 200, link: 200, receipt: 200, refund: 200 },
  refunded: { download: 409, link: 409, receipt: 200, refund: 409 },
  canceled: { download: 409, link: 409, receipt: 409, refund: 409 },
  disputed: { download: 409, link: 409, receipt: 200, refund: 409 },
}

test('each state of a purchase opens or closes each of its routes, and only for its buyer', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { pool } = shop.services.database
  const buyer = await shop.person()
  const others = { other: await shop.person(), admin: await shop.person({ role: 'admin' }), nobody: shop }
  const { id } = await buyer.buy((await shop.product('digital')).id)
  await giveCheckout(shop.services.db, { purchase_id: id, payment_intent: 'pi_1' })
  const routes = {
    download: ['POST', `/api/purchases/${id}/download`, {}],
    receipt: ['GET', `/api/purchases/${id}/receipt`, undefined],
    settle: ['POST', `/api/purchases/${id}/settle`, {}],
    refund: ['POST', `/api/purchases/${id}/refund`, {}],
  } as const
  const request = async (person: Pick<typeof shop, 'call'>, route: keyof typeof routes) => {
    const [method, path, body] = routes[route]
    return (await person.call(method, path, { body })).status
  }
  const requested = await buyer.call('POST', routes.download[1], { body: {} })
  const { url } = (await requested.json()) as { url: string }
  for (const status of purchaseStatuses) {
    await pool.query('update purchases set status = $1', [status])
    await pool.query('delete from refund_requests; delete from withdrawals')
    for (const [who, person] of Object.entries(others))
      for (const route of Object.keys(routes) as (keyof typeof routes)[])
        expect([status, who, route, await request(person, route)]).toEqual([
          status,
          who,
          route,
          who === 'nobody' ? 401 : 404,
        ])
    expect([status, await request(buyer, 'settle')]).toEqual([status, 200])
    const actual = {
      download: await request(buyer, 'download'),
      link: (await shop.call('GET', url)).status,
      receipt: await request(buyer, 'receipt'),
      refund: await request(buyer, 'refund'),
    }
    expect([status, actual]).toEqual([status, statuses[status]])
    // All of it asked back: the file is closed, the receipt stays.
    if (actual.refund === 200)
      expect([await request(buyer, 'download'), await request(buyer, 'receipt')]).toEqual([409, 200])
  }
})

test('a bundle gives the files of its parts, also those that come later', async () => {
  const { pool } = shop.services.database
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('bundle')).id)
  await pool.query(
    `delete from product_files where product_id in (select id from products where format = 'bundle')`,
  )
  const request = () => user.call('POST', `/api/purchases/${id}/download`, { body: { file_format: 'epub' } })
  const part = (await (await request()).json()) as { url: string; file_name: string }
  expect((await shop.call('GET', part.url)).status).toBe(200)
  // One that was made another product's kind gives its own files only, though its parts are still written down.
  await pool.query(`update products set format = 'paperback', is_digital = false where format = 'bundle'`)
  expect((await request()).status).toBe(404)
  await pool.query(`update products set format = 'bundle', is_digital = true where name like '%(Bundle)'`)
  expect((await request()).status).toBe(200)
  await pool.query('delete from bundle_items')
  expect((await request()).status).toBe(404)
})

test('access ends when all the money is asked back, not when a part is', async () => {
  const { pool } = shop.services.database
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('digital')).id)
  const request = async () => (await user.call('POST', `/api/purchases/${id}/download`, { body: {} })).status
  await giveRefundRequest(shop.services.db, id, 5)
  expect(await request()).toBe(200)
  await pool.query('delete from refund_requests')
  await giveRefundRequest(shop.services.db, id, 14.99)
  expect(await request()).toBe(409)
})
