// A server that is killed in the middle of a restore by screen: the next start has the new shop or the restored one, whole.
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import type { RestoreState } from '#contract/setup/setup-restore.ts'
import type { Product } from '#contract/catalog/products.ts'
import { openDatabase } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { ensureBuilt } from '#tools/build.ts'
import { backupEntries, backupFile, passphrase } from '../backup-file.ts'
import { createTestDatabase } from '../database.ts'
import { readConfig } from '../../src/config.ts'
import { closeShop, openShop } from '../../src/shop.ts'
import { startShop, type Victim } from '../running-shop.ts'
import { openTestShop } from '../shop.ts'
import { startProcess } from '../start-process.ts'
import { createRandom } from '../torture/random.ts'
import type { Call } from '../call.ts'
import { uploadTo } from '../upload.ts'
import { createPerson, type Person } from '../users.ts'

beforeAll(() => ensureBuilt())
vi.setConfig({ testTimeout: 300_000 })

const random = createRandom(1)
/** So many that each step of a restore takes a while. */
const messageCount = 8_000

/** A shop with an admin, two orders and messages, as a file. */
async function makeBackup() {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const orders = [(await admin.buy(product_id)).id, (await (await shop.person()).buy(product_id)).id]
  await shop.services.database.pool.query(
    `insert into contact_messages (id, name, email, subject, message)
     select gen_random_uuid(), 'Ruth', 'ruth@example.com', 'Hello',
       (select string_agg(md5(n::text || part::text), ' ') from generate_series(1, 30) part)
     from generate_series(1, $1) n`,
    [messageCount],
  )
  const content = await backupFile(await backupEntries(shop.services))
  return { content, orders: orders.toSorted(), admin: { email: admin.email, password: admin.password } }
}

const backup = await makeBackup()

/** A new shop without an admin, and what its setup page asks of it. */
async function openNewShop({ isEmbedded = false } = {}) {
  await using undo = new AsyncDisposableStack()
  const folder = undo.use(await mkdtempDisposable(join(tmpdir(), 'lectern-killed-')))
  const given = isEmbedded ? undefined : undo.use(await createTestDatabase({ empty: true }))
  const env = { DATABASE_URL: given?.url ?? '', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }
  const shop = undo.use(await startShop(folder.path, { env }))
  const database =
    given ?? undo.use(await joinEmbeddedPostgres({ dataDir: folder.path, log: createLog('error') }))
  const { stdout } = await startProcess(process.execPath, ['dist/server/lectern.js', 'admin', 'setup-link'], {
    env: { ...env, DATA_DIR: folder.path, SITE_URL: shop.url },
  }).ended
  const token = new URL(stdout.trim()).hash.slice(1)
  const post = async (path: string, body: object) => {
    const response = await fetch(`${shop.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as RestoreState & { code?: string; access_token?: string }
  }
  const uploads = `${shop.url}/api/setup/restore/uploads`
  const send = (path: string, body: object = {}) => post(`/api/setup/restore/${path}`, { token, ...body })
  let closings = 1
  const stack = undo.move()
  return {
    ...shop,
    headers: { 'x-setup-link': token },
    uploads,
    post,
    send,
    upload: () => uploadTo(uploads, { 'x-setup-link': token }, backup.content, 'shop.tar'),
    open: (upload_id: string) => send('open', { source: { kind: 'file', upload_id }, passphrase }),
    /** The first state that `isSo`. The shop may be closed meanwhile. */
    until: (isSo: (state: RestoreState) => boolean) =>
      vi.waitUntil(
        async () => {
          const state = await send('state').catch(() => undefined)
          if (state?.problem) throw new Error(state.problem)
          return state && isSo(state) && state
        },
        { timeout: 120_000, interval: 2 },
      ),
    kill: (victim: Victim = 'the server') => shop.kill(victim, random),
    /** The first state in which nothing is under way. */
    untilEnded: () =>
      vi.waitUntil(
        async () => {
          const state = await send('state').catch(() => undefined)
          return state?.state && state.state !== 'restoring' && state
        },
        { timeout: 120_000, interval: 50 },
      ),
    /** The process has begun to close the shop, once more than the last time. */
    async untilClosing() {
      const path = join(folder.path, 'server.log')
      const count = async () =>
        (await readFile(path, 'utf8')).split('The shop closes, and opens again').length
      await vi.waitUntil(async () => (await count()) > closings, { timeout: 60_000, interval: 2 })
      closings = await count()
    },
    /** The orders of which the shop has said that they are made. While it closes and opens again, a request waits. */
    async buyUntilEnded() {
      const reader = await makeReader(shop.url, { dataDir: folder.path, databaseUrl: database.url })
      const products = (await (await reader.call('GET', '/api/products')).json()) as Product[]
      const { id } = products.find(({ format }) => format === 'digital')!
      const orders: string[] = []
      const end = new AbortController()
      const ended = this.untilEnded().finally(() => end.abort())
      while (!end.signal.aborted) {
        const order = await reader.buy(id).catch(() => undefined)
        if (order) orders.push(order.id)
      }
      await ended
      return orders
    },
    /** Of restores that did not end. */
    leftDatabases: async () => {
      await using here = openDatabase(database.url, { max: 1 })
      const { rows } = await here.pool.query(
        `select datname from pg_database where starts_with(datname, current_database() || '_restored_')`,
      )
      return rows
    },
    orders: async () => {
      await using here = openDatabase(database.url, { max: 1 })
      const { rows } = await here.pool.query<{ id: string }>('select id from purchases order by id')
      return rows.map(({ id }) => id)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function makeReader(url: string, place: { dataDir: string; databaseUrl: string }): Promise<Person> {
  await using database = openDatabase(place.databaseUrl)
  const config = readConfig({ DATA_DIR: place.dataDir, LOG_LEVEL: 'silent' })
  const services = await openShop(config, database, { log: createLog('silent') })
  const call: Call = (method, path, { body, headers, token } = {}) =>
    fetch(new URL(path, url), {
      method,
      headers: {
        'content-type': 'application/json',
        ...headers,
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  try {
    return await createPerson(services, call)
  } finally {
    await closeShop(services)
  }
}

type NewShop = Awaited<ReturnType<typeof openNewShop>>

async function open(shop: NewShop, upload_id: string): Promise<string> {
  expect(await shop.open(upload_id)).toMatchObject({ state: 'opening' })
  return (await shop.until(({ state }) => state === 'opened')).backup!.name
}

async function expectNew(shop: NewShop): Promise<void> {
  expect(await shop.send('state')).toMatchObject({ state: 'none', problem: null })
  expect(await shop.orders()).toEqual([])
}

async function expectRestored(shop: NewShop): Promise<void> {
  expect(await shop.send('state')).toMatchObject({ state: 'restored' })
  expect(await shop.orders()).toEqual(backup.orders)
  const session = await shop.post('/auth/v1/token?grant_type=password', backup.admin)
  expect(session.access_token).toEqual(expect.any(String))
}

async function restore(shop: NewShop, upload_id: string): Promise<void> {
  const name = await open(shop, upload_id)
  expect(await shop.send('start', { name })).toMatchObject({ state: 'restoring' })
  await shop.until(({ state }) => state === 'restored')
  await expectRestored(shop)
}

test('killed before the shop is closed, it starts as the new one, whose link and upload go on to a restore', async () => {
  await using shop = await openNewShop()
  const tus = { ...shop.headers, 'tus-resumable': '1.0.0' }
  const begun = await fetch(shop.uploads, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(backup.content.length),
      'upload-metadata': `filename ${Buffer.from('shop.tar').toString('base64')}`,
    },
  })
  const place = new URL(begun.headers.get('location')!, shop.uploads).href
  const patch = (from: number, to?: number) =>
    fetch(place, {
      method: 'PATCH',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
      body: new Uint8Array(backup.content.subarray(from, to)),
    })
  const half = backup.content.length >> 1
  expect((await patch(0, half)).status).toBe(204)
  await shop.kill()
  await expectNew(shop)
  const head = await fetch(place, { method: 'HEAD', headers: tus })
  expect(head.headers.get('upload-offset')).toBe(String(half))
  expect((await patch(half)).status).toBe(204)
  const upload_id = place.split('/').at(-1)!

  for (const isUnpacking of [false, true]) {
    await shop.open(upload_id)
    await shop.until(
      ({ state, step, total }) => state === 'opened' || (step === 'reading' && total > 0 === isUnpacking),
    )
    await shop.kill()
    await expectNew(shop)
  }
  const reached = new Set<string>()
  for (const step of ['checking', 'tables', 'files', 'copies'] as const) {
    const name = await open(shop, upload_id)
    await shop.send('start', { name })
    const state = await shop.until((each) => each.step === step || each.step === 'closed')
    reached.add(state.step!)
    if (state.step === 'closed') break
    await shop.kill()
    await expectNew(shop)
  }
  expect([...reached]).toContain('tables')
  await restore(shop, upload_id)
  expect(await shop.leftDatabases()).toEqual([])
})

test('killed while it is closed, it starts as the new one or as the restored one', async () => {
  const found = { new: 0, restored: 0 }
  let shop = await openNewShop()
  try {
    let upload_id = await shop.upload()
    for (const delayMs of [0, 60, 250]) {
      const name = await open(shop, upload_id)
      await shop.send('start', { name })
      await shop.untilClosing()
      await sleep(delayMs)
      await shop.kill()
      const { state } = await shop.send('state')
      found[state === 'restored' ? 'restored' : 'new'] += 1
      if (state === 'restored') {
        await expectRestored(shop)
        await shop[Symbol.asyncDispose]()
        shop = await openNewShop()
        upload_id = await shop.upload()
      } else await expectNew(shop)
    }
    console.log('killed while closed:', found)
    await restore(shop, upload_id)
  } finally {
    await shop[Symbol.asyncDispose]()
  }
})

test('PostgreSQL killed in a restore leaves the new shop or the restored one, and a new one is restored then', async () => {
  const found: string[] = []
  let shop = await openNewShop({ isEmbedded: true })
  try {
    let upload_id = await shop.upload()
    for (const step of ['tables', 'files', 'closed'] as const) {
      const name = await open(shop, upload_id)
      await shop.send('start', { name })
      if (step === 'closed') await shop.untilClosing()
      else await shop.until((each) => each.step === step || each.step === 'closed')
      await shop.kill('PostgreSQL')
      const { state, problem } = await shop.untilEnded()
      found.push(`${step}: ${state}`)
      if (state === 'restored') {
        await expectRestored(shop)
        await shop[Symbol.asyncDispose]()
        shop = await openNewShop({ isEmbedded: true })
        upload_id = await shop.upload()
      } else {
        expect([state, problem]).toEqual(['failed', expect.stringContaining('The database did not respond')])
        expect(await shop.orders()).toEqual([])
      }
    }
    console.log('PostgreSQL killed:', found)
    await restore(shop, upload_id)
  } finally {
    await shop[Symbol.asyncDispose]()
  }
})

test('an order that was acknowledged during the restore ends it, and is there after the kill', async () => {
  await using shop = await openNewShop()
  const name = await open(shop, await shop.upload())
  await shop.send('start', { name })
  await shop.until(({ step }) => step !== 'checking')
  const acknowledged = await shop.buyUntilEnded()
  await shop.kill()
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(await shop.orders()).toEqual(expect.arrayContaining(acknowledged))
  expect(await shop.send('start', { name })).toMatchObject({ code: 'setup.in_use' })
})
