// Rules of /metrics: who gets it, what it holds, and that it neither fails nor weighs on the shop.
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import { openDatabase } from '#platform/db/client.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { runDueBackup } from '#domains/backup/due-backups.ts'
import { openMetrics } from './metrics.ts'

const token = 'a token that only Prometheus has'
const env = { METRICS_TOKEN: token }

async function scrape(shop: TestShop): Promise<string> {
  const response = await shop.call('GET', '/metrics', { token })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  return response.text()
}

/** The value of a sample, written as the text has it. */
function valueOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

test('metrics are there for the token only, and without a token set like any unknown path', async () => {
  await using closed = await openTestShop({ isEmpty: true, hasWorkers: false })
  for (const given of [undefined, token]) {
    const response = await closed.call('GET', '/metrics', given === undefined ? {} : { token: given })
    const { code } = (await response.json()) as { code: string }
    expect([response.status, code]).toEqual([404, 'request.not_found'])
  }

  await using shop = await openTestShop({ env, isEmpty: true, hasWorkers: false })
  for (const authorization of ['', token, `Bearer ${token}x`, `Bearer ${token.slice(1)}`]) {
    const response = await shop.call('GET', '/metrics', { headers: { authorization } })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await response.text()).not.toContain('lectern_')
  }
  expect(await scrape(shop)).toContain('lectern_database_up 1\n')
})

test('requests count by method, pattern and class of status, and no path or id is a label', async () => {
  await using shop = await openTestShop({ env })
  const reader = await shop.person()
  const { id } = await reader.buy((await shop.product('digital')).id)
  await reader.call('POST', `/api/purchases/${id}/download`, { body: {} })
  await shop.call('GET', `/api/files/${id}`)
  await shop.call('GET', `/${id}/never-heard-of`)
  await shop.call('GET', `/api/${id}`)
  await shop.call('PROPFIND', '/api/products')
  const text = await scrape(shop)
  const count = (labels: string) => valueOf(text, `lectern_http_request_duration_seconds_count{${labels}}`)
  expect(count('method="POST",route="/api/purchases",status="2xx"')).toBe(1)
  expect(count('method="POST",route="/api/purchases/:id/download",status="2xx"')).toBe(1)
  expect(count('method="GET",route="/api/files/:token",status="4xx"')).toBe(1)
  expect(count('method="GET",route="unknown",status="4xx"')).toBe(2)
  expect(count('method="other",route="unknown",status="4xx"')).toBe(1)
  expect(text).not.toContain(id)
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeDefined()
  expect(valueOf(text, 'lectern_database_connections{state="open"}')).toBeGreaterThan(0)
})

test('jobs, mails, purchases and what needs attention are counted', async () => {
  await using smtp = await openSmtpServer('refuses for now')
  await using shop = await openTestShop({ env: { ...env, SMTP_URL: smtp.url } })
  const reader = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const bought = await Promise.all([1, 2, 3].map(() => reader.buy(product_id)))
  const { pool } = shop.services.database
  const change = (status: string, id?: string) =>
    pool.query('update purchases set status = $1 where id = $2', [status, id])
  await change('refunded', bought[0]?.id)
  await change('partially_refunded', bought[1]?.id)
  await pool.query("insert into payment_events (id, type, problem) values ('evt_1', 'x', 'y')")
  await vi.waitFor(async () => {
    const { rows } = await pool.query("select from pgboss.job where state = 'retry'")
    expect(rows).toHaveLength(3)
  })
  const text = await scrape(shop)
  expect(valueOf(text, 'lectern_mails_total{result="failed"}')).toBeGreaterThanOrEqual(3)
  expect(valueOf(text, 'lectern_mails_total{result="sent"}')).toBe(0)
  const job = (state: string) =>
    valueOf(text, `lectern_queue_jobs{queue="mail.receipt",state="${state}"}`) ?? NaN
  expect(job('waiting') + job('later')).toBe(3)
  expect(valueOf(text, 'lectern_queue_oldest_seconds{queue="mail.receipt"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'lectern_purchases{status="completed"}')).toBe(1)
  expect(valueOf(text, 'lectern_purchases{status="partially_refunded"}')).toBe(1)
  expect(valueOf(text, 'lectern_purchases{status="refunded"}')).toBe(1)
  expect(valueOf(text, 'lectern_needs_attention{kind="event"}')).toBe(1)
  expect(valueOf(text, 'lectern_needs_attention{kind="mail"}')).toBe(0)
})

test('a part that fails is said to, and leaves the others', async () => {
  await using shop = await openTestShop({ env, hasWorkers: false })
  await shop.services.database.pool.query('alter table sales_day rename to elsewhere')
  const text = await scrape(shop)
  expect(valueOf(text, 'lectern_scrape_failed{part="purchases"}')).toBe(1)
  expect(valueOf(text, 'lectern_scrape_failed{part="queues"}')).toBe(0)
  expect(text).not.toContain('lectern_purchases{')
  expect(text).toContain('lectern_queue_jobs{')
})

test('a slow query is cut, and a fast scraper gets the figures of the last time', async () => {
  await using shop = await openTestShop({ env, hasWorkers: false })
  const { pool } = shop.services.database
  const blocker = await pool.connect()
  await blocker.query('begin; lock table payment_events in access exclusive mode')
  const since = performance.now()
  const [text] = await Promise.all([scrape(shop), scrape(shop), scrape(shop)])
  expect(performance.now() - since).toBeLessThan(6_000)
  expect(valueOf(text, 'lectern_scrape_failed{part="needs_attention"}')).toBe(1)
  expect(valueOf(text, 'lectern_scrape_failed{part="purchases"}')).toBe(0)
  await blocker.query('rollback')
  blocker.release()
  const again = performance.now()
  for (let n = 0; n < 20; n += 1)
    expect(await scrape(shop)).toContain('lectern_scrape_failed{part="needs_attention"} 1')
  expect(performance.now() - again).toBeLessThan(2_000)
})

test('with every connection of the shop taken, the metrics say so', async () => {
  await using shop = await openTestShop({ env, hasWorkers: false })
  const { pool } = shop.services.database
  const taken = await Promise.all(Array.from({ length: 16 }, () => pool.connect()))
  const waiting = pool.query('select 1')
  const text = await scrape(shop)
  expect(valueOf(text, 'lectern_database_connections{state="idle"}')).toBe(0)
  expect(valueOf(text, 'lectern_database_connections{state="waiting"}')).toBe(1)
  expect(valueOf(text, 'lectern_database_up')).toBe(1)
  for (const client of taken) client.release()
  await waiting
})

/** Takes connections and never responds. */
async function openSilentServer(): Promise<Server> {
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

test('a database that is silent is reported within seconds', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  await using server = await openSilentServer()
  const { port } = server.address() as { port: number }
  await using database = openDatabase(`postgres://a:b@127.0.0.1:${port}/c`)
  await using metrics = openMetrics({ settings: shop.services.settings, database, token, folders: {} })
  const since = performance.now()
  const text = await metrics.write()
  expect(performance.now() - since).toBeLessThan(5_000)
  expect(valueOf(text, 'lectern_database_up')).toBe(0)
  expect(valueOf(text, 'lectern_scrape_failed{part="queues"}')).toBe(1)
  expect(text).toContain('process_resident_memory_bytes')
})

test('the ages of backups and rehearsals are there by place, and the free space by folder', async () => {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'lectern-elsewhere-'))
  const url = pathToFileURL(elsewhere.path).href
  await using shop = await openTestShop({
    env: { ...env, BACKUP_URL: `${url}?key=secret` },
    hasWorkers: false,
    clock: () => new Date(Date.now() + 12 * hourMs),
  })
  const { services } = shop
  await runDueBackup(services)
  await services.database.pool.query(`
    update backup_states set succeeded_at = now() - interval '100 s', created_at = now() - interval '200 s'`)
  await services.database.pool.query(
    `update backup_states set succeeded_at = null where kind = 'rehearsal' and place = $1`,
    [elsewhere.path],
  )
  const text = await scrape(shop)
  const own = services.backupTargets()[0].label
  const ageOf = (kind: string, place: string) =>
    valueOf(text, `lectern_${kind}_age_seconds{place="${place}"}`)
  for (const place of [own, elsewhere.path]) expect(Math.round(ageOf('backup', place)! / 10)).toBe(10)
  expect(Math.round(ageOf('rehearsal', own)! / 10)).toBe(10)
  expect(Math.round(ageOf('rehearsal', elsewhere.path)! / 10)).toBe(20)
  expect(valueOf(text, 'lectern_disk_free_bytes{folder="data"}')).toBeGreaterThan(1_000_000)
  expect(valueOf(text, 'lectern_disk_free_bytes{folder="backups"}')).toBeGreaterThan(1_000_000)
  expect(text).not.toContain('secret')
})
