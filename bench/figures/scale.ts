// The same questions in a small shop and in one many times larger: they must take the same time.
import { z } from 'zod'
import { listOwnPurchases } from '../../src/domains/orders/purchases.ts'
import { openDatabase } from '../../src/platform/db/client.ts'
import { startProcess } from '../../test/start-process.ts'
import { percentile, type Figure, type Measure } from '../figure.ts'
import { signIn, startShop, temporaryFolder, watchMemory, type Author, type Shop } from '../processes.ts'

const small = { users: 1_000, purchases: 10_000 }
const questions = 40

type Filled = { shop: Shop; author: Author; address: string; purchaseId: string }

/** Paths below /api/admin. */
const views: Record<string, (filled: Filled) => string | Promise<string>> = {
  'what Today says': () => '/today',
  'what waits, counted': () => '/counts',
  'totals and the latest ten purchases': () => '/sales',
  'chart of the last 30 days': () => '/sales/chart',
  'report of a year': () => '/sales/report?range=year',
  'report of all months': () => '/sales/report?from=2024-01-01',
  'users, page 20': (filled) => pathOfPage(filled, '/users?', 20),
  'users by total spent, page 20': (filled) => pathOfPage(filled, '/users?sort=spent&dir=desc', 20),
  'users: "ann"': () => '/users?q=ann',
  'users: one address': ({ address }) => `/users?q=${address}`,
  'purchases, page 100': (filled) => pathOfPage(filled, '/purchases?', 100),
  'purchases: refunded': () => '/purchases?status=refunded',
  'purchases: "ann"': () => '/purchases?q=ann',
  'purchases: beginning of an id': ({ purchaseId }) => `/purchases?q=${purchaseId.slice(0, 8)}`,
  'one purchase': ({ purchaseId }) => `/purchases/${purchaseId}`,
}

export const scale: Measure = async function* ({ rounds, growth }) {
  await using undo = new AsyncDisposableStack()
  const size = { users: small.users * growth, purchases: small.purchases * growth }
  const [few, many] = [await openFilled(undo, small), await openFilled(undo, size)]
  const sizes = `with ${inWords(size.purchases)} purchases, against ${inWords(small.purchases)}`
  for (const [name, pathOf] of Object.entries(views)) {
    const ask = async (filled: Filled) => {
      const path = `/api/admin${await pathOf(filled)}`
      return () => filled.author.call(z.unknown(), 'GET', path)
    }
    yield await compareTimes(`Admin: ${name}, ${sizes}`, await ask(few), await ask(many), questions * rounds)
  }
  yield await timeReport(many, {
    sizes: `with ${inWords(size.purchases)} purchases`,
    count: questions * rounds,
  })
  const lists = { few: await openOwnLists(undo, few.shop), many: await openOwnLists(undo, many.shop) }
  yield await compareTimes(`A buyer’s own list ${sizes}`, lists.few, lists.many, 5 * questions * rounds)
  yield await exportPurchases(many, size.purchases)
}

async function openFilled(undo: AsyncDisposableStack, { users, purchases }: typeof small): Promise<Filled> {
  const { path } = undo.use(temporaryFolder())
  const demo = ['dist/server/lectern.js', 'demo', '--users', String(users), '--purchases', String(purchases)]
  const { code, stderr } = await startProcess(process.execPath, demo, { env: { DATA_DIR: path } }).ended
  if (code !== 0) throw new Error(`the shop could not be filled: ${stderr}`)
  const shop = undo.use(await startShop(path))
  const author = await signIn(shop)
  const page = z.object({ items: z.array(z.object({ id: z.string() })) })
  const { items } = await author.call(page, 'GET', '/api/admin/purchases')
  return { shop, author, address: `reader-${users / 2}@`, purchaseId: items.at(-1)?.id ?? '' }
}

/** Pages are reached through those before them. */
async function pathOfPage({ author }: Filled, path: string, number: number): Promise<string> {
  let at = path
  for (let page = 1; page < number; page++) {
    const { next } = await author.call(z.object({ next: z.string() }), 'GET', `/api/admin${at}`)
    at = `${path}&after=${next}`
  }
  return at
}

/** Day by day, which is the most that one report can be. */
async function timeReport(
  { author }: Filled,
  { sizes, count }: { sizes: string; count: number },
): Promise<Figure> {
  const times: number[] = []
  const ask = () => author.call(z.unknown(), 'GET', '/api/admin/sales/report?from=2024-01-01&by=day')
  for (let turn = 0; turn < count; turn++) times.push(await timed(ask))
  const name = `Admin: report of all days ${sizes}, p95`
  return { name, bar: { atMost: 100 }, unit: 'ms', measured: percentile(times, 95) }
}

type Question = () => Promise<unknown>

/** In turns, so that whatever else the machine does meets both alike. */
async function compareTimes(name: string, few: Question, many: Question, count: number): Promise<Figure> {
  const times: { few: number[]; many: number[] } = { few: [], many: [] }
  for (let turn = 0; turn < count; turn++) {
    times.few.push(await timed(few))
    times.many.push(await timed(many))
  }
  const p95 = { few: percentile(times.few, 95), many: percentile(times.many, 95) }
  const note = `p95 ${p95.many.toFixed(1)} against ${p95.few.toFixed(1)} ms`
  return { name, bar: { atMost: 2 }, unit: 'ratio', measured: p95.many / p95.few, note }
}

async function timed(ask: Question): Promise<number> {
  const since = performance.now()
  await ask()
  return performance.now() - since
}

/** Each question is another buyer's. */
async function openOwnLists(undo: AsyncDisposableStack, { databaseUrl }: Shop): Promise<Question> {
  const { db, pool } = undo.use(openDatabase(databaseUrl, { max: 2 }))
  const { rows } = await pool.query('select user_id from user_sums order by md5(user_id::text) limit 300')
  const buyers = z.array(z.object({ user_id: z.string() })).parse(rows)
  let turn = 0
  return () => listOwnPurchases(db, buyers[turn++ % buyers.length]?.user_id ?? '', {})
}

async function exportPurchases({ shop, author }: Filled, purchases: number): Promise<Figure> {
  async function countLines(): Promise<number> {
    const link = z.object({ url: z.string() })
    const { url } = await author.call(link, 'POST', '/api/admin/exports', { list: 'purchases' })
    const { stdout } = await startProcess('sh', ['-c', `curl -sf '${shop.url}${url}' | wc -l`]).ended
    return Number(stdout)
  }
  const memory = await watchMemory(shop, countLines)
  const lines = await countLines()
  if (lines !== purchases + 1) throw new Error(`the list of ${purchases} purchases has ${lines} lines`)
  const name = `Memory growth while ${inWords(purchases)} purchases are exported as CSV`
  return { name, bar: { atMost: 40 }, unit: 'MB', measured: memory() }
}

const inWords = (count: number) => count.toLocaleString('en')
