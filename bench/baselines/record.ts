// Buys once through the whole app, and prints the SQL that this sent to the database.
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { Client } from 'pg'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/platform/db/client.ts'
import { allJobs } from '../../src/jobs.ts'
import { closeShop, openShop } from '../../src/shop.ts'

type Statement = { text: string; name?: string | undefined; values: unknown[] }
export type RecordedPurchase = {
  /** Each runs on one connection. */
  transactions: Statement[][]
  /** Ids that were made by this purchase, and must be others in the next. */
  freshIds: string[]
}

type Input = { databaseUrl: string; dataDir: string; token: string; product_id: string; siteUrl: string }

const { databaseUrl, dataDir, token, product_id, siteUrl } = JSON.parse(process.argv[2]!) as Input
const config = readConfig({ DATA_DIR: dataDir, SITE_URL: siteUrl, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' })
const database = openDatabase(databaseUrl)
const services = await openShop(config, database)
await services.queue.start(allJobs(services))
const app = createApp(services, { app: new Hono() })

const seen: Statement[] = []
let isRecording = false
Client.prototype.query = new Proxy(Reflect.get(Client.prototype, 'query'), {
  apply(query, client: Client, args: [Statement | string, unknown]) {
    const [first, second] = args
    const { text, name, values } =
      typeof first === 'string' ? { text: first, name: undefined, values: second } : first
    const sent = [values, second].find((each) => Array.isArray(each)) ?? []
    if (isRecording) seen.push({ text, name, values: sent })
    return Reflect.apply(query, client, args)
  },
})

const buy = () =>
  app.request('/api/purchases', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ product_id }),
  })
await buy()
isRecording = true
const response = await buy()
isRecording = false
if (response.status !== 201) throw new Error(`the purchase to be recorded was answered ${response.status}`)

const begin = seen.findIndex(({ text }) => /^begin/i.test(text))
const constant = new Set(ids(seen.slice(0, begin)).concat(product_id))
const recorded: RecordedPurchase = {
  transactions: [...seen.slice(0, begin).map((one) => [one]), seen.slice(begin)].map((transaction) =>
    transaction.map(({ text, name, values }) => ({ text, name, values })),
  ),
  freshIds: ids(seen.slice(begin)).filter((id) => !constant.has(id)),
}
console.log(JSON.stringify(recorded))
await closeShop(services)
await database.close()

function ids(statements: Statement[]): string[] {
  return JSON.stringify(statements.map(({ values }) => values)).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []
}
