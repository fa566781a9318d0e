// The oldest PostgreSQL that DATABASE_URL may lead to, where one is installed.
import { existsSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { OwnPurchases, Purchase } from '#contract/orders/purchases.ts'
import type { Product } from '#contract/catalog/products.ts'
import { ensureBuilt } from '#tools/build.ts'
import { hasDebianPostgres, openDebianPostgres } from '../debian-postgres.ts'
import { admin, startShop, type RunningShop } from '../running-shop.ts'

beforeAll(() => void (hasDebianPostgres && ensureBuilt()))

test.skipIf(!hasDebianPostgres)(
  'on a PostgreSQL 15 of yours the shop migrates, sells and lists',
  async () => {
    await using postgres = await openDebianPostgres()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-shop-15-'))
    await using shop = await startShop(folder.path, { env: { DATABASE_URL: postgres.url } })
    await sell(shop)
    expect(await shop.stop()).toBe(0)
    expect(existsSync(join(folder.path, 'postgres'))).toBe(false)
  },
)

async function sell({ url }: RunningShop): Promise<void> {
  async function call<Body>(path: string, body?: object, token?: string): Promise<Body> {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([path, response.ok]).toEqual([path, true])
    return (await response.json()) as Body
  }
  const signIn = '/auth/v1/token?grant_type=password'
  const { access_token: token } = await call<{ access_token: string }>(signIn, admin)
  const products = await call<Product[]>('/api/products')
  const { id: product_id } = products.find(({ format }) => format === 'bundle')!
  const { id } = await call<Purchase>('/api/purchases', { product_id }, token)
  const own = await call<OwnPurchases>('/api/purchases', undefined, token)
  expect(own.items).toMatchObject([{ id, status: 'completed', amount: 49.97 }])
  expect(await call<object>('/api/admin/sales', undefined, token)).toMatchObject({
    totals: { total_revenue: 49.97 },
    recent: [{ id }],
  })
  expect(await call<object>('/api/admin/users?q=uthor', undefined, token)).toMatchObject({
    items: [{ email: admin.email, total_spent: 49.97 }],
  })
}
