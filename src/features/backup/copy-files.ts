// Copies the shop's files into the stores of a backup, each content once.
import { failureReason } from '#platform/failure-reason.ts'
import { StorageUnavailableError, type Storage } from '#platform/storage.ts'
import type { BackupStore } from './backup-store.ts'
import { measure, type Content } from './content-meter.ts'
import type { FileEntry } from './manifest.ts'
import type { StoreSet } from './store-set.ts'

type Copying = {
  set: StoreSet
  /** Of the last backups, by name. */
  earlier: Map<string, FileEntry>
  /** Called with the number of files that are done. */
  onFile: (done: number) => void
}

export type CopiedFiles = {
  /** Those that a store has at least. */
  files: FileEntry[]
  filesOf: (store: BackupStore) => FileEntry[]
  /** Files that could not be read, in plain words. */
  problems: string[]
}

/**
 * A file that cannot be read is a problem, and left out of the stores that do not have it. A file of `earlier` is not read
 * again where a store has it. Throws a StorageUnavailableError where the shop's files cannot be reached at all.
 */
export async function copyFiles(
  storage: Storage,
  names: readonly string[],
  { set, earlier, onFile }: Copying,
): Promise<CopiedFiles> {
  const files: FileEntry[] = []
  const problems: string[] = []
  const lacking = new Map<BackupStore, Set<string>>()
  for (const [nth, name] of names.entries()) {
    onFile(nth)
    const file = await findEntry(storage, name, earlier.get(name))
    if (typeof file === 'string') {
      problems.push(file)
      continue
    }
    let damage: string | undefined
    let isStored = false
    await set.each(async (store) => {
      const found = await copyFile(storage, file, store)
      if (found) lacking.set(store, (lacking.get(store) ?? new Set()).add(name))
      else isStored = true
      damage ??= found
    })
    if (isStored) files.push(file)
    if (damage) problems.push(damage)
  }
  const filesOf = (store: BackupStore) => files.filter((file) => !lacking.get(store)?.has(file.name))
  return { files, filesOf, problems }
}

/** A sentence where there is none. */
async function findEntry(
  storage: Storage,
  name: string,
  last: FileEntry | undefined,
): Promise<FileEntry | string> {
  const stored = await orReason(() => storage.stat(name))
  if (!stored) return `${name} is not in the storage, so it is in no backup`
  if (typeof stored === 'string') return unreadable(name, stored)
  const { size } = stored
  if (last?.size === size) return last
  const content = await readContent(storage, name)
  return typeof content === 'string' ? unreadable(name, content) : { name, size, sha256: content.sha256 }
}

/** Returns a sentence where the file cannot be read, and throws what the store throws. */
async function copyFile(storage: Storage, file: FileEntry, store: BackupStore): Promise<string | undefined> {
  const { name, size, sha256 } = file
  if (await store.hasObject(sha256, size)) return undefined
  try {
    await store.writeObject(sha256, await storage.read(name))
  } catch (error) {
    // The error may be of either side.
    const content = await readContent(storage, name)
    if (typeof content === 'string') return unreadable(name, content)
    if (content.sha256 !== sha256) return unreadable(name, 'it is damaged: its checksum has changed')
    throw error
  }
  return undefined
}

function unreadable(name: string, reason: string): string {
  return `${name} cannot be read, so it is not in the backup: ${reason}`
}

const readContent = (storage: Storage, name: string): Promise<Content | string> =>
  orReason(async () => measure(await storage.read(name)))

async function orReason<T>(run: () => Promise<T>): Promise<T | string> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    return failureReason(error)
  }
}
