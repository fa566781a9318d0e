// `objects/` holds content by its SHA-256 and its key, so that backups share it; `backups/` holds one manifest a backup.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isBeforeBaseline, tooOld } from '#platform/db/migrate.ts'
import { failureReason } from '#platform/errors.ts'
import { incomingFolder } from '#platform/folder-storage.ts'
import type { Storage, StoredFile } from '#platform/storage.ts'
import { checked, namingErrors } from './content-sums.ts'
import { overwrite } from './damaged-objects.ts'
import type { Encryption } from './encryption.ts'
import {
  type Manifest,
  backupFormat,
  formatManifest,
  isManifestIntact,
  manifest,
  manifestHead,
  maxManifestBytes,
} from './manifest.ts'

export type BackupStore = ReturnType<typeof openBackupStore>

/** The names of the files of a place; with `keyId`, of one that is encrypted. */
export function layoutOf(keyId?: string) {
  const suffix = suffixOf(keyId !== undefined)
  return {
    manifest: (name: string) => `backups/${name}.json${suffix}`,
    /**
     * The list names the objects that a backup needs. It is never encrypted: they are also removed where the manifest
     * cannot be read.
     */
    objectList: (name: string) => `backups/${name}.objects`,
    object: (sha256: string) =>
      `objects/${sha256.slice(0, 2)}/${sha256}${keyId === undefined ? '' : `.${keyId}`}${suffix}`,
  }
}

/** `damaged` are paths of objects that are written again. Those that were leave it. */
export function openBackupStore(
  storage: Storage,
  encryption: Encryption | undefined,
  damaged: Set<string> = new Set(),
) {
  const layout = layoutOf(encryption?.keyId)
  const isWhole = (stored: StoredFile | undefined, size: number) =>
    stored !== undefined && (encryption ? stored.size > size : stored.size === size)
  const readFrom = (path: string) =>
    namingErrors(path, async () => {
      const content = await storage.read(path)
      return (await encryption?.decrypt(content)) ?? content
    })

  async function writeTo(path: string, plain: Readable): Promise<void> {
    const content = encryption?.encrypt(plain) ?? plain
    try {
      await (damaged.has(path) ? overwrite(storage, path, content) : storage.write(path, content))
      damaged.delete(path)
    } finally {
      // A write that fails may not have begun to read it, and its thread would wait for that.
      content.destroy()
    }
  }

  async function readManifest(name: string): Promise<unknown> {
    const path = layout.manifest(name)
    try {
      return JSON.parse(await text(await readFrom(path)))
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      throw new Error(`${path} is damaged: ${failureReason(cause)}`, { cause })
    }
  }

  async function read(name: string): Promise<Manifest> {
    const path = layout.manifest(name)
    const stored = await storage.stat(path)
    if (!stored) throw new Error(`There is no backup ${name} here.`)
    if (stored.size > maxManifestBytes) throw new Error(`${path} is larger than that of a shop`)
    const content = await readManifest(name)
    const head = manifestHead.safeParse(content).data
    if (head && isBeforeBaseline(head.schema_version)) throw new Error(tooOld)
    const parsed = manifest.safeParse(content)
    if (parsed.success && isManifestIntact(content)) return parsed.data
    if (parsed.success) throw new Error(`${path} is damaged: it is not what its checksum says`)
    const { error: cause } = parsed
    const isOther = head?.format !== backupFormat
    throw new Error(
      isOther
        ? `The backup ${name} cannot be read by this version of Lectern, which reads format ${backupFormat}: use the version that wrote it, or a newer one`
        : `${path} is damaged: ${cause.issues.map((issue) => issue.path.join('.')).join(', ')} cannot be read`,
      { cause },
    )
  }

  async function readNeeded(name: string): Promise<string[]> {
    const path = layout.objectList(name)
    return (await text(await namingErrors(path, () => storage.read(path)))).split('\n')
  }

  return {
    isEncrypted: encryption !== undefined,
    /** False also for a damaged one. */
    async hasObject(sha256: string, size: number): Promise<boolean> {
      const path = layout.object(sha256)
      return !damaged.has(path) && isWhole(await storage.stat(path), size)
    },
    writeObject: (sha256: string, content: Readable) =>
      writeTo(layout.object(sha256), checked(content, sha256)),
    canRead: async (sha256: string, size: number) => isWhole(await storage.stat(layout.object(sha256)), size),
    /** The stream fails at its end where the content is not what its hash says. */
    readObject: async (sha256: string) => checked(await readFrom(layout.object(sha256)), sha256),
    addDamage: (sha256: string) => void damaged.add(layout.object(sha256)),
    /** Says what is wrong with the list of objects, by which `deleteOthers` removes. */
    async checkNeeded(name: string, written: Manifest): Promise<string | undefined> {
      const listed = await readNeeded(name).catch(failureReason)
      if (typeof listed === 'string') return listed
      const paths = new Set(listed.filter(Boolean))
      const objects = new Set(objectsOf(written))
      if (paths.size === objects.size && [...objects].every((sha256) => paths.has(layout.object(sha256))))
        return undefined
      return `${layout.objectList(name)} is damaged: it does not name the objects of the backup`
    },
    list: () => listBackupNames(storage, encryption !== undefined),
    read,
    async write(written: Manifest): Promise<void> {
      const name = nameOf(written.created_at)
      const paths = objectsOf(written).map((sha256) => layout.object(sha256))
      const stored = new Set<string>()
      for await (const path of storage.list('objects/')) stored.add(path)
      const gone = paths.filter((path) => !stored.has(path)).length
      if (gone > 0) throw new Error(`${gone} objects of the backup were removed while it was made.`)
      await storage.write(layout.objectList(name), Buffer.from(paths.join('\n')))
      await writeTo(layout.manifest(name), Readable.from([Buffer.from(formatManifest(written))]))
    },
    async deleteOthers(names: readonly string[], checkLock = async (): Promise<void> => undefined) {
      const remove = async (path: string) => {
        await checkLock()
        await storage.remove(path)
        damaged.delete(path)
      }
      const retained = new Set(names)
      // Those that were written before encryption was set up, or after it was given up, stay as they are.
      for (const name of await listBackupNames(storage, encryption === undefined)) retained.add(name)
      for await (const path of storage.list('backups/')) if (!retained.has(backupOf(path))) await remove(path)
      const needed = new Set<string>()
      for (const name of retained) for (const path of await readNeeded(name)) needed.add(path)
      const objects = new Set<string>()
      for await (const path of storage.list('objects/')) objects.add(path)
      // A list that names what is not there may be damaged, and lack what its backup needs: no object is removed then.
      const isComplete = [...needed].every((path) => objects.has(path))
      if (isComplete) for (const path of objects) if (!needed.has(path)) await remove(path)
      for await (const path of storage.list(incomingFolder)) await remove(path)
    },
  }
}

const backupOf = (path: string) => path.replace(/^backups\/|\..*$/g, '')

const suffixOf = (isEncrypted: boolean) => (isEncrypted ? '.age' : '')

export async function listBackupNames(
  storage: Storage,
  isEncrypted: boolean,
  signal?: AbortSignal,
): Promise<string[]> {
  const names: string[] = []
  for await (const path of storage.list('backups/', signal)) {
    const [, name, suffix = ''] = /^backups\/([\dTZ-]+)\.json(\.age)?$/.exec(path) ?? []
    if (name && suffix === suffixOf(isEncrypted)) names.push(name)
  }
  return names.toSorted().toReversed()
}

/** `2026-11-22T03-00-00-000Z`: any file system takes it as a name. */
export function nameOf(created_at: string): string {
  return created_at.replaceAll(/[:.]/g, '-')
}

export function momentOf(name: string): string {
  return name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z')
}

export function objectsOf({ tables, files }: Pick<Manifest, 'tables' | 'files'>): string[] {
  return [...tables.map(({ object }) => object), ...files.map(({ sha256 }) => sha256)]
}
