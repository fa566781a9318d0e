// Order numbers: given once to each purchase, the same wherever a purchase is shown, and found by search.
import { expect, test } from 'vitest'
import type { Page } from '#contract/fields.ts'
import type { Receipt } from '#contract/orders/purchases.ts'
import type { Order } from '#contract/orders/admin-orders.ts'
import { givePurchases } from '#test/factories.ts'
import { buy, openPaidShop, own, sessionOf, settle } from '#test/paying.ts'
import type { Person } from '#test/users.ts'
import { openTestShop } from '#test/shop.ts'
import { startStripe } from '@lectern/stripe-stand-in'

const numbers = async (admin: Person, query: Record<string, string>) => {
  const response = await admin.call('GET', `/api/admin/purchases?${new URLSearchParams(query)}`)
  return ((await response.json()) as Page<Order>).items.map(({ number }) => number)
}

test('twenty purchases at once have twenty numbers from 1001 on, the same for buyer and admin', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  await Promise.all(Array.from({ length: 20 }, () => admin.buy(id)))

  const bought = await own(admin)
  const given = bought.map(({ number }) => number)
  expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, nth) => 1001 + nth))
  expect(await numbers(admin, {})).toEqual(given)
  const [{ id: purchase_id, number } = { id: '', number: 0 }] = bought
  const receipt = await admin.call('GET', `/api/purchases/${purchase_id}/receipt`)
  expect(((await receipt.json()) as Receipt).number).toBe(number)
  const order = await admin.call('GET', `/api/admin/purchases/${purchase_id}`)
  expect(((await order.json()) as Order).number).toBe(number)
})

test('a search for a number finds that order first, with # nothing else, and on one page only', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await shop.product('digital')
  await admin.buy(id)
  const user = await shop.person({ email: 'user-1001@example.com' })
  await givePurchases(shop.services.db, 60, (n) => ({
    user_id: user.id,
    product_id: id,
    created_at: new Date(Date.now() + n * 1_000),
  }))
  expect(await numbers(admin, { q: '#1001' })).toEqual([1001])
  expect(await numbers(admin, { q: '#1002' })).toEqual([1002])
  expect(await numbers(admin, { q: '#100' })).toEqual([])
  expect(await numbers(admin, { q: '1001', status: 'refunded' })).toEqual([])

  const seen: number[] = []
  for (let after: string | null = ''; after !== null;) {
    const query = new URLSearchParams({ q: '1001', ...(after && { after }) })
    const page: Page<Order> = await (await admin.call('GET', `/api/admin/purchases?${query}`)).json()
    seen.push(...page.items.map(({ number }) => number))
    after = page.next
  }
  expect(seen[0]).toBe(1001)
  expect([seen.length, new Set(seen).size]).toEqual([61, 61])
})

test('the order number is found by its index', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { rows } = await shop.services.database.pool.query<{ 'QUERY PLAN': string }>(
    'explain select * from purchases where number = 1042',
  )
  expect(rows[0]?.['QUERY PLAN']).toContain('using purchases_number')
})

test('the file of all purchases has the number in a column of its own', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await admin.buy((await shop.product('digital')).id)
  const asked = await admin.call('POST', '/api/admin/exports', { body: { list: 'purchases', q: '1001' } })
  const { url } = (await asked.json()) as { url: string }
  const [head, row] = (await (await shop.call('GET', url)).text()).split('\r\n')
  expect(head).toMatch(/^\uFEFF?id,number,date,/)
  expect(row).toMatch(new RegExp(`^${id},1001,`))
})

test('the mails of a purchase and Stripe name its number', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe)
  const user = await shop.person()
  const { id, number: given } = await buy(shop, user)
  const number = `#${given}`
  expect(number).toMatch(/^#\d{4}$/)
  const { rows } = await shop.services.database.pool.query('select asked from checkouts')
  expect(rows).toMatchObject([
    {
      asked: {
        metadata: { order: number },
        payment_intent_data: {
          description: expect.stringContaining(`Order ${number}`),
          metadata: { order: number },
        },
      },
    },
  ])

  stripe.pay(sessionOf(stripe, id).id)
  expect(await settle(user, id)).toBe('completed')
  const receipt = await shop.mailbox.to(user.email, /receipt/)
  expect(receipt.text?.replaceAll(/\s+/g, ' ')).toContain(`Order ${number}`)

  await user.call('POST', `/api/purchases/${id}/refund`, { body: {} })
  const refund = await shop.mailbox.to(user.email, /Your refund for/)
  expect(refund.text?.replaceAll(/\s+/g, ' ')).toContain(`Order ${number}`)
})
