// What the author asks of the admin area, in a small shop and in one many times larger: it must cost the same.
import { existsSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '../../src/platform/contract/paging.ts'
import { run } from '../../tools/run.ts'
import { percentile, type Figure } from '../figure.ts'
import { signIn, startShop } from '../processes.ts'

/** `growth`: how many times larger the large shop is; `folder`: where both are kept until the next time. */
export type AdminSizes = { growth: number; folder?: string | undefined; rounds: number }

const small = { users: 10_000, purchases: 100_000 }
const turnsARound = 40
const patienceMs = 100

type Admin = AsyncDisposable & {
  get<Answer>(path: string): Promise<Answer>
  /** Pages of fifty. */
  users: number
  someone: string
  purchaseId: string
}

/** More are found as the shop grows: they must come in time, but not in the same time. */
const growing = new Set(['users: "paul baker"', 'purchases: "paul baker"'])

/** Path below /api/admin, once there is something to ask for. */
const asked: Record<string, (desk: Admin) => string | Promise<string>> = {
  'totals and the latest ten purchases': () => '/sales',
  'chart of the year': () => `/sales/chart?from=${daysAgo(365)}`,
  'chart of all': () => `/sales/chart?from=${daysAgo(730)}&by=day`,
  'users, first page': () => '/users',
  'users, page 1000': (desk) => pageOf(desk, '/users?', Math.min(1000, desk.users / 100)),
  'users by total spent': () => '/users?sort=spent&dir=desc',
  'users by total spent, page 1000': (desk) =>
    pageOf(desk, '/users?sort=spent&dir=desc', Math.min(1000, desk.users / 100)),
  'users by name': () => '/users?sort=name&dir=asc',
  'users: "ann"': () => '/users?q=ann',
  'users: "ann" by total spent': () => '/users?q=ann&sort=spent',
  'users: "reader", which is everybody': () => '/users?q=reader&sort=name&dir=asc',
  'users: "paul baker"': () => '/users?q=paul+baker',
  'users: one address': (desk) => `/users?q=${desk.someone}`,
  'users: nobody': () => '/users?q=zzq',
  'purchases, first page': () => '/purchases',
  'purchases, page 1000': (desk) => pageOf(desk, '/purchases?', Math.min(1000, desk.users / 100)),
  'purchases: refunded': () => '/purchases?status=refunded',
  'purchases: disputed, of which there are none': () => '/purchases?status=disputed',
  'purchases: completed bundles of a year ago': () =>
    `/purchases?status=completed&format=bundle&to=${daysAgo(365)}`,
  'purchases: one address': (desk) => `/purchases?q=${desk.someone}`,
  'purchases: "ann"': () => '/purchases?q=ann',
  'purchases: "paul baker"': () => '/purchases?q=paul+baker',
  'purchases: "paperback"': () => '/purchases?q=paperback',
  'purchases: one id': (desk) => `/purchases?q=${desk.purchaseId}`,
  'purchases: beginning of an id': (desk) => `/purchases?q=${desk.purchaseId.slice(0, 8)}`,
  'purchases: nothing': () => '/purchases?q=zzq',
  'one user': async (desk) => {
    const { items } = await desk.get<Page<{ user_id: string }>>(`/users?q=${desk.someone}`)
    return `/users/${items[0]!.user_id}`
  },
  'one purchase': (desk) => `/purchases/${desk.purchaseId}`,
  products: () => '/products',
}

export async function desk({ growth, folder, rounds }: AdminSizes): Promise<Figure[]> {
  using temporary = folder ? undefined : mkdtempDisposableSync(join(tmpdir(), 'lectern-bench-'))
  const place = folder ?? temporary!.path
  await using few = await openAdmin(join(place, 'small'), small)
  const large = { users: small.users * growth, purchases: small.purchases * growth }
  await using many = await openAdmin(join(place, `times-${growth}`), large)
  const figures: Figure[] = []
  for (const [name, pathOf] of Object.entries(asked)) {
    const paths = { few: await pathOf(few), many: await pathOf(many) }
    const times = { few: [] as number[], many: [] as number[] }
    // In turns, so that whatever else this machine does meets both alike.
    for (let turn = 0; turn < turnsARound * rounds; turn++) {
      times.few.push(await timed(() => few.get(paths.few)))
      times.many.push(await timed(() => many.get(paths.many)))
    }
    const p95 = { few: percentile(times.few, 95), many: percentile(times.many, 95) }
    const note = `${millions(large.users)} readers, ${millions(large.purchases)} purchases`
    figures.push({
      name: `Admin, p95: ${name}`,
      bar: { atMost: patienceMs },
      unit: 'ms',
      measured: p95.many,
      note,
    })
    if (growing.has(name)) continue
    figures.push({
      name: `Admin, against a small shop: ${name}`,
      bar: { atMost: 2 },
      unit: 'ratio',
      measured: p95.many / p95.few,
      note: `${p95.many.toFixed(1)} against ${p95.few.toFixed(1)} ms`,
    })
  }
  return figures
}

async function openAdmin(dataDir: string, { users, purchases }: typeof small): Promise<Admin> {
  const filled = join(dataDir, 'filled')
  if (!existsSync(filled)) {
    const wanted = ['--users', String(users), '--purchases', String(purchases)]
    if ((await run('node', ['tools/demo.ts', ...wanted], { DATA_DIR: dataDir })) !== 0)
      throw new Error('the shop could not be filled')
    writeFileSync(filled, wanted.join(' '))
  }
  const shop = await startShop(dataDir)
  const authorization = `Bearer ${await signIn(shop)}`
  const get = async <Answer>(path: string) => {
    const response = await fetch(`${shop.url}/api/admin${path}`, { headers: { authorization } })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`)
    return (await response.json()) as Answer
  }
  const { items } = await get<Page<{ id: string }>>('/purchases')
  return {
    get,
    users,
    someone: `reader-${Math.floor(users * 0.4321)}@`,
    purchaseId: items.at(-1)!.id,
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

/** The way there is by the pages before it, as for a person. */
async function pageOf(desk: Admin, path: string, number: number): Promise<string> {
  let at = path
  for (let page = 1; page < number; page++) {
    const { next } = await desk.get<Page<unknown>>(at)
    at = `${path}&after=${next}`
  }
  return at
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const millions = (count: number) => (count < 1_000_000 ? `${count / 1000}k` : `${count / 1_000_000}M`)
