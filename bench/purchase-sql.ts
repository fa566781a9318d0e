// The SQL of one purchase, recorded from the whole app, to be repeated through `pg` alone.
import { randomUUID } from 'node:crypto'
import { Client, Pool, type QueryConfig } from 'pg'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { allJobs } from '../src/jobs.ts'
import { openDatabase } from '../src/platform/db/client.ts'
import { closeShop, openShop } from '../src/shop.ts'
import type { Shop } from './processes.ts'
import { noPages } from '../test/without-pages.ts'

type Statement = { text: string; name: string | undefined; values: unknown[] }
type Buying = { headers: Record<string, string>; body: string; connections: number; seconds: number }

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g
const idsIn = (value: unknown): string[] => JSON.stringify(value).match(uuid) ?? []

/** The second purchase is recorded: the first prepares what later ones find. */
export async function recordPurchase(shop: Shop, { headers, body }: Buying): Promise<Statement[]> {
  await using database = openDatabase(shop.databaseUrl)
  const settings = { DATA_DIR: shop.dataDir, SITE_URL: shop.url, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' }
  const services = await openShop(readConfig(settings), database)
  await services.queue.start(allJobs(services))
  const app = createApp(services, noPages)
  const withKey = () => ({ ...headers, 'idempotency-key': randomUUID() })
  const buy = () => app.request('/api/purchases', { method: 'POST', headers: withKey(), body })
  await buy()
  const recorded: Statement[] = []
  const query = Reflect.get(Client.prototype, 'query')
  Client.prototype.query = new Proxy(query, {
    apply(_query, client: Client, args: [QueryConfig | string, unknown]) {
      const { text, name, values } = typeof args[0] === 'string' ? { text: args[0] } : args[0]
      recorded.push({ text, name, values: [values, args[1]].find((each) => Array.isArray(each)) ?? [] })
      return Reflect.apply(query, client, args)
    },
  })
  const { status } = await buy()
  Client.prototype.query = query
  await closeShop(services)
  if (status !== 201) throw new Error(`the purchase to be recorded was answered ${status}`)
  return recorded
}

/** Purchases a second, each with fresh ids; the buyer's and the product's stay. */
export async function repeatPurchase(
  { databaseUrl }: Shop,
  statements: Statement[],
  { body, connections, seconds }: Buying,
): Promise<{ perSecond: number }> {
  const begin = statements.findIndex(({ text }) => /^begin/i.test(text))
  const constantIds = idsIn([statements.slice(0, begin), body])
  const freshIds = idsIn(statements.slice(begin)).filter((id) => !constantIds.includes(id))
  const pool = new Pool({ connectionString: databaseUrl, max: 16 })
  const since = performance.now()
  let done = 0
  async function buyUntilOver(): Promise<void> {
    while (performance.now() - since < seconds * 1000) {
      const fresh = new Map(freshIds.map((id) => [id, randomUUID()]))
      const renew = (value: unknown) =>
        typeof value === 'string' ? value.replaceAll(uuid, (id) => fresh.get(id) ?? id) : value
      const client = await pool.connect()
      for (const { text, name, values } of statements)
        await client.query({ text, ...(name && { name }), values: values.map(renew) })
      client.release()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, buyUntilOver))
  await pool.end()
  return { perSecond: done / ((performance.now() - since) / 1000) }
}
