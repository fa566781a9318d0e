// The cost of a purchase and of its receipt in SQL statements: unlike a duration, the same on every machine.
import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { recordStatements } from '#test/statements.ts'
import { startWorkers } from '../../jobs.ts'

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
