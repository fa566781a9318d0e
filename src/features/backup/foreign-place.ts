// A place with the backups of other data than the database's: those of another shop, or of this one before its disk died.
import { and, eq, inArray, lte, or } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { users } from '../accounts/schema.ts'
import { products } from '../products/schema.ts'
import type { BackupPlace } from './backup-places.ts'
import { momentOf } from './backup-store.ts'
import { backup_runs } from './schema.ts'

/**
 * Throws an Error in plain words before a new shop writes beside backups that it has neither made nor restored: it would
 * remove them as its own older ones.
 */
export async function refuseForeignPlace(db: Db, place: BackupPlace): Promise<void> {
  const names = [...(await place.list()), ...(await place.listOthers())].toSorted().toReversed()
  const [newest] = names
  if (!newest || (await hasMade(db, names))) return
  // An upgrade's backup is in no list of runs.
  if (place.isOwn && (await isOlder(db, names))) return
  throw new Error(
    [
      `there are backups of other data (the newest of ${momentOf(newest)}), which this shop has neither made nor restored. Nothing was written.`,
      'If they are yours and the data were lost: stop the shop and restore them, see docs/recovery.md.',
      place.isOwn
        ? `If nobody needs them any more: move all that is in ${place.label} elsewhere.`
        : 'If they are of another shop: set BACKUP_URL to a new folder.',
    ].join(' '),
  )
}

/**
 * Any restore counts: it may have come from another place. A run that was killed has no name, and began before all that it
 * may have left.
 */
async function hasMade(db: Db, names: string[]): Promise<boolean> {
  const { kind, backup, started_at } = backup_runs
  const oldest = oldestOf(names)
  const [found] = await db
    .select({ backup })
    .from(backup_runs)
    .where(or(eq(kind, 'restore'), inArray(backup, names), and(eq(kind, 'backup'), lte(started_at, oldest))))
    .limit(1)
  return found !== undefined
}

/** Whether the shop had data when the oldest was made. */
async function isOlder(db: Db, names: readonly string[]): Promise<boolean> {
  const oldest = oldestOf(names)
  const counts = [
    await db.$count(users, lte(users.created_at, oldest)),
    await db.$count(products, lte(products.created_at, oldest)),
  ]
  return counts.some((count) => count > 0)
}

/** Of names, newest first. */
const oldestOf = (names: readonly string[]) => new Date(momentOf(names.at(-1) ?? ''))
