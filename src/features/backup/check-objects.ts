// Which objects of a backup are damaged: each is read to its end.
import { failureReason } from '#platform/failure-reason.ts'
import { StorageUnavailableError } from '#platform/storage.ts'
import type { BackupStore } from './backup-store.ts'
import { measure } from './content-meter.ts'
import type { Progress } from './create-backup.ts'
import type { Manifest } from './manifest.ts'

export type BackupObject = { sha256: string; size: number }

function objectsWithSizes({ tables, files }: Pick<Manifest, 'tables' | 'files'>): BackupObject[] {
  const sizes = new Map<string, number>()
  for (const { object, size } of tables) sizes.set(object, size)
  for (const { sha256, size } of files) sizes.set(sha256, size)
  return [...sizes].map(([sha256, size]) => ({ sha256, size }))
}

/** Names of objects that the store lacks: whether a backup can be restored, without reading them. */
export async function findMissingObjects(store: BackupStore, manifest: Manifest): Promise<string[]> {
  const missing: string[] = []
  for (const { sha256, size } of objectsWithSizes(manifest))
    if (!(await store.canRead(sha256, size))) missing.push(sha256)
  return missing
}

/** Undefined where its content is whole. */
export async function findDamage(
  store: Pick<BackupStore, 'canRead' | 'readObject'>,
  { sha256, size }: BackupObject,
): Promise<Error | undefined> {
  try {
    if (!(await store.canRead(sha256, size))) return new Error(`the object ${sha256} is missing or cut off`)
    await measure(await store.readObject(sha256))
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** By object: why it cannot be restored. Damaged ones are noted, so that the next backup writes them again. */
export async function checkObjects(
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const objects = objectsWithSizes(manifest)
  for (const [nth, object] of objects.entries()) {
    onProgress('files', nth, objects.length)
    const damage = await findDamage(store, object)
    if (!damage) continue
    found.set(object.sha256, failureReason(damage))
    if (!isUnavailable(damage)) await store.addDamage(object.sha256)
  }
  return found
}

/** A place that does not respond now has not lost anything. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error instanceof StorageUnavailableError || isUnavailable(error.cause)
}
