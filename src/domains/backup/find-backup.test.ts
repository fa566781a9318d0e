// The backup that `lectern restore` is asked for: encrypted is not absent.
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { passphrase, writeKey } from '#test/backup-file.ts'
import { openTestShop } from '#test/shop.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { openPlaceAt } from './backup-targets.ts'
import { createBackup, shopSource } from './create-backup.ts'
import { addressOf, findBackup } from './find-backup.ts'

async function openTarget() {
  await using undo = new AsyncDisposableStack()
  const shop = undo.use(await openTestShop({ hasWorkers: false }))
  const folder = undo.use(await mkdtempDisposable(join(tmpdir(), 'lectern-find-')))
  const { config, database, storage } = shop.services
  const address = pathToFileURL(folder.path).href
  const stack = undo.move()
  return {
    path: folder.path,
    async backUp(words?: string) {
      if (words && !existsSync(join(folder.path, 'key.age'))) await writeKey(openStorageAt(address))
      const store = await openPlaceAt(address, { passphrase: words }).open()
      return (await createBackup(shopSource(config, database.url, storage), [store])).name
    },
    find: (words?: string, wanted?: string) => findBackup(address, words, { source: folder.path, wanted }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('encrypted backups are counted and dated without the passphrase, and with another one', async () => {
  await using place = await openTarget()
  await expect(place.find()).rejects.toThrow('There are no backups in')
  for (const _ of [1, 2, 3]) await place.backUp(passphrase)
  const message =
    /^3 encrypted backups are here; set BACKUP_PASSPHRASE \(the newest is of \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\./
  for (const words of [undefined, 'in the middle of it'])
    await expect(place.find(words)).rejects.toThrow(message)
  await expect(place.find('in the middle of it')).rejects.toThrow(
    'The passphrase (BACKUP_PASSPHRASE, or that of Backups) is not the one that these backups were made with',
  )
  expect((await place.find(passphrase)).store.isEncrypted).toBe(true)
})

test('what is not encrypted needs no key, also where one is set, and is not taken for a newer encrypted one', async () => {
  await using place = await openTarget()
  const plain = await place.backUp()
  for (const words of [undefined, passphrase])
    expect(await place.find(words)).toMatchObject({ name: plain, store: { isEncrypted: false } })
  expect(existsSync(join(place.path, 'key.age'))).toBe(false)
  await place.backUp(passphrase)
  await expect(place.find()).rejects.toThrow(`the newest of them is ${plain}`)
  expect((await place.find(undefined, plain)).name).toBe(plain)
  await expect(place.find(undefined, 'yesterday')).rejects.toThrow(
    new RegExp(`There is no backup yesterday in .*There are: .*${plain}`),
  )
})

test('what is typed wrong is said: another kind of address, a missing folder', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-find-'))
  expect(addressOf(folder.path)).toBe(pathToFileURL(folder.path).href)
  expect(addressOf(pathToFileURL(folder.path).href)).toBe(pathToFileURL(folder.path).href)
  expect(addressOf('S3://bucket/folder')).toBe('S3://bucket/folder')
  const wrong = {
    [`${folder.path}/elsewhere`]: `There is no folder ${folder.path}/elsewhere`,
    'https://s3.example.com/bucket': 'neither a folder nor an address that begins with s3:// or file:///',
    'file://mnt/backups': 'begins with file:///',
  }
  for (const [source, message] of Object.entries(wrong)) expect(() => addressOf(source)).toThrow(message)
})

test('a damaged manifest is named', async () => {
  await using place = await openTarget()
  const plain = await place.backUp()
  const path = join(place.path, `backups/${plain}.json`)
  const earlier = await readFile(path, 'utf8')
  const newer = await place.backUp()
  const newerPath = join(place.path, `backups/${newer}.json`)
  await writeFile(newerPath, (await readFile(newerPath, 'utf8')).slice(0, -10))
  await expect(place.find()).rejects.toThrow(
    new RegExp(`backups/${newer}.json is damaged: .*Restore another one by its name: ${plain}`),
  )
  expect(await place.find(undefined, plain)).toMatchObject({ name: plain, others: [newer] })
  await writeFile(path, earlier.replace('"orders"', '"orderz"'))
  await expect(place.find(undefined, plain)).rejects.toThrow(`backups/${plain}.json is damaged: sums.orders`)
  await writeFile(path, earlier.replace('"format": 1', '"format": 2'))
  await expect(place.find(undefined, plain)).rejects.toThrow('use the version that wrote it, or a newer one')
  const sealed = await place.backUp(passphrase)
  const sealedPath = join(place.path, `backups/${sealed}.json.age`)
  const bytes = await readFile(sealedPath)
  bytes[bytes.length - 5]! ^= 1
  await writeFile(sealedPath, bytes)
  await expect(place.find(passphrase)).rejects.toThrow(`backups/${sealed}.json.age cannot be read`)
})

test('a backup of 0.2 is refused in a sentence, and so is one of 0.1, whose manifest had no checksum', async () => {
  await using place = await openTarget()
  const name = await place.backUp()
  const path = join(place.path, `backups/${name}.json`)
  const written = JSON.parse(await readFile(path, 'utf8'))
  const { checksum: _, ...unchecked } = written
  for (const [version, schema_version, fields] of [
    ['0.2.0', 1795909830796, written],
    ['0.1.0', 1790000000000, unchecked],
  ] as const) {
    await writeFile(path, JSON.stringify({ ...fields, version, schema_version }))
    await expect(place.find()).rejects.toThrow(
      'These data are of Lectern before 0.3.0, the first version that was published: this one neither opens nor restores them. Nothing was changed.',
    )
  }
})
