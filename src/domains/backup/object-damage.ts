// Finds which objects of a backup are missing or damaged in a place, and where there is an intact copy.
import { StorageUnavailableError } from '#platform/storage.ts'
import { failureReason } from '#platform/errors.ts'
import type { BackupStore } from './backup-store.ts'
import type { Manifest, FileEntry, TableEntry } from './manifest.ts'
import { measure } from './content-sums.ts'
import type { Progress } from './create-backup.ts'

type BackupObject = { sha256: string; size: number }

export function objectsWithSizes({ tables, files }: Pick<Manifest, 'tables' | 'files'>): BackupObject[] {
  const sizes = new Map<string, number>()
  for (const { object, size } of tables) sizes.set(object, size)
  for (const { sha256, size } of files) sizes.set(sha256, size)
  return [...sizes].map(([sha256, size]) => ({ sha256, size }))
}

async function findDamage(
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

export async function checkObjects(
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress,
): Promise<Map<string, string>> {
  const result = new Map<string, string>()
  const objects = objectsWithSizes(manifest)
  for (const [nth, object] of objects.entries()) {
    onProgress('files', nth, objects.length)
    const damage = await findDamage(store, object)
    if (!damage) continue
    result.set(object.sha256, failureReason(damage))
    if (!isUnavailable(damage)) store.addDamage(object.sha256)
  }
  return result
}

/** A place that does not respond now has not lost anything. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error instanceof StorageUnavailableError || isUnavailable(error.cause)
}

export type ObjectSource = Pick<BackupStore, 'canRead' | 'readObject'>

export type ObjectSources = readonly [ObjectSource, ...ObjectSource[]]

export type DamagedFile = FileEntry & { reason: string }

type ObjectLookup = { source: ObjectSource } | { reason: string }

export async function findIntact(
  [own, ...others]: ObjectSources,
  object: BackupObject,
): Promise<ObjectLookup> {
  const damage = await findLasting(own, object)
  if (!damage) return { source: own }
  for (const source of others) if (!(await findLasting(source, object))) return { source }
  return { reason: failureReason(damage) }
}

/** Throws where a place does not respond: that is no damage. */
async function findLasting(source: ObjectSource, object: BackupObject): Promise<Error | undefined> {
  const damage = await findDamage(source, object)
  if (!damage || !isUnavailable(damage)) return damage
  const again = await findDamage(source, object)
  if (!again || !isUnavailable(again)) return again
  await source.canRead(object.sha256, object.size).catch((cause: unknown) => {
    throw new Error(
      `A place of backups does not respond: ${failureReason(cause)}. Nothing was changed: try again.`,
      { cause },
    )
  })
  return again
}

export async function readIntactTables(
  sources: ObjectSources,
  tables: readonly TableEntry[],
): Promise<ObjectSource> {
  const chosen = new Map<string, ObjectSource>()
  const damaged: string[] = []
  for (const { name, object, size } of tables) {
    const intact = await findIntact(sources, { sha256: object, size })
    if ('source' in intact) chosen.set(object, intact.source)
    else damaged.push(`the rows of ${name} (${intact.reason})`)
  }
  if (damaged.length > 0)
    throw new Error(
      `The backup cannot be restored, because it is damaged: ${damaged.join('; ')}. Nothing was changed: choose another backup, or another place.`,
    )
  const sourceOf = (sha256: string) => chosen.get(sha256) ?? sources[0]
  return {
    canRead: (sha256, size) => sourceOf(sha256).canRead(sha256, size),
    readObject: (sha256) => sourceOf(sha256).readObject(sha256),
  }
}
