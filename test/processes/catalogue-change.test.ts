// An author at work on the catalogue of a running shop: what the pages need to be made anew holds nothing else up.
import { readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { createTestDatabase } from '../database.ts'
import { upload } from '../upload.ts'
import { admin, startShop } from '../running-shop.ts'

beforeAll(() => ensureBuilt())

const book = readFileSync(new URL('../../content/edition/sample.pdf', import.meta.url))
const pages = ['/', '/preview', '/auth', '/auth/confirm', '/dashboard', '/admin', '/admin/users', '/nowhere']

test('a book is added as fast right after another one, and the page shows both', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-catalogue-'))
  await using database = await createTestDatabase()
  await using shop = await startShop(folder.path, { env: { DATABASE_URL: database.url } })
  const json = { 'content-type': 'application/json' }
  const signedIn = await fetch(`${shop.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(admin),
  })
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  async function addBook(name: string): Promise<number> {
    const since = performance.now()
    const upload_id = await upload(shop, { token }, book, 'book.pdf')
    const made = await fetch(`${shop.url}/api/admin/products`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ name, price: 9.99, format: 'digital', upload_id }),
    })
    expect(made.status).toBe(201)
    return performance.now() - since
  }
  // What is loaded with the first upload is not measured.
  await addBook('Book 0')
  const times: { first: number; second: number }[] = []
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all(pages.map(async (path) => (await fetch(shop.url + path)).arrayBuffer()))
    times.push({ first: await addBook(`First ${round}`), second: await addBook(`Second ${round}`) })
  }
  const page = await (await fetch(shop.url)).text()
  for (const name of ['First 3', 'Second 3']) expect(page).toContain(name)
  const fastest = (which: 'first' | 'second') => Math.min(...times.map((each) => each[which]))
  // Each page compressed at the highest level kept the threads that files need busy for seconds.
  expect(fastest('second')).toBeLessThan(5 * fastest('first'))
})
