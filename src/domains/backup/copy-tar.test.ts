// What a download that breaks off leaves behind.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openCopyTar } from './copy-tar.ts'

const sha256 = 'a'.repeat(64)
const manifest = {
  format: 1,
  created_at: '2026-11-22T03:00:00.000Z',
  tables: [],
  files: [{ name: 'ebooks/book.epub', size: 4, sha256 }],
}

test('a download that breaks off while an object is opened closes the object', async () => {
  const opening = Promise.withResolvers<void>()
  const object = Promise.withResolvers<Readable>()
  const store = {
    readObject: () => {
      opening.resolve()
      return object.promise
    },
  }
  const { content } = await openCopyTar(store as never, manifest as never, 'some words for a test')
  content.resume()
  await opening.promise
  content.destroy()
  await once(content, 'close')
  await sleep(50)
  const opened = new Readable({ read() {} })
  object.resolve(opened)
  await expect.poll(() => opened.destroyed).toBe(true)
}, 60_000)
