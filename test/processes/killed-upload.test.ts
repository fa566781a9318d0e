// A server that is killed while a file is on its way in: the file goes on from where it was, and nothing is left over.
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { Upload } from 'tus-js-client'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { readConfig } from '../../src/config.ts'
import { createLog } from '#platform/log.ts'
import { openDatabase } from '#platform/db/client.ts'
import { closeShop, openShop } from '../../src/shop.ts'
import { sweepStoredFiles } from '#domains/catalog/products.ts'
import { ensureBuilt } from '#tools/build.ts'
import { createTestDatabase } from '../database.ts'
import { createRandom } from '../torture/random.ts'
import { admin, startShop } from '../running-shop.ts'

beforeAll(() => ensureBuilt())

const day = 24 * 3_600_000
const random = createRandom(1)
/** Large enough to be killed in its middle. */
const book = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  randomBytes(12_000_000),
  Buffer.from('startxref\n0\n%%EOF'),
])

test('an upload outlives a killed server and becomes a product; what never became one is swept away', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-killed-'))
  await using database = await createTestDatabase()
  await using shop = await startShop(folder.path, { env: { DATABASE_URL: database.url } })
  const call = async (method: string, path: string, headers: Record<string, string>, body?: string) =>
    fetch(new URL(path, shop.url), { method, headers, ...(body && { body }) })
  const json = { 'content-type': 'application/json' }
  const session = await call('POST', '/auth/v1/token?grant_type=password', json, JSON.stringify(admin))
  const { access_token } = (await session.json()) as { access_token: string }
  const authorization = `Bearer ${access_token}`

  const begun = await begin(shop.url, authorization)
  const forgotten = await begin(shop.url, authorization)
  await Promise.all([
    sendPart(begun, authorization, folder.path),
    sendPart(forgotten, authorization, folder.path),
  ])
  await shop.kill('the server', random)

  const tus = { authorization, 'tus-resumable': '1.0.0' }
  const kept = Number((await call('HEAD', begun, tus)).headers.get('upload-offset'))
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(book.length)
  const sent = await goOn(begun, authorization)
  expect(sent).toBe(book.length - kept)

  const fields = { name: 'A Book That Came Twice', price: 9.99, format: 'digital' }
  const product = JSON.stringify({ ...fields, upload_id: begun.split('/').at(-1) })
  const asked = call('POST', '/api/admin/products', { ...json, authorization }, product).catch(
    () => undefined,
  )
  await sleep(20)
  await shop.kill('the server', random)
  await asked
  const adminProducts = await call('GET', '/api/admin/products', { authorization })
  const made = ((await adminProducts.json()) as AdminProduct[]).filter(({ name }) => name === fields.name)
  expect(made.length).toBeLessThanOrEqual(1)

  const place = { dataDir: folder.path, databaseUrl: database.url }
  await sweepLater(place)
  expect(await readdir(join(folder.path, 'uploads'))).toEqual([])
  expect(await storedFiles(folder.path)).toEqual(await soldFiles(place))
  expect(await shop.stop()).toBe(0)
})

async function begin(url: string, authorization: string): Promise<string> {
  const response = await fetch(`${url}/api/admin/uploads`, {
    method: 'POST',
    headers: {
      authorization,
      'tus-resumable': '1.0.0',
      'upload-length': String(book.length),
      'upload-metadata': `filename ${Buffer.from('book.pdf').toString('base64')}`,
    },
  })
  return new URL(response.headers.get('location')!, `${url}/api/admin/uploads`).href
}

/** Half of what it says it sends; returns once some of it is on the disk. */
async function sendPart(place: string, authorization: string, dataDir: string): Promise<void> {
  const sending = request(place, {
    method: 'PATCH',
    headers: {
      authorization,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
      'content-length': book.length,
    },
  })
  sending.on('error', () => undefined)
  sending.write(book.subarray(0, book.length / 2))
  const path = join(dataDir, 'uploads', place.split('/').at(-1)!)
  await expect.poll(() => statSync(path).size).toBeGreaterThan(0)
}

/** The bytes that were still to be sent. */
async function goOn(place: string, authorization: string): Promise<number> {
  let first: number | undefined
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(book, {
      uploadUrl: place,
      headers: { authorization },
      retryDelays: null,
      onProgress: (sent) => void (first ??= sent),
      onError: reject,
      onSuccess: () => resolve(),
    })
    upload.start()
  })
  return book.length - first!
}

/** As the shop does every hour, some days from now. */
async function sweepLater(place: Place): Promise<void> {
  await onData(place, (services) => sweepStoredFiles(services))
}

async function soldFiles(place: Place): Promise<string[]> {
  return await onData(place, async ({ database }) => {
    const { rows } = await database.pool.query<{ file_path: string }>(
      'select file_path from product_files order by file_path',
    )
    return rows.map(({ file_path }) => file_path)
  })
}

async function storedFiles(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'files/ebooks'))
  return names.map((name) => `ebooks/${name}`).toSorted()
}

type Place = { dataDir: string; databaseUrl: string }

async function onData<Result>(
  { dataDir, databaseUrl }: Place,
  work: (services: Awaited<ReturnType<typeof openShop>>) => Promise<Result>,
): Promise<Result> {
  const log = createLog('silent')
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const clock = () => new Date(Date.now() + 4 * day)
  await using database = openDatabase(databaseUrl)
  const services = await openShop(config, database, { log, clock })
  try {
    return await work(services)
  } finally {
    await closeShop(services)
  }
}
