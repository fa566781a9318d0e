// Pieces of an upload: each in its place, one sender at a time.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openTestShop } from '#test/shop.ts'

async function openUpload({ size = 1000 } = {}) {
  const shop = await openTestShop({ hasWorkers: false })
  const { token } = await shop.person({ role: 'admin' })
  const tus = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const made = await shop.call('POST', '/api/admin/uploads', {
    headers: { ...tus, 'upload-length': String(size), 'upload-metadata': `filename ${btoa('a.pdf')}` },
  })
  const place = new URL(made.headers.get('location')!, `${shop.url}/api/admin/uploads`)
  /** Sends `content`, or as many of one letter, and says that it sends `says`. */
  const send = (
    at: number,
    content: number | Buffer,
    {
      says = typeof content === 'number' ? content : content.length,
      type = 'application/offset+octet-stream',
    } = {},
  ) => {
    const headers = { ...tus, 'content-type': type, 'upload-offset': at, 'content-length': says }
    const sending = request(place, { method: 'PATCH', headers })
    sending.on('error', () => undefined)
    sending.write(typeof content === 'number' ? Buffer.alloc(content, 'x') : content)
    return sending
  }
  async function status(...piece: Parameters<typeof send>) {
    const sending = send(...piece)
    sending.end()
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    response.resume()
    return [response.statusCode, response.headers['upload-offset']]
  }
  const offset = async () =>
    (await shop.call('HEAD', place.pathname, { headers: tus })).headers.get('upload-offset')
  const { log, config } = shop.services
  const path = join(config.dataDir, 'uploads', place.pathname.split('/').at(-1)!)
  return {
    shop,
    tus,
    place,
    send,
    status,
    offset,
    path,
    log,
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

test('a piece goes where the last one ended, and nowhere else', async () => {
  await using upload = await openUpload()
  expect(await upload.status(0, 400)).toEqual([204, '400'])
  expect(await upload.status(0, 400)).toEqual([409, undefined])
  expect(await upload.status(500, 400)).toEqual([409, undefined])
  expect(await upload.status(400, 601)).toEqual([413, undefined])
  expect(await upload.status(400, 100, { type: 'text/plain' })).toEqual([400, undefined])
  expect(await upload.offset()).toBe('400')
  expect(await upload.status(400, 600)).toEqual([204, '1000'])
})

test('every byte of a large piece arrives as it was sent', async () => {
  const bytes = randomBytes(5_000_000)
  await using upload = await openUpload({ size: bytes.length })
  expect(await upload.status(0, bytes.subarray(0, 3_000_000))).toEqual([204, '3000000'])
  expect(await upload.status(3_000_000, bytes.subarray(3_000_000))).toEqual([204, '5000000'])
  expect(bytes.equals(await readFile(upload.path))).toBe(true)
})

test('resuming an upload ends a request that has stalled; the bytes before it stay', async () => {
  await using upload = await openUpload()
  const silent = upload.send(0, 300, { says: 1000 })
  const broken = new Promise((resolve) => silent.on('close', resolve))
  await expect.poll(upload.offset).toBe('300')
  await broken
  expect(await upload.status(300, 700)).toEqual([204, '1000'])
})

test.skipIf(process.platform !== 'linux')('a full disk is logged', async () => {
  await using upload = await openUpload()
  const warn = vi.spyOn(upload.log, 'warn')
  await rm(upload.path)
  await symlink('/dev/full', upload.path)
  expect((await upload.status(0, 1000))[0]).toBe(503)
  const reason: unknown = expect.stringContaining('ENOSPC')
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ code: 'server.full', reason }),
    expect.any(String),
  )
})

test('a sender who goes away is no news', async () => {
  await using upload = await openUpload()
  const warn = vi.spyOn(upload.log, 'error')
  const broken = upload.send(0, 300, { says: 1000 })
  await expect.poll(upload.offset).toBe('300')
  broken.destroy()
  expect(await upload.status(300, 700)).toEqual([204, '1000'])
  expect(warn).not.toHaveBeenCalled()
})

test('an upload whose description was half written, as by a power cut, is not there', async () => {
  await using upload = await openUpload()
  await writeFile(`${upload.path}.json`, '{"id":"')
  expect((await upload.status(0, 400))[0]).toBeGreaterThanOrEqual(400)
})

test('only the id of an upload leads to one: what is stored beside it cannot be removed', async () => {
  await using upload = await openUpload()
  const { shop, place, tus } = upload
  const call = (method: string, path: string) => shop.call(method, path, { headers: tus })
  for (const suffix of ['.json', '.claimed', '.JSON', '%2ejson', '0', '/../x']) {
    for (const method of ['DELETE', 'HEAD', 'PATCH']) {
      expect([suffix, method, (await call(method, `${place.pathname}${suffix}`)).status]).toEqual([
        suffix,
        method,
        404,
      ])
    }
  }
  expect((await call('HEAD', place.pathname)).status).toBe(200)
  expect((await call('DELETE', place.pathname)).status).toBe(204)
})
