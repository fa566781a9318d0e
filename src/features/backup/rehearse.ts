// A restore that is only tried: the newest backup is brought into a database of its own and compared with what it says.
import { migrateTo } from '#platform/db/migrate.ts'
import { WritableClient } from '#platform/db/writable-client.ts'
import type { BackupStore } from './backup-store.ts'
import { measure } from './content-meter.ts'
import type { Progress } from './create-backup.ts'
import { compareWithManifest, loadBackup } from './load-backup.ts'
import type { Manifest } from './manifest.ts'
import { createScratchDatabase, rehearsalName } from './scratch-database.ts'

export type Rehearsal = {
  backup: string
  orders: number
  files: number
  /** What is not as it should be, in plain words; empty where the backup can be restored. */
  problems: string[]
}

/** Throws an Error in plain words where it cannot be tried at all: there is no backup, or no room for a database. */
export async function rehearse(
  databaseUrl: string,
  store: BackupStore,
  onProgress: Progress = () => undefined,
): Promise<Rehearsal> {
  const [backup] = await store.list()
  if (!backup) throw new Error('There is no backup yet.')
  const manifest = await store.read(backup)
  const problems = [
    ...(await rehearseRows(databaseUrl, store, manifest, onProgress)),
    ...(await checkFiles(store, manifest, onProgress)),
  ]
  return { backup, orders: manifest.sums.orders, files: manifest.files.length, problems }
}

async function rehearseRows(
  databaseUrl: string,
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress,
): Promise<string[]> {
  await using scratch = await createScratchDatabase(databaseUrl, rehearsalName(databaseUrl))
  const client = new WritableClient({ connectionString: scratch.url, application_name: 'lectern rehearsal' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await migrateTo(client, manifest.schema_version)
    await loadBackup(client, store, manifest, onProgress)
    return await compareWithManifest(client, manifest)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    await client.end()
  }
}

/** Reads every file to its end: its content must have the hash of the manifest. */
async function checkFiles(store: BackupStore, { files }: Manifest, onProgress: Progress): Promise<string[]> {
  const problems: string[] = []
  for (const [nth, { name, sha256, size }] of files.entries()) {
    onProgress('files', nth, files.length)
    const found = await store
      .readObject(sha256)
      .then(measure)
      .catch((error: unknown) => String(error))
    if (typeof found === 'string') problems.push(`${name} cannot be read: ${found}`)
    else if (found.size !== size) problems.push(`${name} has ${found.size} bytes instead of ${size}`)
  }
  return problems
}
