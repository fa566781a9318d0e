// A pooler between the shop and its database: one that keeps sessions works, another is refused. Where PgBouncer is installed.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Product } from '#contract/catalog/products.ts'
import { openDatabase } from '#platform/db/client.ts'
import { requireSessions } from '#platform/db/pooler-check.ts'
import { ensureBuilt } from '#tools/build.ts'
import { hasDebianPostgres, openDebianPostgres } from '../debian-postgres.ts'
import { findFreePort } from '../find-free-port.ts'
import { startShop } from '../running-shop.ts'
import { startProcess } from '../start-process.ts'

const program = '/usr/sbin/pgbouncer'
const isInstalled = hasDebianPostgres && existsSync(program)

async function openPooler(mode: 'session' | 'transaction') {
  await using undo = new AsyncDisposableStack()
  const postgres = undo.use(await openDebianPostgres())
  const { path, user } = postgres.folder
  const port = await findFreePort()
  const file = join(path, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]\n* = host=${path} port=5432 user=shop\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
      `listen_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}\ndefault_pool_size = 50\n`,
  )
  const pooler = startProcess(program, [file], { cwd: path, ...user })
  undo.defer(async () => void (await pooler.stop('SIGKILL')))
  const url = `postgres://shop@127.0.0.1:${port}/postgres`
  await expect.poll(() => isThere(url)).toBe(true)
  const stack = undo.move()
  return { url, directUrl: postgres.url, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function isThere(url: string): Promise<boolean> {
  await using database = openDatabase(url, { max: 1 })
  return await database.pool.query('select 1').then(
    () => true,
    () => false,
  )
}

beforeAll(() => void (isInstalled && ensureBuilt()))

test.skipIf(!isInstalled)(
  'behind a pooler that gives each transaction another connection the shop does not start',
  async () => {
    await using pooler = await openPooler('transaction')
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-pooled-'))
    const env = { DATABASE_URL: pooler.url }
    await expect(startShop(folder.path, { env })).rejects.toThrow('ended with 1')
    expect(readFileSync(join(folder.path, 'server.log'), 'utf8')).toContain('set pool_mode=session')
    // Also when others use the same pooler.
    await using busy = openDatabase(pooler.url)
    const traffic = Array.from({ length: 200 }, () => busy.pool.query('select pg_sleep(0.005)'))
    await expect(requireSessions(pooler.url)).rejects.toThrow('set pool_mode=session')
    await Promise.all(traffic)
  },
)

test.skipIf(!isInstalled)(
  'behind a pooler that keeps sessions the shop starts, and is told of a new price',
  async () => {
    await using pooler = await openPooler('session')
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-pooled-'))
    await using shop = await startShop(folder.path, { env: { DATABASE_URL: pooler.url } })
    const products = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
    expect(products).toHaveLength(4)
    await using database = openDatabase(pooler.directUrl, { max: 1 })
    await database.pool.query(`update products set price = 31.5 where format = 'paperback'`)
    const page = async () => (await fetch(shop.url)).text()
    await expect.poll(page, { timeout: 5_000 }).toContain('31.50')
    expect(await shop.stop()).toBe(0)
  },
)
