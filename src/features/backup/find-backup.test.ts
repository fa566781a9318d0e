// The backup that `lectern restore` is asked for: encrypted is not absent.
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'
import { openPlaceAt } from './backup-places.ts'
import { createBackup } from './create-backup.ts'
import type { EncryptionKeys } from './encryption.ts'
import { findBackup } from './find-backup.ts'
import { shopSource } from './shop-source.ts'

async function openPlace() {
  await using undo = new AsyncDisposableStack()
  const shop = undo.use(await openTestShop({ hasWorkers: false }))
  const folder = undo.use(await mkdtempDisposable(join(tmpdir(), 'lectern-find-')))
  const { config, database, storage } = shop.services
  const address = pathToFileURL(folder.path).href
  const stack = undo.move()
  return {
    path: folder.path,
    async backUp(keys: EncryptionKeys) {
      const store = await openPlaceAt(address, keys).open()
      return (await createBackup(shopSource(config, database.url, storage), [store])).name
    },
    find: (keys: EncryptionKeys, wanted?: string) =>
      findBackup(address, keys, { source: folder.path, wanted }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const identity = await generateX25519Identity()

test('encrypted backups are counted and dated without a key, and with another one', async () => {
  await using place = await openPlace()
  await expect(place.find({})).rejects.toThrow('There are no backups in')
  for (const _ of [1, 2, 3]) await place.backUp({ identity })
  const said =
    /^3 encrypted backups are here; set BACKUP_PASSPHRASE or BACKUP_IDENTITY \(the newest is of \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\./
  const others = [
    {},
    { publicKey: await identityToRecipient(identity) },
    { identity: await generateX25519Identity() },
    { passphrase: 'in the beginning' },
  ]
  for (const keys of others) await expect(place.find(keys)).rejects.toThrow(said)
  expect(existsSync(join(place.path, 'key.age'))).toBe(false)
  expect((await place.find({ identity })).store.isEncrypted).toBe(true)
})

test('a wrong passphrase says so', async () => {
  await using place = await openPlace()
  await place.backUp({ passphrase: 'in the beginning' })
  await expect(place.find({ passphrase: 'in the middle of it' })).rejects.toThrow(
    /^1 encrypted backup is here; .* BACKUP_PASSPHRASE is not the one that these backups were made with/,
  )
})

test('what is not encrypted needs no key, also where one is set, and is not taken for a newer encrypted one', async () => {
  await using place = await openPlace()
  const plain = await place.backUp({})
  for (const keys of [{}, { passphrase: 'in the beginning' }, { identity }])
    expect(await place.find(keys)).toMatchObject({ name: plain, store: { isEncrypted: false } })
  expect(existsSync(join(place.path, 'key.age'))).toBe(false)
  await place.backUp({ identity })
  await expect(place.find({})).rejects.toThrow(`the newest of them is ${plain}`)
  expect((await place.find({}, plain)).name).toBe(plain)
  await expect(place.find({}, 'yesterday')).rejects.toThrow('There is no backup yesterday in')
})

test('a damaged manifest is named', async () => {
  await using place = await openPlace()
  const plain = await place.backUp({})
  const path = join(place.path, `backups/${plain}.json`)
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, -10))
  await expect(place.find({})).rejects.toThrow(`backups/${plain}.json is damaged`)
  const sealed = await place.backUp({ identity })
  const sealedPath = join(place.path, `backups/${sealed}.json.age`)
  const bytes = await readFile(sealedPath)
  bytes[bytes.length - 5]! ^= 1
  await writeFile(sealedPath, bytes)
  await expect(place.find({ identity })).rejects.toThrow(`backups/${sealed}.json.age cannot be read`)
})
