// Buying through the whole path, against its SQL alone; signing in, against argon2id alone.
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { argon2id } from '../../src/domains/accounts/passwords.ts'
import { openDatabase } from '../../src/platform/db/client.ts'
import { compare, median, type Measure } from '../figure.ts'
import { load } from '../load.ts'
import { admin, signIn, startShop, type Shop } from '../processes.ts'
import { recordPurchase, repeatPurchase } from '../purchase-sql.ts'

const [connections, seconds] = [32, 5]

export const purchases: Measure = async function* ({ rounds }) {
  await using shop = await startShop()
  const { headers, product_id } = await signIn(shop)
  const body = JSON.stringify({ product_id })
  const buying = { method: 'POST', headers, body, connections, seconds, hasKeys: true } as const
  const statements = await recordPurchase(shop, buying)
  yield await compare({
    name: `POST /api/purchases at ${connections} connections, against its SQL alone`,
    bar: { atLeast: 0.5 },
    rounds,
    unitOfNote: 'a second',
    ours: () => thenDoJobs(shop, load(`${shop.url}/api/purchases`, buying)),
    baseline: () => thenDoJobs(shop, repeatPurchase(shop, statements, buying)),
  })
}

/** The receipts of one measurement would take the database's time from the next. */
async function thenDoJobs({ databaseUrl }: Shop, measuring: Promise<{ perSecond: number }>) {
  const { perSecond } = await measuring
  await using database = openDatabase(databaseUrl, { max: 1 })
  const due = "select from pgboss.job where state < 'completed' and start_after <= now() limit 1"
  while ((await database.pool.query(due)).rowCount) await sleep(200)
  return perSecond
}

export const signIns: Measure = async function* ({ rounds }) {
  await using shop = await startShop()
  const headers = { 'content-type': 'application/json' }
  const signingIn = { method: 'POST', headers, body: JSON.stringify(admin), connections, seconds } as const
  const waits: number[] = []
  yield await compare({
    name: `Sign-ins at ${connections} connections, against argon2id alone`,
    bar: { atLeast: 0.8 },
    rounds,
    unitOfNote: 'a second',
    async ours() {
      const [signing, reading] = await Promise.all([
        load(`${shop.url}/auth/v1/token?grant_type=password`, signingIn),
        load(`${shop.url}/api/products`, { connections: 1, seconds, pauseMs: 20 }),
      ])
      waits.push(reading.p99)
      return signing.perSecond
    },
    baseline: verifyPerSecond,
  })
  const name = 'GET /api/products while others sign in, p99'
  yield { name, bar: { atMost: 30 }, unit: 'ms', measured: median(waits) }
}

/** With the shop's parameters, and as many at once as the shop runs. */
async function verifyPerSecond(): Promise<number> {
  const hashed = await hash('a password', argon2id)
  const since = performance.now()
  let done = 0
  async function verifyUntilOver(): Promise<void> {
    for (; performance.now() - since < seconds * 1000; done += 1) await verify(hashed, 'a password')
  }
  await Promise.all(Array.from({ length: Math.max(1, availableParallelism() - 1) }, verifyUntilOver))
  return done / ((performance.now() - since) / 1000)
}
