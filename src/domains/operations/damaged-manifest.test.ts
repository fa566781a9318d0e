// A manifest, or the list of objects that a backup needs, which changes in the copy elsewhere.
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openStorageAt } from '#platform/open-storage.ts'
import { flipByte, identity, openShopWithCopy, publicKey } from '#test/backup-copy.ts'
import { prepareStores } from '#test/stores.ts'
import { findBackup } from './restore.ts'

const stores = prepareStores()

test('a damaged manifest and a damaged list of objects are found, and the next backup has its own', async () => {
  await using elsewhere = await stores.open('folder')
  await using shop = await openShopWithCopy(elsewhere.url, { BACKUP_PUBLIC_KEY: publicKey })
  const { backup } = await shop.backUp()
  const storage = openStorageAt(elsewhere.url)
  await flipByte(storage, `backups/${backup}.json.age`)
  await flipByte(storage, `backups/${backup}.objects`)
  const { problems } = await shop.rehearse()
  for (const name of [`backups/${backup}.json.age`, `backups/${backup}.objects`])
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name} is damaged`)))
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})

test('a digit that changes in a manifest that is not encrypted is found; one without a checksum is read', async () => {
  await using elsewhere = await stores.open('folder')
  await using shop = await openShopWithCopy(elsewhere.url)
  const { backup } = await shop.backUp()
  const storage = openStorageAt(elsewhere.url)
  const path = `backups/${backup}.json`
  const whole = (await buffer(await storage.read(path))).toString()
  const changed = whole.replace(/("last_value": "\d*)(\d)"/, (_, before, digit) => `${before}${9 - digit}"`)
  expect(changed).not.toBe(whole)
  await storage.write(path, Buffer.from(changed))
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining(`${path} is damaged`)])
  const found = findBackup(elsewhere.url, {}, { source: elsewhere.url, wanted: undefined })
  await expect(found).rejects.toThrow(/is damaged.*Nothing was changed/)

  const { checksum, ...older } = JSON.parse(whole)
  expect(checksum).toMatch(/^[\da-f]{64}$/)
  await storage.write(path, Buffer.from(JSON.stringify(older, null, 2)))
  expect((await shop.rehearse()).problems).toEqual([])
  await storage.write(path, Buffer.from(changed))
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
})

const withContent: [string, Record<string, string>][] = [
  ['without encryption', {}],
  ['with the key', { BACKUP_IDENTITY: identity }],
]

test.each(withContent)('a rehearsal %s compares the list of objects', async (_, env) => {
  await using elsewhere = await stores.open('folder')
  await using shop = await openShopWithCopy(elsewhere.url, env)
  const { backup } = await shop.backUp()
  const storage = openStorageAt(elsewhere.url)
  const path = `backups/${backup}.objects`
  await flipByte(storage, path)
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining(`${path} is damaged`)])
  expect((await shop.backUp()).problems).toEqual([])
  expect((await shop.rehearse()).problems).toEqual([])
  await storage.remove(`backups/${(await shop.backUp()).backup}.objects`)
  expect((await shop.rehearse()).problems).toEqual([expect.stringContaining('.objects cannot be read')])
})
