// Small files that need far more memory than they have bytes: what they cost the built shop and its processes together.
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { createTestDatabase } from '../database.ts'
import { childrenOf, resetPeak, memoryOf } from '../memory-of.ts'
import { makeNestedPdfBomb, makePdfBomb } from '../pdf-bombs.ts'
import { paint } from '../pictures.ts'
import { admin, startShop, type RunningShop } from '../running-shop.ts'
import { upload } from '../upload.ts'

beforeAll(() => ensureBuilt())

/** MB above what the shop has before the file comes. */
const maxMb = 250

async function openSession({ url }: RunningShop) {
  const headers = { 'content-type': 'application/json', authorization: '' }
  const call = (method: string, path: string, body?: object) =>
    fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const session = await call('POST', '/auth/v1/token?grant_type=password', admin)
  const { access_token: token } = (await session.json()) as { access_token: string }
  headers.authorization = `Bearer ${token}`
  return { token, call }
}

/** Observes the shop while `work` is done: its memory with that of its processes, and how long visitors wait. */
async function observe<Result>(shop: RunningShop, script: string, work: Promise<Result>) {
  const before = memoryOf(shop.pid())
  resetPeak(shop.pid())
  let [childMb, slowestMs] = [0, 0]
  const state = { isDone: false }
  void work.finally(() => (state.isDone = true))
  async function look() {
    for (; !state.isDone; await sleep(10))
      for (const pid of childrenOf(shop.pid(), script)) childMb = Math.max(childMb, peakOf(pid))
  }
  async function visit() {
    for (; !state.isDone; await sleep(20)) {
      const since = performance.now()
      expect((await fetch(`${shop.url}/api/products`)).status).toBe(200)
      slowestMs = Math.max(slowestMs, performance.now() - since)
    }
  }
  const [result] = await Promise.all([work, look(), visit()])
  return { result, childMb, slowestMs, mb: memoryOf(shop.pid(), 'VmHWM') - before + childMb }
}

/** Nothing of one that has just ended. */
function peakOf(pid: number): number {
  try {
    return memoryOf(pid, 'VmHWM') || 0
  } catch {
    return 0
  }
}

test('a bomb costs at most 250 MB, is refused in words, holds up nobody, and the next file is read', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-bombs-'))
  await using database = await createTestDatabase()
  await using shop = await startShop(folder.path, { env: { DATABASE_URL: database.url } })
  const { token, call } = await openSession(shop)
  const send = async (path: string, content: Buffer, name: string) => {
    const upload_id = await upload(shop, { token }, content, name)
    const response = await call('POST', path, { upload_id })
    const { code, detail, title } = (await response.json()) as Record<string, string>
    return { status: response.status, code, words: detail ?? title }
  }
  const pdf = (content: Buffer) => send('/api/admin/setup/file', content, 'book.pdf')
  const sample = await readFile(new URL(import.meta.resolve('#content/edition/sample.pdf')))
  for (const bomb of [await makePdfBomb(), await makeNestedPdfBomb()]) {
    const seen = await observe(shop, 'upload-worker', pdf(bomb))
    expect(seen.result).toMatchObject({ status: 422, code: 'uploads.too_complex' })
    expect(seen.result.words).toMatch(/more complex than a book needs.*export the book again/)
    expect(seen.childMb).toBeGreaterThan(0)
    expect(seen.mb).toBeLessThan(maxMb)
    expect(seen.slowestMs).toBeLessThan(1_000)
    expect(childrenOf(shop.pid(), 'upload-worker')).toEqual([])
  }
  expect(await pdf(sample)).toMatchObject({ status: 200 })

  // In several passes, so that a decoder holds all of it.
  const picture = await paint({ width: 7_200, height: 7_200 }).png({ progressive: true }).toBuffer()
  const pictures = '/api/admin/pictures'
  const seen = await observe(shop, 'picture-process', send(pictures, picture, 'cover.png'))
  expect(seen.result).toMatchObject({ status: 422, code: 'uploads.not_a_picture' })
  expect(seen.result.words).toMatch(/more memory than.*save it smaller/)
  expect(seen.childMb).toBeGreaterThan(0)
  expect(seen.mb).toBeLessThan(maxMb)
  expect(seen.slowestMs).toBeLessThan(1_000)
  expect(childrenOf(shop.pid(), 'picture-process')).toEqual([])
  const small = await paint().png().toBuffer()
  expect(await send(pictures, small, 'cover.png')).toMatchObject({ status: 201 })
})

test('bombs that come at once are read one after the other', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-bombs-'))
  await using database = await createTestDatabase()
  await using shop = await startShop(folder.path, { env: { DATABASE_URL: database.url } })
  const { token, call } = await openSession(shop)
  const bomb = await makePdfBomb()
  const ids = await Promise.all(Array.from({ length: 4 }, () => upload(shop, { token }, bomb, 'book.pdf')))
  const asked = ids.map((upload_id) => call('POST', '/api/admin/setup/file', { upload_id }))
  const { result, mb } = await observe(shop, 'upload-worker', Promise.all(asked))
  expect(result.map(({ status }) => status)).toEqual([422, 422, 422, 422])
  expect(mb).toBeLessThan(maxMb)
})
