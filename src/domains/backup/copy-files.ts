// Copies the shop's files into the places of a backup.
import { failureReason } from '#platform/errors.ts'
import { StorageUnavailableError, type Storage } from '#platform/storage.ts'
import type { BackupStore } from './backup-store.ts'
import type { StoreSet } from './store-set.ts'
import type { FileEntry } from './manifest.ts'
import { measure, type Content } from './content-sums.ts'
import { OverwriteRefused } from './damaged-objects.ts'
import { describeFile, type ShopFile } from './backup-tables.ts'

type Copying = {
  set: StoreSet
  earlier: Map<string, FileEntry>
  onFile: (done: number) => void
}

/** A stored file never changes: one of `earlier` is not read again where a store has it. */
export async function copyFiles(
  storage: Storage,
  shopFiles: readonly ShopFile[],
  { set, earlier, onFile }: Copying,
) {
  const files: FileEntry[] = []
  const problems: string[] = []
  const refusals = new Map<BackupStore, string>()
  const lacking = new Map<BackupStore, Set<string>>()
  for (const [nth, { name }] of shopFiles.entries()) {
    onFile(nth)
    const label = describeFile(shopFiles, name)
    const file = await findEntry(storage, { name, label }, earlier.get(name))
    if (typeof file === 'string') {
      problems.push(file)
      continue
    }
    let damage: string | undefined
    let isStored = false
    await set.each(async (store) => {
      const result = await copyFile(storage, { ...file, label }, store)
      if (result) lacking.set(store, (lacking.get(store) ?? new Set()).add(name))
      else isStored = true
      if (result?.isRefused)
        refusals.set(store, [refusals.get(store), result.problem].filter(Boolean).join('\n'))
      else damage ??= result?.problem
    })
    if (isStored) files.push(file)
    if (damage) problems.push(damage)
  }
  const filesOf = (store: BackupStore) => files.filter((file) => !lacking.get(store)?.has(file.name))
  return { files, filesOf, problems, refusals }
}

async function findEntry(
  storage: Storage,
  { name, label }: ShopFile,
  last: FileEntry | undefined,
): Promise<FileEntry | string> {
  const stored = await orReason(() => storage.stat(name))
  if (!stored) return `${label} is not in the storage, so it is in no backup`
  if (typeof stored === 'string') return unreadable(label, stored)
  const { size } = stored
  if (last?.size === size) return last
  const content = await readContent(storage, name)
  return typeof content === 'string' ? unreadable(label, content) : { name, size, sha256: content.sha256 }
}

type NotCopied = { problem: string; isRefused?: true }

async function copyFile(
  storage: Storage,
  { name, label, size, sha256 }: FileEntry & ShopFile,
  store: BackupStore,
): Promise<NotCopied | undefined> {
  if (await store.hasObject(sha256, size)) return undefined
  try {
    await store.writeObject(sha256, await storage.read(name))
  } catch (error) {
    const content = await readContent(storage, name)
    if (typeof content === 'string') return { problem: unreadable(label, content) }
    if (content.sha256 !== sha256)
      return { problem: unreadable(label, 'it is damaged: its checksum has changed') }
    if (error instanceof OverwriteRefused)
      return { problem: unwritable(label, error.message), isRefused: true }
    throw new Error(unwritable(label, failureReason(error)), { cause: error })
  }
  return undefined
}

function unreadable(label: string, reason: string): string {
  return `${label} cannot be read, so it is not in the backup: ${reason}`
}

function unwritable(label: string, reason: string): string {
  return `${label} cannot be written: ${reason}`
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
