// Bytes that change in a place of backups, and what is restored from there on an empty machine.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openPlaceAt } from '#domains/backup/backup-targets.ts'
import type { Passphrases } from '#domains/backup/place-key.ts'
import type { Manifest } from '#domains/backup/manifest.ts'
import { isIntact } from '#platform/storage.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { withDatabase } from './killed-command.ts'
import type { Random } from './random.ts'

export async function readNewest(folder: string, keys: Passphrases = {}): Promise<Manifest> {
  const store = await openPlaceAt(pathToFileURL(folder).href, keys).open()
  const [newest] = await store.list()
  if (newest === undefined) throw new Error(`There is no backup in ${folder}.`)
  return store.read(newest)
}

/** Flips one bit of the object, and returns what flips it back. */
export async function flipByte(folder: string, sha256: string, random: Random): Promise<() => Promise<void>> {
  const path = join(folder, await findObject(folder, sha256))
  const bytes = await readFile(path)
  const at = Math.floor(random.between(0, bytes.length))
  const flip = async () => {
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at)
    await writeFile(path, bytes)
  }
  await flip()
  return flip
}

async function findObject(folder: string, sha256: string): Promise<string> {
  for await (const name of openStorageAt(pathToFileURL(folder).href).list('objects/'))
    if (name.includes(sha256)) return name
  throw new Error(`There is no object ${sha256} in ${folder}.`)
}

/** How many of these purchases a shop has not. */
export async function countMissing(dataDir: string, purchases: readonly string[]): Promise<number> {
  const { rows } = await withDatabase(dataDir, ({ pool }) =>
    pool.query<{ id: string }>(
      'select id from unnest($1::uuid[]) id where id not in (select id from purchases)',
      [purchases],
    ),
  )
  return rows.length
}

/** Names of files of the backup that a shop does not have byte for byte. */
export async function listDamaged(dataDir: string, { files }: Manifest): Promise<string[]> {
  const storage = openStorageAt(pathToFileURL(join(dataDir, 'files')).href)
  const damaged: string[] = []
  for (const file of files) if (!(await isIntact(storage, file))) damaged.push(file.name)
  return damaged
}
