// Puts a backup in the place of the shop's data. The data before it stay, under another name, until the author drops them.
import { migrateTo } from '#platform/db/migrate.ts'
import type { Storage } from '#platform/storage.ts'
import { WritableClient } from '#platform/db/writable-client.ts'
import { tryBackupLock, type BackupLock } from './backup-lock.ts'
import type { BackupStore } from './backup-store.ts'
import { findMissingObjects, type Progress } from './create-backup.ts'
import { compareWithManifest, loadBackup } from './load-backup.ts'
import type { Manifest } from './manifest.ts'
import {
  createScratchDatabase,
  databaseName,
  dropUnfinishedDatabases,
  restoredName,
  swapDatabases,
} from './scratch-database.ts'

export type RestoreTarget = {
  databaseUrl: string
  storage: Storage
  clock: () => Date
  /** Called with the address of the restored database, before it takes the place of the shop's. Must close its connections. */
  prepare?: (url: string) => Promise<void>
}

/** The name under which the database before goes on. */
export type Restored = { old: string; filesWritten: number }

/**
 * Nothing of the shop's is changed before the whole backup was brought into a database beside it, compared and prepared.
 * The shop must not run. Throws an Error in plain words where the backup is not whole, or another one is being made.
 */
export async function restore(
  { databaseUrl, storage, clock, prepare }: RestoreTarget,
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress = () => undefined,
): Promise<Restored> {
  // A backup made meanwhile would drop the unfinished database, and could remove the objects that are read.
  await using undo = new AsyncDisposableStack()
  const lock = undo.use(await requireBackupLock(databaseUrl))
  const missing = await findMissingObjects(store, manifest)
  if (missing.length > 0)
    throw new Error(`The backup is not whole: ${missing.length} of its objects are missing.`)
  const moment = clock().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  await dropUnfinishedDatabases(databaseUrl)
  await using scratch = await createScratchDatabase(databaseUrl, restoredName(databaseUrl, moment))
  await fill(scratch.url, store, manifest, onProgress)
  const filesWritten = await restoreFiles(storage, store, manifest, onProgress)
  await prepare?.(scratch.url)
  await lock.check()
  const old = `${databaseName(databaseUrl)}_before_${moment}`
  // The lock is held by a connection to the shop's database, which cannot be renamed while there is one.
  await undo.disposeAsync()
  await swapDatabases(databaseUrl, scratch.name, old)
  return { old, filesWritten }
}

async function requireBackupLock(url: string): Promise<BackupLock> {
  const lock = await tryBackupLock(url)
  if (!lock)
    throw new Error(
      'A backup, a rehearsal or another restore is under way: wait for its end. Nothing was changed.',
    )
  return lock
}

async function fill(
  url: string,
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress,
): Promise<void> {
  const client = new WritableClient({ connectionString: url, application_name: 'lectern restore' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await migrateTo(client, manifest.schema_version)
    await loadBackup(client, store, manifest, onProgress)
    const differences = await compareWithManifest(client, manifest)
    if (differences.length > 0)
      throw new Error(`The restored data differ from the backup: ${differences.join('; ')}.`)
  } finally {
    await client.end()
  }
}

/** A stored file never changes: one that is there with its size is left alone. */
async function restoreFiles(
  storage: Storage,
  store: BackupStore,
  { files }: Manifest,
  onProgress: Progress,
): Promise<number> {
  let written = 0
  for (const [nth, { name, sha256, size }] of files.entries()) {
    onProgress('files', nth, files.length)
    if ((await storage.stat(name))?.size === size) continue
    await storage.write(name, await store.readObject(sha256))
    written += 1
  }
  return written
}
