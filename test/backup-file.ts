// A backup as one file: an encrypted place of backups as a tar, with a key that is opened quickly.
import { createHash } from 'node:crypto'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { pack } from 'tar-stream'
import { layoutOf } from '#domains/backup/backup-store.ts'
import type { Storage } from '#platform/storage.ts'
import { openPlaceAt } from '#domains/backup/backup-targets.ts'
import { createBackup, shopSource } from '#domains/backup/create-backup.ts'
import { formatManifest, manifest, type TableEntry } from '#domains/backup/manifest.ts'
import type { Shop } from '../src/shop.ts'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'

export type TarEntry = { name: string; content?: Buffer | string; type?: 'file' | 'symlink' | 'directory' }

export const passphrase = 'in the beginning was the word'

/** With less work than a shop takes, so that tests are fast. */
async function sealKey(identity: string, workFactor: number): Promise<Buffer> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  return Buffer.from(await encrypter.encrypt(identity))
}

/** The key of a place that has none yet. */
export async function writeKey(storage: Storage): Promise<void> {
  await storage.write('key.age', await sealKey(await generateX25519Identity(), 10))
}

/** The entries of a plain place as those of an encrypted one. */
export async function encrypted(entries: readonly TarEntry[], { workFactor = 10 } = {}): Promise<TarEntry[]> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  const { object } = layoutOf(createHash('sha256').update(recipient).digest('hex').slice(0, 16))
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const nameOf = (name: string) =>
    name.endsWith('.json') ? `${name}.age` : name.startsWith('objects/') ? object(name.slice(11)) : name
  const contentOf = async ({ name, content = '' }: TarEntry) => {
    if (name.endsWith('.objects')) return content.toString().split('\n').map(nameOf).join('\n')
    return nameOf(name) === name ? content : Buffer.from(await encrypter.encrypt(Buffer.from(content)))
  }
  return [
    { name: 'key.age', content: await sealKey(identity, workFactor) },
    ...(await Promise.all(
      entries.map(async (entry) => ({ ...entry, name: nameOf(entry.name), content: await contentOf(entry) })),
    )),
  ]
}

/** As the shop makes it, from the entries of a plain place. */
export async function backupFile(entries: readonly TarEntry[]): Promise<Buffer> {
  return tarOf(await encrypted(entries))
}

export async function tarOf(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack()
  for (const { name, content = '', type = 'file' } of entries)
    tar.entry({ name, type, ...(type === 'symlink' && { linkname: '/etc/passwd' }) }, content)
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

type EntriesOptions = { table: string; rows: Buffer; entry?: Partial<TableEntry> }

/** A backup whose `table` has these rows, compressed, and whose manifest says of it what `entry` does. */
export function withRows(entries: readonly TarEntry[], { table, rows, entry }: EntriesOptions): TarEntry[] {
  const object = createHash('sha256').update(rows).digest('hex')
  return [
    ...entries.map(({ name, content = '' }) => {
      if (!name.endsWith('.json')) return { name, content }
      const written = manifest.parse(JSON.parse(content.toString()))
      const tables = written.tables.map((each) =>
        each.name === table ? { ...each, object, size: rows.length, ...entry } : each,
      )
      return { name, content: formatManifest({ ...written, tables }) }
    }),
    { name: `objects/${object.slice(0, 2)}/${object}`, content: rows },
  ]
}

/** Of the shop as it is now, with its secret, as a plain place has them. */
export async function backupEntries({ config, database, storage, secret }: Shop): Promise<TarEntry[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-download-'))
  const store = await openPlaceAt(pathToFileURL(folder.path).href).open()
  const { manifest } = await createBackup(shopSource(config, database.url, storage), [store])
  await store.write({ ...manifest, secret: secret.text })
  const names = await readdir(folder.path, { recursive: true, withFileTypes: true })
  return await Promise.all(
    names
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('incoming'))
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        return { name: path.slice(folder.path.length + 1), content: await readFile(path) }
      }),
  )
}
