// `objects/` holds content by its SHA-256 and its key, so that backups share it; `backups/` holds one manifest a backup.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isBeforeBaseline, tooOld } from '#platform/db/migrate.ts'
import { failureReason } from '#platform/errors.ts'
import { incomingFolder, type Storage, type StoredFile } from '#platform/storage.ts'
import { checked, namingErrors } from './content-sums.ts'
import {
  unrecorded,
  type ObjectRecord,
  compareBytes,
  OverwriteRefused,
  writeBytes,
  type Encryption,
} from './encryption.ts'
import {
  type Manifest,
  backupFormat,
  formatManifest,
  isManifestIntact,
  manifest,
  manifestHead,
  maxManifestBytes,
} from './manifest.ts'

export type PlainFile = { path: string; size: number; content?: string }

/** The files of a backup that is not encrypted, as they are in its place: those with `content` are written anew. */
export function listPlainFiles(written: Manifest): PlainFile[] {
  const name = nameOf(written.created_at)
  const pathOf = (sha256: string) => `objects/${sha256.slice(0, 2)}/${sha256}`
  const sizes = new Map([
    ...written.tables.map(({ object, size }) => [object, size] as const),
    ...written.files.map(({ sha256, size }) => [sha256, size] as const),
  ])
  const text = (path: string, content: string) => ({ path, size: Buffer.byteLength(content), content })
  return [
    text(`backups/${name}.json`, formatManifest(written)),
    text(`backups/${name}.objects`, [...sizes.keys()].map(pathOf).join('\n')),
    ...Array.from(sizes, ([sha256, size]) => ({ path: pathOf(sha256), size })),
  ]
}

export type BackupStore = ReturnType<typeof openBackupStore>

export function openBackupStore(
  storage: Storage,
  encryption: Encryption | undefined,
  record: ObjectRecord = unrecorded,
) {
  const suffix = suffixOf(encryption !== undefined)
  const objectName = (sha256: string, recipient = encryption?.recipientId) =>
    `objects/${sha256.slice(0, 2)}/${sha256}${recipient ? `.${recipient}` : ''}${suffix}`
  const readableName = (sha256: string) => objectName(sha256, encryption?.readerId)
  const isWhole = (stored: StoredFile | undefined, size: number) =>
    stored !== undefined && (encryption ? stored.size > size : stored.size === size)
  const manifestName = (name: string) => `backups/${name}.json${suffix}`
  /** Never encrypted: a machine that cannot read its backups still has to know what they need. */
  const objectListName = (name: string) => `backups/${name}.objects`
  const unseal = async (content: Readable) => encryption?.decrypt(content) ?? content
  const place = { storage, record, isRecorded: encryption !== undefined }
  /** Paths of whole objects that are written again only to have a checksum. */
  const replaced = new Set<string>()
  const writeTo = async (path: string, content: Readable) =>
    writeBytes(place, path, (await encryption?.encrypt(content)) ?? content, replaced.has(path))
  const readFrom = (path: string) => namingErrors(path, async () => unseal(await storage.read(path)))

  async function readManifest(name: string): Promise<unknown> {
    try {
      return JSON.parse(await text(await readFrom(manifestName(name))))
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      throw new Error(`${manifestName(name)} is damaged: ${failureReason(cause)}`, { cause })
    }
  }

  async function read(name: string): Promise<Manifest> {
    const stored = await storage.stat(manifestName(name))
    if (!stored) throw new Error(`There is no backup ${name} here.`)
    if (stored.size > maxManifestBytes) throw new Error(`${manifestName(name)} is larger than that of a shop`)
    const content = await readManifest(name)
    const head = manifestHead.safeParse(content).data
    if (head && isBeforeBaseline(head.schema_version)) throw new Error(tooOld)
    const parsed = manifest.safeParse(content)
    if (parsed.success && isManifestIntact(content)) return parsed.data
    if (parsed.success) throw new Error(`${manifestName(name)} is damaged: it is not what its checksum says`)
    const { error: cause } = parsed
    const isOther = head?.format !== backupFormat
    throw new Error(
      isOther
        ? `The backup ${name} cannot be read by this version of Lectern, which reads format ${backupFormat}: use the version that wrote it, or a newer one`
        : `${manifestName(name)} is damaged: ${cause.issues.map(({ path }) => path.join('.')).join(', ')} cannot be read`,
      { cause },
    )
  }

  async function readNeeded(name: string): Promise<string[]> {
    const path = objectListName(name)
    return (await text(await namingErrors(path, () => storage.read(path)))).split('\n')
  }

  return {
    isEncrypted: encryption !== undefined,
    /** False also for a damaged one, and where this machine cannot read it, for one without a checksum. */
    async hasObject(sha256: string, size: number): Promise<boolean> {
      const path = objectName(sha256)
      if (record.isDamaged(path) || !isWhole(await storage.stat(path), size)) return false
      if (!encryption || encryption.canDecrypt || !record.isUnchecked(path)) return true
      replaced.add(path)
      return false
    },
    async writeObject(sha256: string, content: Readable): Promise<void> {
      const path = objectName(sha256)
      try {
        await writeTo(path, checked(content, sha256))
      } catch (error) {
        if (!(error instanceof OverwriteRefused && replaced.has(path))) throw error
      }
    },
    canRead: async (sha256: string, size: number) => isWhole(await storage.stat(readableName(sha256)), size),
    /** The stream fails at its end where the content is not what its hash says. */
    readObject: async (sha256: string) => checked(await readFrom(readableName(sha256)), sha256),
    addDamage: async (sha256: string) => record.addDamage(readableName(sha256)),
    async compareBytes(name: string, onObject: (done: number, total: number) => void) {
      const paths = new Set([manifestName(name), objectListName(name)])
      for (const path of await readNeeded(name).catch(() => [])) if (path) paths.add(path)
      return compareBytes(place, paths, onObject)
    },
    /** What is wrong with the list of objects, by which `deleteOthers` removes. */
    async checkNeeded(name: string, written: Manifest): Promise<string | undefined> {
      const listed = await readNeeded(name).catch(failureReason)
      if (typeof listed === 'string') return listed
      const paths = new Set(listed.filter(Boolean))
      const keys = [encryption?.recipientId, encryption?.readerId, '']
      const isListed = (sha256: string) => keys.some((key) => paths.has(objectName(sha256, key)))
      const objects = new Set(objectsOf(written))
      if (paths.size === objects.size && [...objects].every(isListed)) return undefined
      return `${objectListName(name)} is damaged: it does not name the objects of the backup`
    },
    list: () => listBackupNames(storage, encryption !== undefined),
    read,
    async write(written: Manifest): Promise<void> {
      const name = nameOf(written.created_at)
      const paths = objectsOf(written).map((sha256) => objectName(sha256))
      const stored = new Set<string>()
      for await (const path of storage.list('objects/')) stored.add(path)
      const gone = paths.filter((path) => !stored.has(path)).length
      if (gone > 0) throw new Error(`${gone} objects of the backup were removed while it was made.`)
      await writeBytes(place, objectListName(name), Readable.from([Buffer.from(paths.join('\n'))]))
      const content = Readable.from([Buffer.from(formatManifest(written))])
      await writeTo(manifestName(name), content)
    },
    async deleteOthers(names: readonly string[], checkLock = async (): Promise<void> => undefined) {
      const remove = async (path: string) => {
        await checkLock()
        await storage.remove(path)
        await record.remove(path)
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
