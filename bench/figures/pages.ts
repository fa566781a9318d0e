// What visitors ask for most, against node:http sending as many bytes; and how pages fare while the products change.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { compare, type Measure } from '../figure.ts'
import { load } from '../load.ts'
import { publish, startOwnShop } from '../own-book.ts'
import { startBaseline } from '../processes.ts'

const compressed = { 'accept-encoding': 'gzip, deflate, br' }
const connections = 50

export const home: Measure = ({ rounds }) => against('/', compressed, 0.7, rounds)
export const products: Measure = ({ rounds }) => against('/api/products', {}, 0.6, rounds)

async function* against(path: string, headers: Record<string, string>, atLeast: number, rounds: number) {
  await using shop = await startOwnShop()
  const response = await fetch(shop.url + path, { headers })
  await using raw = await startBaseline('raw-http', 'bytes', response.headers.get('content-length') ?? '')
  const perSecond = async (url: string) => (await load(url, { connections, seconds: 4, headers })).perSecond
  yield await compare({
    name: `GET ${path} at ${connections} connections, against node:http`,
    bar: { atLeast },
    rounds,
    unitOfNote: 'a second',
    ours: () => perSecond(shop.url + path),
    baseline: () => perSecond(`${raw.url}/`),
  })
}

export const changes: Measure = async function* ({ rounds }) {
  await using shop = await startOwnShop()
  const { call, product_id } = shop.author
  const visitors = { connections, seconds: 5, headers: compressed }
  const p99 = async () => (await load(`${shop.url}/`, visitors)).p99
  let price = 10
  const ways = {
    'price changes': () =>
      call(z.unknown(), 'PATCH', `/api/admin/products/${product_id}`, { price: price++ }),
    'published versions': () => publish(shop.author, { subtitle: `Price ${price++}` }),
  }
  for (const [name, change] of Object.entries(ways))
    yield await compare({
      name: `p99 of GET / at ${connections} connections with two ${name} a second, against none`,
      bar: { atMost: 5 },
      rounds,
      unitOfNote: 'ms',
      async ours() {
        const over = new AbortController()
        const changing = changeUntil(over.signal, change)
        const milliseconds = await p99()
        over.abort()
        await changing
        return milliseconds
      },
      baseline: p99,
    })
}

/** Each half a second after the last one, so that two never meet. */
async function changeUntil(over: AbortSignal, change: () => Promise<unknown>): Promise<void> {
  while (!over.aborted) {
    await change()
    await sleep(500)
  }
}
