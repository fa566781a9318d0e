// A user's own purchases: page by page, with totals of all of them, and whether one product is among them.
import { expect, test } from 'vitest'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import { changePurchase, givePurchases } from '#test/factories.ts'
import { openTestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'

async function list(buyer: Person, query = ''): Promise<OwnPurchases> {
  const response = await buyer.call('GET', `/api/purchases${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as OwnPurchases
}

test('five thousand purchases come in pages of fifty, each once, newest first', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const buyer = await shop.person()
  const [digital, paperback] = [await shop.product('digital'), await shop.product('paperback')]
  // Three in one microsecond: the id decides between them.
  await pool.query('alter table purchases disable trigger user')
  await pool.query(
    `insert into purchases (id, user_id, product_id, amount, status, created_at)
     select gen_random_uuid(), $1, case when n % 5 = 0 then $3::uuid else $2::uuid end, 1, 'completed',
       now() - interval '1 microsecond' * (n / 3) from generate_series(1, 5000) n`,
    [buyer.id, digital.id, paperback.id],
  )
  await pool.query('analyze purchases')
  const seen: string[] = []
  const times: string[] = []
  let next: string | null = ''
  do {
    const page: OwnPurchases = await list(buyer, next && `?after=${encodeURIComponent(next)}`)
    expect(page.items.length).toBe(50)
    expect(page.totals).toEqual({ purchases: 5_000, digital: 4_000 })
    for (const { id, created_at } of page.items) {
      seen.push(id)
      times.push(created_at)
    }
    next = page.next
  } while (next !== null)
  expect(new Set(seen).size).toBe(5_000)
  expect(times).toEqual(times.toSorted().toReversed())
  const { rows } = await pool.query<{ id: string }>(
    'select id from purchases where user_id = $1 order by created_at desc, id desc',
    [buyer.id],
  )
  expect(seen).toEqual(rows.map(({ id }) => id))
})

test('canceled purchases are not counted, and fill no page that others could', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const buyer = await shop.person()
  const { id: product_id } = await shop.product('digital')
  await buyer.buy(product_id)
  const longAgo = Date.now() - 8 * 24 * 3_600_000
  await givePurchases(shop.services.db, 120, (n) => ({
    user_id: buyer.id,
    product_id,
    status: 'canceled',
    created_at: new Date(longAgo + n * 1_000),
  }))
  const { items, next, totals } = await list(buyer)
  expect(items).toHaveLength(1)
  expect([next, totals]).toEqual([null, { purchases: 1, digital: 1 }])
})

test('whether a product is owned does not depend on the page: by itself, in a bundle, and while it gives something', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { db } = shop.services
  const [buyer, other] = [await shop.person(), await shop.person()]
  const [digital, paperback, bundle] = [
    await shop.product('digital'),
    await shop.product('paperback'),
    await shop.product('bundle'),
  ]
  const owns = async (product_id: string) => (await list(buyer, `?gives=${product_id}`)).items.length
  const { id } = await buyer.buy(digital.id)
  await other.buy(paperback.id)
  const refunded = { user_id: buyer.id, product_id: paperback.id, status: 'refunded' } as const
  await givePurchases(db, 60, () => refunded)
  expect([await owns(digital.id), await owns(paperback.id), await owns(bundle.id)]).toEqual([1, 0, 0])
  await changePurchase(db, id, { status: 'refunded' })
  expect(await owns(digital.id)).toBe(0)
  await buyer.buy(bundle.id)
  expect([await owns(digital.id), await owns(paperback.id), await owns(bundle.id)]).toEqual([1, 1, 1])
  expect((await buyer.call('GET', '/api/purchases?gives=x')).status).toBe(422)
})
