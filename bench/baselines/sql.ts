// The statements of one purchase through `pg` alone, again and again, with fresh ids each time.
import { randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import type { RecordedPurchase } from './record.ts'

type Input = RecordedPurchase & { databaseUrl: string; connections: number; seconds: number }

const input = JSON.parse(process.argv[2]!) as Input
const pool = new Pool({ connectionString: input.databaseUrl, max: 16 })
const since = performance.now()
let done = 0

async function work() {
  while (performance.now() - since < input.seconds * 1000) {
    const fresh = new Map(input.freshIds.map((id) => [id, randomUUID()]))
    const renew = (value: unknown) =>
      typeof value === 'string'
        ? value.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => fresh.get(id) ?? id)
        : value
    for (const transaction of input.transactions) {
      const client = await pool.connect()
      for (const { text, name, values } of transaction) {
        await client.query({ text, ...(name && { name }), values: values.map(renew) })
      }
      client.release()
    }
    done += 1
  }
}
await Promise.all(Array.from({ length: input.connections }, work))
await pool.end()
console.log(JSON.stringify({ perSecond: done / ((performance.now() - since) / 1000) }))
