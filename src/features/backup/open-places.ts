// The places that a backup is written to, and why the others get none.
import type { Db } from '#platform/db/client.ts'
import { failureReason } from '#platform/failure-reason.ts'
import type { BackupPlace } from './backup-places.ts'
import type { BackupStore } from './backup-store.ts'
import { refuseForeignPlace } from './foreign-place.ts'
import { openObjectRecord } from './object-record.ts'

/** One that cannot be opened, or is not the shop's to write to, is left out. */
export async function openPlaces(db: Db, places: readonly BackupPlace[]) {
  const opened: (BackupPlace & { store: BackupStore })[] = []
  /** By label, in plain words. */
  const failed = new Map<string, string>()
  for (const place of places) {
    try {
      await refuseForeignPlace(db, place)
      opened.push({ ...place, store: await place.open(await openObjectRecord(db, place.label)) })
    } catch (error) {
      failed.set(place.label, `${place.label} cannot be opened: ${failureReason(error)}`)
    }
  }
  return { opened, failed }
}
