// Rules of keeping files, in every place where a shop can keep them.
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listNames, prepareStores } from '#test/stores.ts'
import { openStorageAt } from './open-storage.ts'
import { storedName } from './storage.ts'

const stores = prepareStores()

test.each(stores.kinds)(
  'in a %s a file comes back whole and in part, under a tag of its own',
  async (kind) => {
    await using store = await stores.open(kind)
    const storage = openStorageAt(store.url)
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
    // Swift rounds up to whole seconds.
    expect(file!.modified.getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
    expect((await storage.stat('ebooks/2-a.epub'))!.etag).not.toBe(file!.etag)
    for (const name of ['ebooks/1-a.epub', 'ebooks/3-a.epub']) {
      expect((await buffer(await storage.read(name))).equals(content)).toBe(true)
    }
    const part = await buffer(await storage.read('ebooks/1-a.epub', { start: 299_999, end: 300_000 }))
    expect(part.equals(content.subarray(299_999, 300_001))).toBe(true)

    await storage.write('ebooks/1-a.epub', Buffer.from('another'))
    expect(String(await buffer(await storage.read('ebooks/1-a.epub')))).toBe('another')
    await storage.write('empty', Buffer.alloc(0))
    expect(await buffer(await storage.read('empty'))).toHaveLength(0)

    await storage.remove('ebooks/1-a.epub')
    await storage.remove('ebooks/1-a.epub')
    expect(await storage.stat('ebooks/1-a.epub')).toBeUndefined()
    expect(await storage.stat('ebooks/never.epub')).toBeUndefined()
    await expect(storage.read('ebooks/never.epub').then(buffer)).rejects.toThrow()
  },
)

test.each(stores.kinds)('in a %s a transfer that breaks leaves nothing behind', async (kind) => {
  await using store = await stores.open(kind)
  const storage = openStorageAt(store.url)
  async function* breaking() {
    yield Buffer.alloc(100_000)
    throw new Error('the line went dead')
  }
  await expect(storage.write('ebooks/1-a.epub', Readable.from(breaking()))).rejects.toThrow(
    'the line went dead',
  )
  expect(await storage.stat('ebooks/1-a.epub')).toBeUndefined()
  for (const folder of ['ebooks/', 'incoming/']) expect(await listNames(storage, folder)).toEqual([])
})

test.each(stores.kinds)('in a %s a folder lists all of its files and no others', async (kind) => {
  await using store = await stores.open(kind)
  const storage = openStorageAt(store.url)
  const names = Array.from({ length: 25 }, (_, nth) => `objects/${nth % 3}/${nth}`)
  const content = Buffer.from('content')
  await Promise.all(
    [...names, 'objects-of-another/1', 'backups/1'].map((name) => storage.write(name, content)),
  )
  expect(await listNames(storage, 'objects/')).toEqual(names.toSorted())
  expect(await listNames(storage, 'nothing/')).toEqual([])
  // As a sweep does: what is listed is removed while the list goes on.
  for await (const name of storage.list('objects/')) await storage.remove(name)
  expect(await listNames(storage, 'objects/')).toEqual([])
  expect(await listNames(storage, 'backups/')).toEqual(['backups/1'])
})

test.each(stores.buckets)('two shops in folders of one %s do not see each other’s files', async (kind) => {
  await using store = await stores.open(kind)
  const [one, other] = ['/one', '/other/'].map((folder) =>
    openStorageAt(store.url.replace('?', `${folder}?`)),
  )
  await one!.write('objects/1', Buffer.from('1'))
  await other!.write('objects/2', Buffer.from('2'))
  expect(await listNames(one!, 'objects/')).toEqual(['objects/1'])
  expect(await listNames(openStorageAt(store.url), 'one/')).toEqual(['one/objects/1'])
  await other!.remove('objects/1')
  expect(String(await buffer(await one!.read('objects/1')))).toBe('1')
})

test('a folder gives and takes nothing outside of itself', async () => {
  await using store = await stores.open('folder')
  const storage = openStorageAt(store.url)
  for (const name of ['../secret', '/etc/passwd', 'ebooks/../../secret', '']) {
    await expect(storage.write(name, Buffer.from('x'))).rejects.toThrow('not a name')
    await expect(storage.read(name)).rejects.toThrow('not a name')
  }
})

test('a stored name is the moment, the title with hyphens for all else, and the extension', () => {
  const moment = new Date('2030-01-02T03:04:05.678Z')
  const name = storedName(moment, "../Nine P's: 恵み/secret", 'pdf')
  expect(name).toBe(`ebooks/${moment.getTime()}----Nine-P-s-----secret.pdf`)
})
