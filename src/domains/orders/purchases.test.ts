// Rules of buying and of one's own purchases, as a user's program meets them.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import type { ProblemDocument } from '#contract/problems.ts'
import { ownPurchases, purchase, type Purchase, type OwnPurchases } from '#contract/orders/purchases.ts'
import { isCompleted, purchaseStatuses } from '#contract/orders/purchase-status.ts'
import { given } from '#test/given.ts'
import type { Person } from '#test/users.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { changePurchase, givePurchases } from '#test/factories.ts'
import { sql } from 'drizzle-orm'
import { recordStatements } from '#test/statements.ts'
import { startWorkers } from '../../jobs.ts'

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

// A user's own purchases: page by page, with totals of all of them, and whether one product is among them.

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
  const longAgo = Date.now() - 8 * dayMs
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

test('the database and the code agree on which statuses are completed', async () => {
  await using shop = await openTestShop()
  for (const status of purchaseStatuses) {
    const { rows } = await shop.services.db.execute(sql`select is_completed(${status}) as completed`)
    expect({ status, ...rows[0] }).toEqual({ status, completed: isCompleted(status) })
  }
})

// The cost of a purchase and of its receipt in SQL statements: unlike a duration, the same on every machine.

async function openBuyer(shop: TestShop) {
  const { token } = await shop.person()
  const { id: product_id } = await shop.product('digital')
  return async (): Promise<string> => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const response = await shop.call('POST', '/api/purchases', { token, headers, body: { product_id } })
    expect(response.status).toBe(201)
    return ((await response.json()) as { id: string }).id
  }
}

test('a free purchase takes eight statements, begin and commit included', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const buy = await openBuyer(shop)
  await buy()
  using recorded = recordStatements()
  await buy()
  const own = recorded.all().filter(({ application }) => application === 'lectern')
  expect(own).toHaveLength(8)
})

test('a receipt takes three statements, one of them to end its job', async () => {
  // Without it, one more finds the address of the first admin.
  const env = { ADMIN_EMAIL: 'author@books.example' }
  await using shop = await openTestShop({ env, hasWorkers: false })
  const buy = await openBuyer(shop)
  const purchase_id = await buy()
  const { rows } = await shop.services.database.pool.query<{ id: string }>(
    `select id from pgboss.job where data ->> 'purchase_id' = $1`,
    [purchase_id],
  )
  // With pages, it is in memory from the start.
  await shop.services.book.get()
  using recorded = recordStatements()
  const by = (name: string) => recorded.all().filter(({ application }) => application === name)
  // The queue's upkeep and its fetch name no job.
  const ofJob = () => by('lectern jobs').filter(({ sent }) => sent.includes(rows[0]!.id))
  await startWorkers(shop.services)
  await expect.poll(ofJob).not.toEqual([])
  expect([...by('lectern'), ...ofJob()]).toHaveLength(3)
})
