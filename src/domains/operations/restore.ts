// The data before a restore stay under another name until the author drops them.
import type { Storage } from '#platform/storage.ts'
import { tryBackupLock } from './backup-runs.ts'
import type { Progress } from './create-backup.ts'
import {
  planFiles,
  readIntactTables,
  type DamagedFile,
  type ObjectSource,
  type ObjectSources,
} from './intact-objects.ts'
import { loadBackup } from './load-backup.ts'
import type { Manifest } from './manifest.ts'
import {
  createScratchDatabase,
  databaseName,
  dropUnfinishedDatabases,
  restoredName,
  swapDatabases,
} from './scratch-database.ts'
import { describeFile, type ShopFile } from './tables.ts'

export type RestoreTarget = {
  databaseUrl: string
  storage: Storage
  clock: () => Date
  prepare?: (url: string, lost: readonly DamagedFile[]) => Promise<void>
  otherStores?: readonly ObjectSource[]
  withoutDamagedFiles?: boolean
}

/** Changes nothing before the backup was restored beside the shop's database, compared and prepared. The shop must not run. */
export async function restore(
  target: RestoreTarget,
  store: ObjectSource,
  manifest: Manifest,
  onProgress: Progress = () => undefined,
) {
  const { databaseUrl, storage, clock, prepare, otherStores = [] } = target
  // A backup made meanwhile would drop the unfinished database, and could remove the objects that are read.
  await using undo = new AsyncDisposableStack()
  const lock = undo.use(await tryBackupLock(databaseUrl))
  if (!lock)
    throw new Error(
      'A backup, a rehearsal or another restore is under way: wait for its end. Nothing was changed.',
    )
  const sources: ObjectSources = [store, ...otherStores]
  const tables = await readIntactTables(sources, manifest.tables)
  const moment = clock().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  await dropUnfinishedDatabases(databaseUrl)
  await using scratch = await createScratchDatabase(databaseUrl, restoredName(databaseUrl, moment))
  const { differences, shopFiles } = await loadBackup(scratch.url, tables, manifest, onProgress)
  if (differences.length > 0)
    throw new Error(`The restored data differ from the backup: ${differences.join('; ')}.`)
  const count = manifest.files.length
  const plan = await planFiles(storage, sources, manifest, (done) => onProgress('files', done, count))
  const lost = plan.damaged.map((file) => describeFile(shopFiles, file.name))
  if (lost.length > 0 && !target.withoutDamagedFiles) throw damagedFiles(plan.damaged, shopFiles)
  for (const { name, sha256, source } of plan.missing)
    await storage.write(name, await source.readObject(sha256))
  await prepare?.(scratch.url, plan.damaged)
  await lock.check()
  const old = `${databaseName(databaseUrl)}_before_${moment}`
  // The lock is held by a connection to the shop's database, which cannot be renamed while there is one.
  await undo.disposeAsync()
  await swapDatabases(databaseUrl, scratch.name, old)
  return { old, filesWritten: plan.missing.length, lost }
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
