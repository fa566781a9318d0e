// Rules of keeping files, in a folder.
import { randomBytes } from 'node:crypto'
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openStorage, storedName } from './storage.ts'

async function openFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-files-'))
  const storage = await openStorage({ storageUrl: pathToFileURL(folder.path).href, dataDir: '/nowhere' })
  return { ...folder, storage, [Symbol.asyncDispose]: () => folder.remove() }
}

test('a file comes back whole and in part, under a tag of its own', async () => {
  await using folder = await openFolder()
  const { storage } = folder
  const content = randomBytes(700_000)
  await storage.write(
    'ebooks/1-a.epub',
    Readable.from([content.subarray(0, 300_000), content.subarray(300_000)]),
  )
  await storage.write('ebooks/2-a.epub', content.subarray(1))
  const file = await storage.stat('ebooks/1-a.epub')
  expect(file).toMatchObject({ size: 700_000, etag: expect.stringMatching(/^"[^"]+"$/) })
  expect(file!.modified.getTime()).toBeLessThanOrEqual(Date.now())
  expect((await storage.stat('ebooks/2-a.epub'))!.etag).not.toBe(file!.etag)
  expect((await buffer(await storage.read('ebooks/1-a.epub'))).equals(content)).toBe(true)
  const part = await buffer(await storage.read('ebooks/1-a.epub', { start: 299_999, end: 300_000 }))
  expect(part.equals(content.subarray(299_999, 300_001))).toBe(true)

  await storage.remove('ebooks/1-a.epub')
  expect(await storage.stat('ebooks/1-a.epub')).toBeUndefined()
  expect(await storage.stat('ebooks/never.epub')).toBeUndefined()
})

test('a transfer that breaks leaves nothing behind', async () => {
  await using folder = await openFolder()
  async function* breaking() {
    yield Buffer.alloc(100_000)
    throw new Error('the line went dead')
  }
  const broken = folder.storage.write('ebooks/1-a.epub', Readable.from(breaking()))
  await expect(broken).rejects.toThrow()
  expect(await folder.storage.stat('ebooks/1-a.epub')).toBeUndefined()
  const left = await readdir(folder.path, { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
})

test('a stored name is the moment, the title with hyphens for all else, and the extension', () => {
  const moment = new Date('2030-01-02T03:04:05.678Z')
  const name = storedName(moment, "../Nine P's: 恵み/secret", 'pdf')
  expect(name).toBe(`ebooks/${moment.getTime()}----Nine-P-s-----secret.pdf`)
})
