// What it costs a buyer that the admin area's sums are kept up to date: buying with their triggers, against buying without.
import type { Product } from '../../src/features/products/contract/products.ts'
import { openDatabase } from '../../src/platform/db/client.ts'
import { compare, type Figure } from '../figure.ts'
import { databaseUrlOf, load, signIn, type Shop } from '../processes.ts'
import { untilIdle } from './purchases.ts'

const connections = 32
const seconds = 8

export async function sums(shop: Shop, rounds: number): Promise<Figure[]> {
  await using database = openDatabase(databaseUrlOf(shop), { max: 1 })
  const [product] = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
  const tokens = await signInReaders(shop)
  const buying = {
    url: `${shop.url}/api/purchases`,
    connections,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ product_id: product!.id }),
    hasKeys: true,
    tokens,
  } as const
  const buy = async (keeps: 'enable' | 'disable') => {
    await untilIdle(databaseUrlOf(shop))
    await database.pool.query(`alter table purchases ${keeps} trigger sums_of_purchase`)
    return (await load({ ...buying, seconds })).perSecond
  }
  await load({ ...buying, seconds: 3 })
  const { ratio, note } = await compare(
    rounds,
    () => buy('enable'),
    () => buy('disable'),
  )
  const name = 'Purchases at 32 connections with the sums kept, against without'
  return [{ name, bar: { atLeast: 0.9 }, unit: 'ratio', measured: ratio, note: `${note} a second` }]
}

/** As many as there are connections: nobody buys twice at the same moment. */
async function signInReaders(shop: Shop): Promise<string[]> {
  const headers = { authorization: `Bearer ${await signIn(shop)}`, 'content-type': 'application/json' }
  const tokens: string[] = []
  for (let reader = 0; reader < connections; reader++) {
    const person = { email: `reader-${reader}@example.com`, password: 'a reader of books' }
    const made = await fetch(`${shop.url}/api/admin/users`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...person, role: 'user' }),
    })
    if (!made.ok) throw new Error(`a reader could not be made: ${await made.text()}`)
    tokens.push(await signIn(shop, person))
  }
  return tokens
}
