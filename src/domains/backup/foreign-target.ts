// A place with backups of other data, where nothing is written.
import { momentOf } from './backup-store.ts'
import type { Db } from '#platform/db/client.ts'
import { and, eq, inArray, lte, or } from 'drizzle-orm'
import { users } from '#tables/accounts.ts'
import { products } from '#tables/catalog.ts'
import { backup_runs } from '#tables/backup.ts'
import type { BackupTarget } from './backup-targets.ts'

/** A new shop would remove the backups of other data as its own older ones. */
export async function refuseForeignTarget(db: Db, place: BackupTarget): Promise<void> {
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
        : 'If they are of another shop: name a new folder, in BACKUP_URL or under Backups.',
    ].join(' '),
  )
}

/** Any restore counts: it may have come from another place. A killed run has no name, and began before what it left. */
async function hasMade(db: Db, names: string[]): Promise<boolean> {
  const { kind, backup, started_at } = backup_runs
  const oldest = oldestOf(names)
  const [row] = await db
    .select({ backup })
    .from(backup_runs)
    .where(or(eq(kind, 'restore'), inArray(backup, names), and(eq(kind, 'backup'), lte(started_at, oldest))))
    .limit(1)
  return row !== undefined
}

async function isOlder(db: Db, names: readonly string[]): Promise<boolean> {
  const oldest = oldestOf(names)
  const counts = [
    await db.$count(users, lte(users.created_at, oldest)),
    await db.$count(products, lte(products.created_at, oldest)),
  ]
  return counts.some((count) => count > 0)
}

const oldestOf = (names: readonly string[]) => new Date(momentOf(names.at(-1) ?? ''))
