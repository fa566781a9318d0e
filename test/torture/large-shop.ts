// A shop with many orders and large files, and buyers whose waiting is measured.
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openStorageAt } from '#platform/open-storage.ts'
import type { Database } from '#platform/db/client.ts'
import type { Crowd } from './crowd.ts'
import { runCommand } from './killed-command.ts'

export async function fillShop(dataDir: string, orders: number): Promise<void> {
  await runCommand(dataDir, 'demo', '--users', String(orders / 10), '--purchases', String(orders))
}

const fileBytes = 50_000_000

/** Earlier editions of the first product: no buyer gets them, and every backup holds them. */
export async function addFiles(dataDir: string, { pool }: Database, count: number): Promise<void> {
  const storage = openStorageAt(pathToFileURL(join(dataDir, 'files')).href)
  for (let nth = 0; nth < count; nth += 1) {
    const path = `ebooks/large-${nth}.pdf`
    await storage.write(path, randomBytes(fileBytes))
    await pool.query(
      `insert into product_files (id, product_id, file_path, title, file_format, file_size, edition, created_at)
       select gen_random_uuid(), id, $1, 'Large', 'pdf', $2, $3, '2001-01-01' from products order by id limit 1`,
      [path, fileBytes, -nth],
    )
  }
}

export type TimedBuyers = {
  /** Milliseconds that 99 of 100 purchases took at most, of those bought since the last call, and how many these are. */
  takeP99(): { p99: number; count: number }
  acknowledged: Set<string>
  finish(): Promise<void>
}

/** Each buys again and again, with a pause between. */
export function sendTimedBuyers(crowd: Crowd, product_id: string): TimedBuyers {
  const closing = new AbortController()
  const acknowledged = new Set<string>()
  let times: number[] = []
  const trips = crowd.people.map(async (person) => {
    while (!closing.signal.aborted) {
      const since = performance.now()
      const { isOk, body } = await crowd.ask<{ id: string }>(
        person,
        '/api/purchases',
        { product_id },
        randomUUID(),
      )
      times.push(performance.now() - since)
      if (isOk) acknowledged.add(body.id)
    }
  })
  return {
    acknowledged,
    takeP99() {
      const [taken, count] = [times.toSorted((a, b) => a - b), times.length]
      times = []
      return { p99: Math.round(taken[Math.floor(count * 0.99)] ?? NaN), count }
    },
    async finish() {
      closing.abort()
      await Promise.all(trips)
    },
  }
}
