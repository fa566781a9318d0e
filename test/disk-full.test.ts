// A disk that takes nothing more: a small file system where one may be mounted, an error of the driver elsewhere.
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { failureReason } from '#platform/errors.ts'
import { createLog } from '#platform/log.ts'
import { openStorage } from '#platform/open-storage.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { openSmallDisk } from './small-disk.ts'
import { noPages } from './without-pages.ts'

const full = {
  code: 'server.full',
  status: 503,
  detail: 'The shop has no room left to store anything. Its owner has to make some first.',
}
const tus = { 'tus-resumable': '1.0.0' }
const metadata = `filename ${Buffer.from('book.pdf').toString('base64')}`
const smallBytes = 4 * 1024 * 1024

async function beginUpload(shop: TestShop, token: string, bytes: number) {
  const headers = { ...tus, 'upload-length': String(bytes), 'upload-metadata': metadata }
  return shop.call('POST', '/api/admin/uploads', { headers, token })
}

async function sendPiece(shop: TestShop, token: string, place: string, body: Buffer<ArrayBuffer>) {
  return fetch(new URL(place, shop.url), {
    method: 'PATCH',
    headers: {
      ...tus,
      authorization: `Bearer ${token}`,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body,
  })
}

test('a full disk is said by uploads and readiness, and forgotten once there is room', async (context) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-small-disk-'))
  await using disk = openSmallDisk(folder.path, smallBytes)
  if (!disk) {
    context.skip('no file system may be mounted here')
    return
  }
  await using shop = await openTestShop({ env: { DATA_DIR: disk.path } })
  const { token } = await shop.person({ role: 'admin' })
  const ready = async () => {
    const response = await shop.call('GET', '/api/ready')
    return [response.status, await response.json()]
  }
  expect(await ready()).toEqual([200, { status: 'ok' }])
  const book = Buffer.alloc(1_000_000, 'x')
  const begun = await beginUpload(shop, token, book.length)
  expect(begun.status).toBe(201)
  const tooLarge = await beginUpload(shop, token, 2 * smallBytes)
  expect([tooLarge.status, await tooLarge.json()]).toMatchObject([503, full])

  disk.fill()
  expect(await ready()).toEqual([503, { status: 'the disk is full' }])
  const refused = await sendPiece(shop, token, begun.headers.get('location')!, book)
  expect(refused.headers.get('content-type')).toBe('application/problem+json')
  expect([refused.status, await refused.json()]).toMatchObject([503, full])
  expect(refused.headers.get('retry-after')).toBe('60')
  const another = await beginUpload(shop, token, 10)
  expect([another.status, await another.json()]).toMatchObject([503, full])

  disk.makeRoom()
  expect(await ready()).toEqual([200, { status: 'ok' }])
  const sent = await sendPiece(shop, token, begun.headers.get('location')!, book)
  expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, String(book.length)])
})

test.each(['53100', 'ENOSPC', 'EDQUOT'])(
  'an error %s of the database or of storage is a full disk',
  async (code) => {
    await using shop = await openTestShop({ isEmpty: true })
    const handle = () => {
      throw new Error('The query failed.', { cause: Object.assign(new Error('no space left'), { code }) })
    }
    const app = createApp({ ...shop.services, log: createLog('silent') }, { ...noPages, handle })
    const response = await app.request('/fails')
    expect([response.status, await response.json()]).toMatchObject([503, full])
  },
)

test('a folder that is full says so, and leaves nothing of what it could not store', async (context) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-small-disk-'))
  await using disk = openSmallDisk(folder.path, smallBytes)
  if (!disk) {
    context.skip('no file system may be mounted here')
    return
  }
  const storage = openStorage({ storageUrl: undefined, dataDir: disk.path })
  disk.fill()
  const failed = await storage
    .write('ebooks/1-a.epub', Readable.from([Buffer.alloc(100_000)]))
    .catch(failureReason)
  expect(failed).toBe('There is no room left on the disk.')
  disk.makeRoom()
  expect(await readdir(disk.path, { recursive: true })).not.toContainEqual(expect.stringMatching(/incoming./))
})

test('what failed first is said, not what failed at closing', () => {
  const first = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const failure = new SuppressedError(new Error('Connection terminated'), first)
  expect(failureReason(failure)).toBe('There is no room left on the disk.')
  expect(failureReason(new SuppressedError(new Error('b'), new Error('a')))).toBe('a')
})
