// A PostgreSQL that is stopped (SIGSTOP): it accepts connections and says nothing.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { beforeAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { createLog } from '#platform/log.ts'
import { ensureBuilt } from '#tools/build.ts'
import { readConfig } from '../../src/config.ts'
import { startShop } from '../../src/start-shop.ts'
import { openLogLines } from '../log-lines.ts'
import { processesIn, signalAll } from '../postgres-owner.ts'

beforeAll(() => ensureBuilt())

const password = 'correct horse'
const email = 'author@books.example'

async function openFreezableShop() {
  await using undo = new AsyncDisposableStack()
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-frozen-'))
  undo.defer(() => folder.remove())
  const dataDir = folder.path
  const settings = { fsync: 'off' }
  const postgres = undo.use(await startEmbeddedPostgres({ dataDir, log: createLog('silent'), settings }))
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    RATE_LIMIT: 'off',
  })
  const { log, lines } = openLogLines('warn')
  const running = await startShop(config, { log, databaseUrl: postgres.url })
  undo.defer(() => running.stop())
  const stopped = () => processesIn(join(dataDir, 'postgres/cluster'))
  const thaw = () => signalAll(stopped(), 'SIGCONT')
  undo.defer(thaw)
  const stack = undo.move()
  return {
    ...running,
    lines,
    url: `http://127.0.0.1:${running.port}`,
    freeze: () => signalAll(stopped(), 'SIGSTOP'),
    thaw,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function timed(url: string, init?: RequestInit) {
  const since = performance.now()
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, text, ms: performance.now() - since, headers: response.headers }
}

test('what was published just before PostgreSQL froze is on every page, also on one that was rendered before', async () => {
  await using frozen = await openFreezableShop()
  const { url } = frozen
  const pages = ['/', '/preview', '/auth']
  for (const path of pages) await timed(url + path)
  const json = { 'content-type': 'application/json' }
  const post = (path: string, method: string, body: object, headers = {}) =>
    timed(url + path, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) })
  const { text } = await post('/auth/v1/token?grant_type=password', 'POST', { email, password })
  const bearer = { authorization: `Bearer ${JSON.parse(text).access_token}` }
  const document = { ...sampleBook, rating: null, title: 'The Long Road Home' }
  await post('/api/admin/book/draft', 'PUT', { revision: 0, document }, bearer)
  expect(await post('/api/admin/book/publish', 'POST', { revision: 1 }, bearer)).toMatchObject({
    status: 200,
  })
  frozen.freeze()
  for (const path of pages) {
    const page = await timed(url + path)
    expect(page.text.includes('The Long Road Home'), path).toBe(true)
    expect(page.ms).toBeLessThan(2_000)
  }
})

test('while PostgreSQL is frozen the kept pages are served at once, also after they were dropped, and the rest is refused', async () => {
  await using frozen = await openFreezableShop()
  const { url, shop } = frozen
  const kept = ['/', '/auth', '/nowhere', '/api/products']
  for (const path of kept) await timed(url + path)
  frozen.freeze()
  // As a notification does that came just before.
  shop.catalogue.drop()
  shop.book.drop()
  const pages: Awaited<ReturnType<typeof timed>>[] = []
  const calls: ReturnType<typeof timed>[] = []
  // A query that waits for longer than 20 s is refused, too; some have to be answered after the thaw.
  const end = Date.now() + 10_000
  for (let round = 0; round <= 20 || Date.now() < end; round += 1) {
    const body = JSON.stringify({ email, password })
    const headers = { 'content-type': 'application/json' }
    if (round < 40)
      calls.push(timed(`${url}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body }))
    for (const path of kept) pages.push(await timed(url + path))
    // The pages that nobody had asked for.
    if (round === 10) expect(await timed(`${url}/dashboard`)).toMatchObject({ status: 200 })
    if (round === 20) {
      const ready = await timed(`${url}/api/ready`)
      expect(ready).toMatchObject({ status: 503, text: expect.stringContaining('the database is away') })
      expect(ready.ms).toBeLessThan(1_000)
    }
    await sleep(100)
  }
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200, 404]))
  // The busy machine of a test run delays some by more than 100 ms; what waits for the database waits for seconds.
  const times = pages.map(({ ms }) => ms).toSorted((a, b) => a - b)
  expect(times[Math.floor(times.length * 0.9)]).toBeLessThan(100)
  expect(times.at(-1)).toBeLessThan(2_000)
  frozen.thaw()
  const answered = await Promise.all(calls)
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([503, 200]))
  await expect.poll(async () => (await timed(`${url}/api/ready`)).status).toBe(200)
  expect((await timed(url)).text).toContain('39.99')
  const outage = frozen.lines.filter(({ level }) => level === 'warn' || level === 'error')
  expect(outage.map(({ msg, count }) => [msg, count])).toEqual([
    ['the database is away: so often was it asked in vain since the last such line', 1],
  ])
})
