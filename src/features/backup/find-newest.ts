// Which backup a rehearsal tries.
import { failureReason } from '#platform/failure-reason.ts'
import type { BackupPlace } from './backup-places.ts'

/**
 * The place with the newest backup that this machine can read; the first of them, where several have it. A place that does
 * not respond is passed over: the nightly backup reports it. Throws an Error in plain words where there is none.
 */
export async function findNewest(places: readonly BackupPlace[]): Promise<BackupPlace> {
  let newest: { place: BackupPlace; name: string } | undefined
  const reasons: string[] = []
  for (const place of places) {
    const listed = await place.list().catch(failureReason)
    const [name] = typeof listed === 'string' ? [] : listed
    if (typeof listed === 'string') reasons.push(`${place.label} cannot be reached: ${listed}`)
    else if (name && !place.isReadable) reasons.push(`Set BACKUP_IDENTITY to read those in ${place.label}.`)
    else if (name && (!newest || name > newest.name)) newest = { place, name }
  }
  if (newest) return newest.place
  throw new Error(['There is no backup yet that this machine can read.', ...reasons].join(' '))
}
