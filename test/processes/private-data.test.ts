// What a running shop leaves in DATA_DIR is for its own user only.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { upload } from '../upload.ts'
import { admin, startShop } from '../running-shop.ts'

beforeAll(() => ensureBuilt())

const book = readFileSync(new URL('../../content/edition/sample.pdf', import.meta.url))
/** Written by the tests' own process. */
const notOurs = new Set(['server.log'])

/** Whatever another user could read, write or walk into. */
function openToOthers(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !notOurs.has(name),
  )
  return names.filter((name) => {
    // A file that is being written has another name in a moment.
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false })
    return found && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
  })
}

test('nobody else may read what the shop stores, and folders that were open are closed', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-private-'))
  for (const name of ['files', 'outbox']) {
    mkdirSync(join(folder.path, name))
    chmodSync(join(folder.path, name), 0o755)
  }
  await using shop = await startShop(folder.path)
  const post = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    return fetch(shop.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const signedIn = await post('/auth/v1/token?grant_type=password', admin)
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  const upload_id = await upload(shop, { token }, book, 'book.pdf')
  const product = { name: 'A book', price: 9.99, format: 'digital', upload_id }
  expect((await post('/api/admin/products', product, token)).status).toBe(201)
  await upload(shop, { token }, book, 'waiting.pdf')
  const message = { name: 'Ruth', email: 'ruth@example.com', subject: 'Hello', message: 'Hello' }
  expect((await post('/api/contact', message)).status).toBe(201)
  await expect.poll(() => readdirSync(join(folder.path, 'outbox')).length).toBe(1)
  expect(openToOthers(folder.path)).toEqual([])
  await shop.stop()
  expect(openToOthers(folder.path)).toEqual([])
  expect(readdirSync(folder.path)).toEqual(
    expect.arrayContaining(['files', 'outbox', 'postgres', 'secret', 'uploads']),
  )
})
