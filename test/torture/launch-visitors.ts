// Who comes on the day of a launch, at a steady rate: each at a moment of their own, whether or not the others have been served.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#contract/catalog/products.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { admin } from '../running-shop.ts'
import type { Ledger } from './buyers.ts'
import type { Person } from './crowd.ts'
import type { Random } from './random.ts'
import type { Timings } from './timings.ts'

/** 100,000 page views and 5,000 orders in ten minutes. */
const viewsPerSecond = 100_000 / 600
const ordersPerSecond = 5_000 / 600

/** The home page is where links lead. */
const pages = ['/', '/', '/', '/preview', '/auth']
/** One view in so many is the visitor's first, and loads the files that the page names. */
const viewsOfVisitor = 4

type Launch = {
  url: string
  people: readonly Person[]
  products: readonly Product[]
  random: Random
  timings: Timings
  ledger: Ledger
}

/** `times` is how many times the rate of the launch day. Resolves when everybody has been served. */
export async function receiveVisitors(launch: Launch, times: number, seconds: number): Promise<void> {
  const { random, people } = launch
  let turn = 0
  await Promise.all([
    arrive(viewsPerSecond * times, seconds, random, () => view(launch, turn++ % viewsOfVisitor === 0)),
    arrive(ordersPerSecond * times, seconds, random, () => order(launch, random.of(people))),
  ])
}

/** As many as that rate brings in that time, evenly at random. */
async function arrive(
  perSecond: number,
  seconds: number,
  random: Random,
  come: () => Promise<void>,
): Promise<void> {
  const count = Math.round(perSecond * seconds)
  const moments = Array.from({ length: count }, () => random.between(0, seconds * 1000)).toSorted(
    (a, b) => a - b,
  )
  const since = performance.now()
  const visits: Promise<void>[] = []
  for (const moment of moments) {
    const early = moment - (performance.now() - since)
    if (early > 1) await sleep(early)
    visits.push(come())
  }
  await Promise.all(visits)
}

async function view({ url, random, timings }: Launch, isFirst: boolean): Promise<void> {
  const found = await timings.time('page', url + random.of(pages))
  if (!found || !isFirst) return
  const files = new Set([...found.body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path))
  await Promise.all([...files].map((path) => timings.time('file', url + path)))
}

/** Signs in, buys, and looks at what was bought. */
async function order(
  { url, random, products, timings, ledger }: Launch,
  { email, user_id }: Person,
): Promise<void> {
  const post = (kind: string, path: string, body: object, headers = {}) =>
    timings.time(kind, url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const { password } = admin
  const session = await post('sign-in', '/auth/v1/token?grant_type=password', { email, password })
  if (!session?.ok) return
  const { access_token } = JSON.parse(session.body) as { access_token: string }
  const authorization = `Bearer ${access_token}`
  const key = randomUUID()
  const { id: product_id } = random.of(products)
  ledger.asked.set(key, { user_id, product_id })
  const bought = await post(
    'order',
    '/api/purchases',
    { product_id },
    { authorization, 'idempotency-key': key },
  )
  if (!bought?.ok) return
  ledger.acknowledged.set(key, JSON.parse(bought.body) as Purchase)
  await timings.time('list of own orders', `${url}/api/purchases`, { headers: { authorization } })
}
