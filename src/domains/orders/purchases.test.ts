// Rules of buying and of one's own purchases, as a user's program meets them.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ProblemDocument } from '#contract/problems.ts'
import { ownPurchases, purchase, type Purchase } from '#contract/orders/purchases.ts'
import { given } from '#test/given.ts'
import type { Person } from '#test/users.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'

function buy(user: Person, body: unknown, key?: string): Promise<Response> {
  return user.call('POST', '/api/purchases', {
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
}

async function countPurchases({ services }: TestShop): Promise<number> {
  const { rows } = await services.database.pool.query<{ n: number }>('select count(*) as n from purchases')
  return rows[0]!.n
}

async function codeOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  return ((await response.json()) as ProblemDocument).code
}

test('price, buyer and status are the server’s, and a body that names them is refused', async () => {
  await using shop = await openTestShop()
  const user = await shop.person()
  const product = await shop.product('hardcover')

  const response = await buy(user, { product_id: product.id })
  expect(response.status).toBe(201)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const made = purchase.parse(await response.json())
  expect(made).toMatchObject({ amount: 39.99, status: 'completed', product: { id: product.id } })
  const { rows } = await shop.services.database.pool.query('select * from purchases')
  expect(rows).toMatchObject([{ id: made.id, user_id: user.id, product_id: product.id, amount: 39.99 }])

  const wishes = [{ amount: 0.01 }, { price: 0 }, { user_id: randomUUID() }, { status: 'pending' }]
  for (const wish of wishes) {
    const refused = await buy(user, { product_id: product.id, ...wish })
    expect(refused.status).toBe(422)
    const { code, fields } = (await refused.json()) as ProblemDocument
    expect(code).toBe('request.invalid')
    expect(fields?.['body']).toContain(Object.keys(wish)[0])
  }
  for (const body of [{}, null, [], '"a book"', { product_id: 7 }, { product_id: 'x' }]) {
    expect((await buy(user, body)).status).toBe(422)
  }
  expect(await codeOf(await buy(user, { product_id: randomUUID() }))).toBe('products.not_found')
  expect(await countPurchases(shop)).toBe(1)
})

test('an Idempotency-Key buys once for its user; without one the same product is bought again', async () => {
  await using shop = await openTestShop()
  const [user, other] = [await shop.person(), await shop.person()]
  const [digital, bundle] = [await shop.product('digital'), await shop.product('bundle')]
  const key = randomUUID()

  const first = await buy(user, { product_id: digital.id }, key)
  expect(first.status).toBe(201)
  const made = (await first.json()) as Purchase

  await given.price(shop, 'digital', 99)
  const again = await buy(user, { product_id: digital.id }, key)
  expect(again.status).toBe(200)
  expect(await again.json()).toEqual(made)

  const reused = await buy(user, { product_id: bundle.id }, key)
  expect([reused.status, await codeOf(reused)]).toEqual([409, 'purchases.key_reused'])

  const others = await buy(other, { product_id: digital.id }, key)
  expect(others.status).toBe(201)
  const othersPurchase = (await others.json()) as Purchase
  expect(othersPurchase.id).not.toBe(made.id)
  expect(othersPurchase.amount).toBe(99)

  expect((await buy(user, { product_id: digital.id })).status).toBe(201)
  expect((await buy(user, { product_id: digital.id })).status).toBe(201)
  expect(await countPurchases(shop)).toBe(4)

  for (const bad of ['short', 'x'.repeat(129), 'with a space in it', 'umlaut-ü-umlaut']) {
    expect((await buy(user, { product_id: digital.id }, bad)).status).toBe(422)
  }
  expect(await countPurchases(shop)).toBe(4)
})

test('forty presses at the same moment with one key are one purchase and one receipt', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const user = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const key = randomUUID()
  const responses = await Promise.all(Array.from({ length: 40 }, () => buy(user, { product_id }, key)))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(39)
  expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1)
  expect(await countPurchases(shop)).toBe(1)
  await shop.mailbox.to(user.email)
  expect(await unfinishedJobs(shop)).toBe(0)
  expect(await shop.mailbox.all()).toHaveLength(1)
})

async function unfinishedJobs({ services }: TestShop): Promise<number> {
  await services.queue.stop()
  const { rows } = await services.database.pool.query<{ n: number }>(
    `select count(*) as n from pgboss.job where name = 'mail.receipt' and state <> 'completed'`,
  )
  return rows[0]!.n
}

test('the own list has the newest first, each with the formats it can be had in, and nobody else’s', async () => {
  await using shop = await openTestShop()
  const [user, other] = [await shop.person(), await shop.person()]
  const formats = ['digital', 'paperback', 'bundle', 'digital']
  for (const format of formats) await user.buy((await shop.product(format)).id)
  await other.buy((await shop.product('hardcover')).id)

  const response = await user.call('GET', '/api/purchases')
  const text = await response.text()
  const { items: own, next, totals } = ownPurchases.parse(JSON.parse(text))
  expect([next, totals]).toEqual([null, { purchases: 4, digital: 3 }])
  expect(own.map(({ product }) => product.format)).toEqual(formats.toReversed())
  for (const { id, product } of own) {
    const isDigital = product.format !== 'paperback'
    expect(product.is_digital).toBe(isDigital)
    const bonus = product.format === 'bundle' ? ['pdf'] : []
    expect(product.files.map(({ file_format }) => file_format)).toEqual(
      isDigital ? ['epub', 'pdf', ...bonus] : [],
    )
    expect(product.download_url).toBe(isDigital ? `/api/purchases/${id}/download` : null)
  }
  expect(text).not.toMatch(/ebooks|file_path|user_id|idempotency/)
  const none = { items: [], next: null, totals: { purchases: 0, digital: 0 } }
  expect(await (await (await shop.person()).call('GET', '/api/purchases')).json()).toEqual(none)
})

test('one account buys thirty times in ten minutes at most; another is not held up by it', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [eager, calm] = [await shop.person(), await shop.person()]
  const { id: product_id } = await shop.product('digital')
  const statuses = await Promise.all(
    Array.from({ length: 36 }, async () => (await buy(eager, { product_id })).status),
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(30)
  const refused = await buy(eager, { product_id })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await codeOf(refused)).toBe('request.rate_limited')
  expect((await buy(calm, { product_id })).status).toBe(201)
})

test('one address buys six hundred times in ten minutes at most, whatever the account', async () => {
  await using shop = await openTestShop({ env: { TRUST_PROXY: '1' }, hasWorkers: false })
  const [first, second] = [await shop.person(), await shop.person()]
  const { id: product_id } = await shop.product('digital')
  const buyFrom = (user: Person, ip: string) =>
    user.call('POST', '/api/purchases', { body: { product_id }, headers: { 'x-forwarded-for': ip } })
  expect((await buyFrom(first, '192.0.2.1')).status).toBe(201)
  await shop.services.database.pool.query(
    "update rate_limits set hits = 598 where key = 'purchases:ip:192.0.2.1'",
  )
  for (const user of [first, second]) expect((await buyFrom(user, '192.0.2.1')).status).toBe(201)
  for (const user of [first, second]) {
    const refused = await buyFrom(user, '192.0.2.1')
    expect(await codeOf(refused)).toBe('request.rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await buyFrom(first, '192.0.2.2')).status).toBe(201)
})
