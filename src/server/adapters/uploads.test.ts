// Pieces of an upload: each in its place, one sender at a time.
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'

const size = 1000

async function openUpload() {
  const shop = await openTestShop({ hasWorkers: false })
  const { token } = await shop.person({ role: 'admin' })
  const tus = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const made = await shop.call('POST', '/api/admin/uploads', {
    headers: { ...tus, 'upload-length': String(size), 'upload-metadata': `filename ${btoa('a.pdf')}` },
  })
  const place = new URL(made.headers.get('location')!, `${shop.url}/api/admin/uploads`)
  /** Sends `bytes`, and says that it sends `says`. */
  const send = (
    at: number,
    bytes: number,
    { says = bytes, type = 'application/offset+octet-stream' } = {},
  ) => {
    const headers = { ...tus, 'content-type': type, 'upload-offset': at, 'content-length': says }
    const sending = request(place, { method: 'PATCH', headers })
    sending.on('error', () => undefined)
    sending.write(Buffer.alloc(bytes, 'x'))
    return sending
  }
  async function status(...piece: Parameters<typeof send>) {
    const sending = send(...piece)
    sending.end()
    const [answer] = (await once(sending, 'response')) as [IncomingMessage]
    answer.resume()
    return [answer.statusCode, answer.headers['upload-offset']]
  }
  const offset = async () =>
    (await shop.call('HEAD', place.pathname, { headers: tus })).headers.get('upload-offset')
  return { send, status, offset, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() }
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

test('whoever goes on with an upload ends a sender who has fallen silent; what came before stays', async () => {
  await using upload = await openUpload()
  const silent = upload.send(0, 300, { says: 1000 })
  const broken = new Promise((resolve) => silent.on('close', resolve))
  await expect.poll(upload.offset, { timeout: 10_000 }).toBe('300')
  await broken
  expect(await upload.status(300, 700)).toEqual([204, '1000'])
})
