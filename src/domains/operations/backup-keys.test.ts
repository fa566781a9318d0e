// Encrypted backups whose key was changed, or is missing.
import { mkdir, mkdtempDisposable, readdir, rename, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'
import { openPlaceAt } from './backup-targets.ts'
import { findMissingObjects } from './restore.ts'
import { createBackup, shopSource } from './create-backup.ts'
import { rehearse } from './rehearse.ts'

async function openShop() {
  const shop = await openTestShop({ hasWorkers: false })
  const { services } = shop
  const source = shopSource(services.config, services.database.url, services.storage)
  return { ...shop, source, needs: { ...source, uploadReader: services.uploadReader } }
}

test('a backup for another key is whole with that key alone, and the one before with its own', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-keys-'))
  const address = pathToFileURL(folder.path).href
  await using shop = await openShop()
  const backUp = async () => {
    const identity = await generateX25519Identity()
    const publicKey = await identityToRecipient(identity)
    const writer = await openPlaceAt(address, { publicKey }).open()
    const { name, manifest } = await createBackup(shop.source, [writer])
    await writer.deleteOthers(await writer.list())
    return { name, manifest, store: await openPlaceAt(address, { identity }).open() }
  }
  const before = await backUp()
  const after = await backUp()
  expect(await rehearse(shop.needs, after.store)).toMatchObject({ backup: after.name, problems: [] })
  for (const { store, name, manifest } of [before, after]) {
    expect(await store.read(name)).toMatchObject({ files: manifest.files })
    expect(await findMissingObjects(store, manifest)).toEqual([])
  }
})

test('objects whose names do not say their key are read, and written again', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-keys-'))
  const keys = { identity: await generateX25519Identity() }
  await using shop = await openShop()
  const store = await openPlaceAt(pathToFileURL(folder.path).href, keys).open()
  const { manifest } = await createBackup(shop.source, [store])
  const objects = await readdir(folder.path, { recursive: true })
  for (const path of objects.filter((each) => /^objects.*\.age$/.test(each)))
    await rename(join(folder.path, path), join(folder.path, path.replace(/\.\w+\.age$/, '.age')))
  expect(await rehearse(shop.needs, store)).toMatchObject({ problems: [] })
  const [file] = manifest.files
  expect(await store.hasObject(file!.sha256, file!.size)).toBe(false)
})

test('no new key is made beside encrypted backups', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-keys-'))
  await mkdir(join(folder.path, 'backups'))
  await writeFile(join(folder.path, 'backups/2026-11-22T03-00-00-000Z.json.age'), 'sealed')
  const place = openPlaceAt(pathToFileURL(folder.path).href, { passphrase: 'in the beginning' })
  await expect(place.open()).rejects.toThrow('set BACKUP_URL to a new folder')
  expect(await readdir(folder.path)).toEqual(['backups'])
})

test('a truncated object is written again', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-keys-'))
  await using shop = await openShop()
  const store = await openPlaceAt(pathToFileURL(folder.path).href, {}).open()
  const { manifest } = await createBackup(shop.source, [store])
  const { sha256 } = manifest.files[0]!
  const path = join(folder.path, 'objects', sha256.slice(0, 2), sha256)
  await truncate(path, 0)
  expect(await findMissingObjects(store, manifest)).toEqual([sha256])
  await createBackup(shop.source, [store])
  expect(await findMissingObjects(store, manifest)).toEqual([])
})
