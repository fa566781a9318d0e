// A million purchases as CSV: whole, and what the server's memory does meanwhile.
import { spawn } from 'node:child_process'
import { openDatabase } from '../../src/platform/db/client.ts'
import type { Figure } from '../figure.ts'
import { databaseUrlOf, memoryOf, resetPeak, signIn, type Shop } from '../processes.ts'

const rows = 1_000_000
const portion = 50_000

export async function exports(shop: Shop): Promise<Figure[]> {
  await sell(shop, 1, portion)
  await countLines(await linkOf(shop))
  await sell(shop, portion + 1, rows)
  const link = await linkOf(shop)
  const before = memoryOf(shop.pid)
  resetPeak(shop.pid)
  const since = performance.now()
  const lines = await countLines(link)
  const seconds = (performance.now() - since) / 1000
  if (lines !== rows + 1) throw new Error(`the list of ${rows} purchases has ${lines} lines`)
  return [
    {
      name: 'Memory growth while a list of 1M purchases is taken away',
      bar: { atMost: 40 },
      unit: 'MB',
      measured: memoryOf(shop.pid, 'VmHWM') - before,
      note: `${Math.round(rows / seconds)} rows/s`,
    },
  ]
}

/** Straight into the table, in portions that the database's time limits allow. */
async function sell(shop: Shop, from: number, to: number): Promise<void> {
  await using database = openDatabase(databaseUrlOf(shop), { max: 1 })
  await database.pool.query('alter table purchases disable trigger user')
  for (let first = from; first <= to; first += portion) {
    await database.pool.query(
      `insert into purchases (id, user_id, product_id, amount, status, created_at)
       select gen_random_uuid(), (select user_id from profiles limit 1), (select id from products limit 1),
         14.99, 'completed', now() - make_interval(secs => n) from generate_series($1::int, $2::int) n`,
      [first, Math.min(to, first + portion - 1)],
    )
  }
  await database.pool.query('alter table purchases enable trigger user')
}

async function linkOf(shop: Shop): Promise<string> {
  const response = await fetch(`${shop.url}/api/admin/exports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await signIn(shop)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ list: 'purchases' }),
  })
  return shop.url + ((await response.json()) as { url: string }).url
}

async function countLines(url: string): Promise<number> {
  const curl = spawn('curl', ['-sf', url], { stdio: ['ignore', 'pipe', 'inherit'] })
  let lines = 0
  for await (const chunk of curl.stdout as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lines += 1
  }
  return lines
}
