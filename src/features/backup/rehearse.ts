// A restore that is only tried: the newest backup is brought into a database of its own and compared with what it says.
import { failureReason } from '#platform/failure-reason.ts'
import { migrateTo, newestMigration } from '#platform/db/migrate.ts'
import { WritableClient } from '#platform/db/writable-client.ts'
import type { WithUploadReader } from '../ebooks/check.ts'
import type { BackupStore } from './backup-store.ts'
import { measure } from './content-meter.ts'
import type { BackupSource, Progress } from './create-backup.ts'
import { compareWithManifest, loadBackup } from './load-backup.ts'
import type { Manifest } from './manifest.ts'
import { openBoughtFile } from './open-bought-file.ts'
import { createScratchDatabase, rehearsalName } from './scratch-database.ts'

export type Rehearsal = {
  backup: string
  orders: number
  files: number
  /** The file of one purchase, and the number of its order; undefined where nothing digital was bought. */
  opened: string | undefined
  /** What is not as it should be, in plain words; empty where the backup can be restored. */
  problems: string[]
}

export type RehearsalNeeds = Pick<BackupSource, 'databaseUrl' | 'tmpDir'> & WithUploadReader

/** Throws an Error in plain words where it cannot be tried at all: there is no backup, or no room for a database. */
export async function rehearse(
  needs: RehearsalNeeds,
  store: BackupStore,
  onProgress: Progress = () => undefined,
): Promise<Rehearsal> {
  const [backup] = await store.list()
  if (!backup) throw new Error('There is no backup yet.')
  const manifest = await store.read(backup)
  const { opened, problems } = await rehearseRows(needs, store, manifest, onProgress)
  problems.push(...(await checkFiles(store, manifest, onProgress)))
  return { backup, orders: manifest.sums.orders, files: manifest.files.length, opened, problems }
}

async function rehearseRows(
  { databaseUrl, tmpDir, uploadReader }: RehearsalNeeds,
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress,
): Promise<Pick<Rehearsal, 'opened' | 'problems'>> {
  await using scratch = await createScratchDatabase(databaseUrl, rehearsalName(databaseUrl))
  const { url } = scratch
  const problems: string[] = []
  try {
    problems.push(...(await loadAndCompare(url, store, manifest, onProgress)))
    return { opened: await openBoughtFile({ url, store, manifest, tmpDir, uploadReader }), problems }
  } catch (error) {
    problems.push(failureReason(error))
    return { opened: undefined, problems }
  }
}

/** Leaves the database with this version's schema, as a restore does. */
async function loadAndCompare(
  url: string,
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress,
): Promise<string[]> {
  const client = new WritableClient({ connectionString: url, application_name: 'lectern rehearsal' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await migrateTo(client, manifest.schema_version)
    await loadBackup(client, store, manifest, onProgress)
    const problems = await compareWithManifest(client, manifest)
    await migrateTo(client, newestMigration())
    return problems
  } finally {
    await client.end()
  }
}

/** Reads every file to its end: its content must have the hash of the manifest. */
async function checkFiles(store: BackupStore, { files }: Manifest, onProgress: Progress): Promise<string[]> {
  const problems: string[] = []
  for (const [nth, { name, sha256, size }] of files.entries()) {
    onProgress('files', nth, files.length)
    const found = await store.readObject(sha256).then(measure).catch(failureReason)
    if (typeof found === 'string') problems.push(`${name} cannot be read: ${found}`)
    else if (found.size !== size) problems.push(`${name} has ${found.size} bytes instead of ${size}`)
  }
  return problems
}
