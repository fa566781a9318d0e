// What a bucket's faults come to: a file is written whole or not at all, and read whole or with an error, in bounded time.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openFaultyBucket } from '#test/faulty-bucket.ts'
import type { Fault } from '#test/faulty-proxy.ts'
import { listNames, prepareStores } from '#test/stores.ts'
import { openTcpProxy } from '#test/tcp-proxy.ts'
import { openStorageAt } from './open-storage.ts'
import { StorageUnavailableError } from './storage.ts'
import { attempts, openBucketClient } from './bucket-client.ts'

const stores = prepareStores()
const size = 400_000
const content = randomBytes(size)
const half = size / 2

const lost: Fault = 'lost response'
const faults: Fault[] = [
  { status: 500, code: 'InternalError' },
  { status: 503, code: 'SlowDown' },
  'silence',
  { of: 'request', after: half, what: 'end' },
  { of: 'request', after: half, what: 'stop' },
  { of: 'request', after: half, what: 'damage' },
]

test.concurrent('a write survives any fault that passes', async () => {
  async function writeDespite(fault: Fault) {
    await using bucket = await openFaultyBucket(stores.openStrict(), 2_000)
    const { storage, direct, proxy } = bucket
    proxy.fail('PUT', fault)
    await storage.write('ebooks/1', Readable.from([content]))
    expect((await buffer(await direct.read('ebooks/1'))).equals(content), JSON.stringify(fault)).toBe(true)
    expect(proxy.calls.length, JSON.stringify(fault)).toBeGreaterThan(1)
  }
  await Promise.all([...faults, lost].map(writeDespite))
})

test.concurrent('a write that fails for good leaves nothing, in bounded time', async () => {
  async function writeInVain(fault: Fault) {
    await using bucket = await openFaultyBucket(stores.openStrict(), 500)
    const { storage, direct, proxy } = bucket
    proxy.fail('PUT', fault, 5)
    const since = Date.now()
    const written = storage.write('ebooks/1', Readable.from([content]))
    await expect(written, JSON.stringify(fault)).rejects.toThrow(StorageUnavailableError)
    // Five attempts and the pauses between them take 4 s; the rest is for a busy machine.
    expect(Date.now() - since, JSON.stringify(fault)).toBeLessThan(15_000)
    expect(proxy.calls.length).toBeLessThanOrEqual(5)
    return await direct.stat('ebooks/1')
  }
  const [afterLoss, ...others] = await Promise.all([lost, ...faults].map(writeInVain))
  for (const left of others) expect(left).toBeUndefined()
  // A caller without a response cannot know: what is there is whole.
  expect(afterLoss).toMatchObject({ size })
})

test.concurrent('a read goes on where it broke off', async () => {
  await using bucket = await openFaultyBucket(stores.openStrict(), 2_000)
  const { storage, direct, proxy } = bucket
  await direct.write('ebooks/1', content)
  proxy.fail('GET', { status: 503, code: 'SlowDown' })
  proxy.fail('GET', 'silence')
  proxy.fail('GET', { of: 'response', after: half, what: 'end' })
  proxy.fail('GET', { of: 'response', after: 0, what: 'end' })
  proxy.fail('GET', { of: 'response', after: half / 2, what: 'stop' })
  expect((await buffer(await storage.read('ebooks/1'))).equals(content)).toBe(true)
  const rest = [half, half, half * 1.5].map((start) => `GET bytes=${start}-${size - 1}`)
  // A busy machine may take a slow call for a dead one, and make it again.
  expect(new Set(proxy.calls)).toEqual(new Set(['GET', ...rest]))

  proxy.fail('GET', { of: 'response', after: 5, what: 'end' })
  const part = await buffer(await storage.read('ebooks/1', { start: 10, end: 29 }))
  expect(part.equals(content.subarray(10, 30))).toBe(true)
  expect(proxy.calls.at(-1)).toBe('GET bytes=15-29')
})

test.concurrent('a read that cannot be whole fails, in bounded time', async () => {
  /** The bytes before it fails, and how it does. */
  async function readInVain(planned: readonly [fault: Fault, times: number][], timeoutMs?: number) {
    await using bucket = await openFaultyBucket(stores.openStrict(), timeoutMs)
    const { storage, direct, proxy } = bucket
    await direct.write('ebooks/1', content)
    for (const [fault, times] of planned) proxy.fail('GET', fault, times)
    let bytes = 0
    const since = Date.now()
    const reading = async () => {
      for await (const chunk of await storage.read('ebooks/1')) bytes += Buffer.from(chunk).length
    }
    const error: unknown = await reading().catch((thrown: unknown) => thrown)
    expect(Date.now() - since).toBeLessThan(15_000)
    return { bytes, error }
  }

  const cut: Fault = { of: 'response', after: half, what: 'end' }
  const [broken, refused, damaged] = await Promise.all([
    readInVain(
      [
        [cut, 1],
        [{ of: 'response', after: 0, what: 'stop' }, 5],
      ],
      500,
    ),
    readInVain([[{ status: 500, code: 'InternalError' }, 5]]),
    readInVain([[{ of: 'response', after: 100, what: 'damage' }, 1]]),
  ])
  expect(broken.error).toBeInstanceOf(StorageUnavailableError)
  expect(broken.bytes).toBeLessThanOrEqual(half)
  expect(refused).toEqual({ bytes: 0, error: expect.any(StorageUnavailableError) })
  expect(damaged.error).toEqual(new Error('ebooks/1 is damaged'))
  expect(damaged.bytes).toBeLessThan(size)
})

test.concurrent('bytes of two contents never mix', async () => {
  await using bucket = await openFaultyBucket(stores.openStrict())
  const { storage, direct, proxy } = bucket
  await direct.write('ebooks/1', content)
  proxy.fail('GET', { of: 'response', after: half, what: 'end' })
  const reading = await storage.read('ebooks/1')
  await direct.write('ebooks/1', content.toReversed())
  await expect(buffer(reading)).rejects.toThrow('status 412')
})

test.concurrent('any call is repeated, and none where that cannot help', async () => {
  await using bucket = await openFaultyBucket(stores.openStrict(), 2_000)
  const { storage, direct, proxy } = bucket
  await direct.write('ebooks/1', content)
  for (const method of ['HEAD', 'GET', 'DELETE']) {
    proxy.fail(method, { status: 503, code: 'SlowDown' })
    proxy.fail(method, lost)
    proxy.fail(method, { delayMs: 100 })
  }
  expect(await storage.stat('ebooks/1')).toMatchObject({ size })
  expect(await listNames(storage, 'ebooks/')).toEqual(['ebooks/1'])
  await storage.remove('ebooks/1')
  expect(await direct.stat('ebooks/1')).toBeUndefined()

  const before = proxy.calls.length
  proxy.fail('HEAD', { status: 403, code: 'AccessDenied' })
  await expect(storage.stat('ebooks/1')).rejects.toThrow(/^looking up ebooks\/1 in the bucket .* status 403/)
  expect(proxy.calls.length).toBe(before + 1)
})

test.concurrent('any number of slow reads leave room for others, and end with their users', async ({
  expect,
}) => {
  await using bucket = await openFaultyBucket(stores.openStrict())
  const { storage, direct, proxy } = bucket
  await direct.write('ebooks/1', content)
  proxy.fail('GET', { of: 'response', after: 1_000, what: 'stop' }, 60)
  const reads = await Promise.all(Array.from({ length: 60 }, () => storage.read('ebooks/1')))
  expect(await storage.stat('ebooks/1')).toMatchObject({ size })
  for (const read of reads) read.destroy()
  await expect.poll(() => proxy.countConnections()).toBeLessThan(5)
})

test.concurrent('a slow connection is no fault, a cut one is made again, a dead one fails in bounded time', async () => {
  await using store = await stores.openStrict()
  const url = new URL(store.url)
  const port = Number(new URL(url.searchParams.get('endpoint')!).port)
  await using proxy = await openTcpProxy({ port })
  url.searchParams.set('endpoint', `http://127.0.0.1:${proxy.port}`)
  const storage = openStorageAt(url.href)
  proxy.link.bytesPerSecond = 2 * size
  await storage.write('ebooks/1', Readable.from([content]))
  const reading = buffer(await storage.read('ebooks/1'))
  setTimeout(() => proxy.cut(), 200)
  expect((await reading).equals(content)).toBe(true)
  const accept = await proxy.refuse()
  setTimeout(() => void accept(), 200)
  expect(await storage.stat('ebooks/1')).toMatchObject({ size })

  proxy.link.isBlackHole = true
  url.searchParams.set('timeout', '0.3')
  await expect(openStorageAt(url.href).stat('ebooks/1')).rejects.toThrow(StorageUnavailableError)
})

async function readAll(names: AsyncIterable<string>): Promise<void> {
  for await (const name of names) expect(name).toMatch(/^objects/)
}

test('a list that is no longer wanted ends its call and makes no other', async () => {
  await using bucket = await openFaultyBucket(stores.openStrict(), 60_000)
  const { storage, proxy } = bucket
  proxy.fail('GET', 'silence', 5)
  const stop = new AbortController()
  const listed = readAll(storage.list('objects/', stop.signal))
  await expect.poll(() => proxy.calls).toHaveLength(1)
  stop.abort()
  await expect(listed).rejects.toThrow(/listing objects\/ .* failed/)
  await expect.poll(() => proxy.countConnections()).toBe(0)
  expect(proxy.calls).toHaveLength(1)
})

// Which failures of a call to a bucket are worth another attempt.

const failed = (code: string) => Object.assign(new Error(code), { code })
const timedOut = Object.assign(new Error('no response'), { name: 'TimeoutError' })

test.each([
  [new TypeError('a bug'), false],
  [failed('ENOSPC'), false],
  [failed('ECONNRESET'), true],
  [timedOut, true],
])('without a response, %s is repeated: %s', async (fault, isRepeated) => {
  let calls = 0
  const writing = openBucketClient(new URL('s3://bucket')).call('writing 1', async () => {
    calls += 1
    throw fault
  })
  const failure = await writing.catch((error: unknown) => error)
  expect([calls, failure instanceof StorageUnavailableError]).toEqual([isRepeated ? attempts : 1, isRepeated])
})
