// Opens the places for a run of a backup, and says which of them cannot be opened.
import type { BackupStore } from './backup-store.ts'
import { readDamagedObjects } from './backup-states.ts'
import type { Db } from '#platform/db/client.ts'
import { failureReason } from '#platform/errors.ts'
import type { BackupTarget } from './backup-targets.ts'
import { refuseForeignTarget } from './foreign-target.ts'

export async function openTargets(db: Db, places: readonly BackupTarget[]) {
  const opened: (BackupTarget & { store: BackupStore; damaged: Set<string> })[] = []
  const failed = new Map<string, string>()
  for (const place of places) {
    try {
      await refuseForeignTarget(db, place)
      const damaged = await readDamagedObjects(db, place.label)
      opened.push({ ...place, damaged, store: await place.open(damaged) })
    } catch (error) {
      failed.set(place.label, `${place.label} cannot be opened: ${failureReason(error)}`)
    }
  }
  return { opened, failed }
}
