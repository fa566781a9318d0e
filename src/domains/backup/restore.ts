// A restore: the data of a backup are prepared beside those of the shop, and then take their place.
import { StorageUnavailableError, type Storage, isIntact } from '#platform/storage.ts'
import type { Manifest, FileEntry } from './manifest.ts'
import { type ShopFile, describeFile } from './backup-tables.ts'
import {
  createScratchDatabase,
  databaseName,
  dropUnfinishedDatabases,
  restoredName,
  swapDatabases,
} from './side-databases.ts'
import { tryBackupLock } from './backup-lock.ts'
import {
  type ObjectSource,
  type ObjectSources,
  type DamagedFile,
  findIntact,
  readIntactTables,
} from './object-damage.ts'
import { loadBackup } from './load-backup.ts'

type FilePlan = { missing: (FileEntry & { source: ObjectSource })[]; damaged: DamagedFile[] }

async function planFiles(
  storage: Storage,
  sources: ObjectSources,
  { files }: Pick<Manifest, 'files'>,
  onFile: (done: number) => void,
): Promise<FilePlan> {
  const plan: FilePlan = { missing: [], damaged: [] }
  for (const [nth, file] of files.entries()) {
    onFile(nth)
    if (await isStored(storage, file)) continue
    const intact = await findIntact(sources, file)
    if ('source' in intact) plan.missing.push({ ...file, source: intact.source })
    else plan.damaged.push({ ...file, reason: intact.reason })
  }
  return plan
}

async function isStored(storage: Storage, file: FileEntry): Promise<boolean> {
  try {
    return await isIntact(storage, file)
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    return false
  }
}

export type RestoreTarget = {
  databaseUrl: string
  storage: Storage
  clock: () => Date
  prepare?: (url: string, lost: readonly DamagedFile[]) => Promise<void>
  otherStores?: readonly ObjectSource[]
  withoutDamagedFiles?: boolean
  /** Throws where the disk of the database is nearly full. */
  requireRoom?: () => Promise<void>
}

export type RestoreProgress = (step: 'tables' | 'files' | 'copies', done: number, total: number) => void

/** The rest is done by `swap`, which takes the place of the shop's database; nothing was changed before it. */
export type PreparedRestore = AsyncDisposable & {
  /** No process of the shop may run. */
  swap: () => Promise<{ old: string; filesWritten: number; lost: string[] }>
}

/** Changes nothing before the backup was restored beside the shop's database, compared and prepared. The shop must not run. */
export async function restore(
  target: RestoreTarget,
  store: ObjectSource,
  manifest: Manifest,
  onProgress: RestoreProgress = () => undefined,
) {
  await using prepared = await prepareRestore(target, store, manifest, onProgress)
  return await prepared.swap()
}

/** The shop may run meanwhile. */
export async function prepareRestore(
  target: RestoreTarget,
  store: ObjectSource,
  manifest: Manifest,
  onProgress: RestoreProgress = () => undefined,
): Promise<PreparedRestore> {
  const { databaseUrl, storage, clock, prepare, otherStores = [] } = target
  // A backup made meanwhile would drop the unfinished database, and could remove the objects that are read.
  await using undo = new AsyncDisposableStack()
  const lock = await tryBackupLock(databaseUrl)
  if (!lock)
    throw new Error(
      'A backup, a rehearsal or another restore is under way: wait for its end. Nothing was changed.',
    )
  undo.use(lock)
  const sources: ObjectSources = [store, ...otherStores]
  const tables = await readIntactTables(sources, manifest.tables)
  const moment = clock().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  await dropUnfinishedDatabases(databaseUrl)
  const scratch = undo.use(await createScratchDatabase(databaseUrl, restoredName(databaseUrl, moment)))
  const { differences, shopFiles } = await loadBackup(
    scratch.url,
    tables,
    manifest,
    onProgress,
    target.requireRoom,
  )
  if (differences.length > 0)
    throw new Error(`The restored data differ from the backup: ${differences.join('; ')}.`)
  const count = manifest.files.length
  const plan = await planFiles(storage, sources, manifest, (done) => onProgress('files', done, count))
  const lost = plan.damaged.map((file) => describeFile(shopFiles, file.name))
  if (lost.length > 0 && !target.withoutDamagedFiles) throw damagedFiles(plan.damaged, shopFiles)
  for (const [nth, { name, sha256, source }] of plan.missing.entries()) {
    onProgress('copies', nth, plan.missing.length)
    await storage.write(name, await source.readObject(sha256))
  }
  await prepare?.(scratch.url, plan.damaged)
  const stack = undo.move()
  return {
    async swap() {
      await lock.check()
      const old = `${databaseName(databaseUrl)}_before_${moment}`
      // The lock is held by a connection to the shop's database, which cannot be renamed while there is one.
      await lock[Symbol.asyncDispose]()
      await swapDatabases(databaseUrl, scratch.name, old)
      return { old, filesWritten: plan.missing.length, lost }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function damagedFiles(damaged: readonly DamagedFile[], shopFiles: readonly ShopFile[]): Error {
  const named = damaged.map(({ name, reason }) => `  ${describeFile(shopFiles, name)}: ${reason}`)
  return new Error(
    [
      'These files are damaged in the backup, and there is no intact copy of them in the other places or in the shop’s files:',
      ...named,
      'Nothing was changed. With --without-damaged-files everything else is restored, and these have to be uploaded again.',
    ].join('\n'),
  )
}
