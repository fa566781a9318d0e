// A place that holds backups: a folder or a bucket. `objects/` holds content by its SHA-256, so that what several
// backups share is stored once; `backups/` holds one manifest a backup.
import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import type { Storage } from '#platform/storage.ts'
import type { Encryption } from './encryption.ts'
import { backupFormat, manifest, type Manifest } from './manifest.ts'

export type BackupStore = {
  isEncrypted: boolean
  hasObject(sha256: string): Promise<boolean>
  /** Throws an Error where the content is not what its hash says. */
  writeObject(sha256: string, content: Readable): Promise<void>
  /** The stream fails at its end where the content is not what its hash says. */
  readObject(sha256: string): Promise<Readable>
  /** Names of backups, newest first. */
  list(): Promise<string[]>
  /** Throws an Error in plain words where there is no such backup, or a newer shop wrote it. */
  read(name: string): Promise<Manifest>
  write(written: Manifest): Promise<void>
  /** Removes the backups that are not named, and the objects that none of the others needs. */
  keepOnly(names: readonly string[]): Promise<void>
}

export function openBackupStore(storage: Storage, encryption: Encryption | undefined): BackupStore {
  const suffix = encryption ? '.age' : ''
  const objectName = (sha256: string) => `objects/${sha256.slice(0, 2)}/${sha256}${suffix}`
  const manifestName = (name: string) => `backups/${name}.json${suffix}`
  /** Never encrypted: a machine that cannot read its backups still has to know what they need. */
  const neededName = (name: string) => `backups/${name}.objects`
  const seal = async (content: Readable) => encryption?.encrypt(content) ?? content
  const unseal = async (content: Readable) => encryption?.decrypt(content) ?? content

  async function read(name: string): Promise<Manifest> {
    if (!(await storage.stat(manifestName(name)))) throw new Error(`There is no backup ${name} here.`)
    const content: unknown = JSON.parse(await text(await unseal(await storage.read(manifestName(name)))))
    const parsed = manifest.safeParse(content)
    if (parsed.success) return parsed.data
    throw new Error(
      `The backup ${name} cannot be read by this version of Lectern (it reads format ${backupFormat}).`,
      {
        cause: parsed.error,
      },
    )
  }

  async function list(): Promise<string[]> {
    const names: string[] = []
    for await (const path of storage.list('backups/')) {
      const name = /^backups\/([\dTZ-]+)\.json(\.age)?$/.exec(path)
      if (name?.[1] && (name[2] ?? '') === suffix) names.push(name[1])
    }
    return names.toSorted().toReversed()
  }

  return {
    isEncrypted: encryption !== undefined,
    hasObject: async (sha256) => (await storage.stat(objectName(sha256))) !== undefined,
    async writeObject(sha256, content) {
      await storage.write(objectName(sha256), await seal(checked(content, sha256)))
    },
    readObject: async (sha256) => checked(await unseal(await storage.read(objectName(sha256))), sha256),
    list,
    read,
    async write(written) {
      const name = nameOf(written.created_at)
      await storage.write(neededName(name), Buffer.from(objectsOf(written).map(objectName).join('\n')))
      const content = Readable.from([Buffer.from(JSON.stringify(written, null, 2))])
      await storage.write(manifestName(name), await seal(content))
    },
    async keepOnly(names) {
      for (const name of await list()) if (!names.includes(name)) await storage.remove(manifestName(name))
      const kept = new Set(names.map(neededName))
      for await (const path of storage.list('backups/'))
        if (path.endsWith('.objects') && !kept.has(path)) await storage.remove(path)
      const needed = new Set<string>()
      for (const path of kept)
        for (const name of (await text(await storage.read(path))).split('\n')) needed.add(name)
      for await (const path of storage.list('objects/')) if (!needed.has(path)) await storage.remove(path)
    },
  }
}

/** `2026-11-22T03-00-00-000Z`: an ISO 8601 moment that any file system takes as a name. */
export function nameOf(created_at: string): string {
  return created_at.replaceAll(/[:.]/g, '-')
}

export function objectsOf({ tables, files }: Pick<Manifest, 'tables' | 'files'>): string[] {
  return [...tables.map(({ object }) => object), ...files.map(({ sha256 }) => sha256)]
}

/** The same bytes; fails at the end where they are not those of the hash. */
function checked(content: Readable, sha256: string): Readable {
  const hash = createHash('sha256')
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      const found = hash.digest('hex')
      done(
        found === sha256
          ? null
          : new Error(`the object ${sha256} is damaged: its content has the hash ${found}`),
      )
    },
  })
  // A failure of either stream destroys the other, and reaches the reader.
  pipeline(content, check).catch(() => undefined)
  return check
}
