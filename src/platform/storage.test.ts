// Rules of keeping files, in a folder and in a bucket.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { Hono } from 'hono'
import { expect, test, vi } from 'vitest'
import { createErrorHandler } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { createLog } from '#platform/log.ts'
import { bucketFaults, openTestBucket, type BucketFault } from '#test/s3.ts'
import { openStorage, type Storage } from './storage.ts'

type Place = AsyncDisposable & { storage: Storage; namesLeft(): Promise<string[]> }

const places: Record<string, () => Promise<Place>> = {
  async folder() {
    const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-files-'))
    return {
      storage: openStorage({ storageUrl: pathToFileURL(folder.path).href, dataDir: '/nowhere' }),
      async namesLeft() {
        const entries = await readdir(folder.path, { recursive: true, withFileTypes: true })
        return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
      },
      [Symbol.asyncDispose]: () => folder.remove(),
    }
  },
  async bucket() {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key').stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    const bucket = await openTestBucket()
    return {
      storage: openStorage({ storageUrl: bucket.url, dataDir: '/nowhere' }),
      namesLeft: async () => [...bucket.files.keys()],
      async [Symbol.asyncDispose]() {
        vi.unstubAllEnvs()
        await bucket[Symbol.asyncDispose]()
      },
    }
  },
}

test.each(Object.keys(places))(
  'in a %s a file comes back whole and in part, under a tag of its own',
  async (kind) => {
    await using place = await places[kind]!()
    const { storage } = place
    const content = randomBytes(700_000)
    await using aside = await mkdtempDisposable(join(tmpdir(), 'lectern-aside-'))
    await writeFile(join(aside.path, 'a'), content)
    await storage.write('ebooks/1-a.epub', createReadStream(join(aside.path, 'a')))
    await storage.write('ebooks/2-a.epub', content.subarray(1))
    await storage.write(
      'ebooks/3-a.epub',
      Readable.from([content.subarray(0, 400_000), content.subarray(400_000)]),
    )
    const file = await storage.stat('ebooks/1-a.epub')
    expect(file).toMatchObject({ size: 700_000, etag: expect.stringMatching(/^"[^"]+"$/) })
    expect(file!.modified.getTime()).toBeLessThanOrEqual(Date.now())
    expect((await storage.stat('ebooks/2-a.epub'))!.etag).not.toBe(file!.etag)
    for (const name of ['ebooks/1-a.epub', 'ebooks/3-a.epub']) {
      expect((await buffer(await storage.read(name))).equals(content)).toBe(true)
    }
    const part = await buffer(await storage.read('ebooks/1-a.epub', { start: 299_999, end: 300_000 }))
    expect(part.equals(content.subarray(299_999, 300_001))).toBe(true)

    await storage.remove('ebooks/1-a.epub')
    expect(await storage.stat('ebooks/1-a.epub')).toBeUndefined()
    expect(await storage.stat('ebooks/never.epub')).toBeUndefined()
    await expect(storage.read('ebooks/never.epub').then(buffer)).rejects.toThrow()
  },
)

test.each(Object.keys(places))('in a %s a transfer that breaks leaves nothing behind', async (kind) => {
  await using place = await places[kind]!()
  async function* breaking() {
    yield Buffer.alloc(100_000)
    throw new Error('the line went dead')
  }
  const broken = place.storage.write('ebooks/1-a.epub', Readable.from(breaking()))
  await expect(broken).rejects.toThrow()
  expect(await place.storage.stat('ebooks/1-a.epub')).toBeUndefined()
  expect(await place.namesLeft()).toEqual([])
})

async function openFaultyBucket(chooseFault: () => BucketFault | undefined) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key').stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  const bucket = await openTestBucket({ chooseFault })
  const storage = openStorage({ storageUrl: bucket.url, dataDir: '/nowhere' })
  return { storage, [Symbol.asyncDispose]: bucket[Symbol.asyncDispose] }
}

test.each(bucketFaults)('a bucket that fails once with %s is asked again', async (fault) => {
  let next: BucketFault | undefined
  await using place = await openFaultyBucket(() => {
    const chosen = next
    next = undefined
    return chosen
  })
  const content = randomBytes(300_000)
  next = fault
  await place.storage.write('ebooks/1-a.epub', Readable.from([content]))
  next = fault
  expect((await buffer(await place.storage.read('ebooks/1-a.epub'))).equals(content)).toBe(true)
  next = fault
  const part = await buffer(await place.storage.read('ebooks/1-a.epub', { start: 10, end: 200_000 }))
  expect(part.equals(content.subarray(10, 200_001))).toBe(true)
  expect(next).toBeUndefined()
})

test('a bucket that is away is said with 503, to be asked again', async () => {
  await using place = await openFaultyBucket(() => '500')
  const app = new Hono<ApiEnv>().get('/', async () =>
    Response.json(await place.storage.stat('ebooks/1-a.epub')),
  )
  app.onError(createErrorHandler({ log: createLog('silent') }))
  const response = await app.request('/')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await response.json()).toMatchObject({ code: 'server.unavailable' })
})
