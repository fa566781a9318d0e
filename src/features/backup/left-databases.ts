// The databases that restores have left beside the shop's own: the data before each restore.
import { z } from 'zod'
import { databaseName, inMaintenance } from './scratch-database.ts'
import { quote } from './tables.ts'

export type LeftDatabase = { name: string; bytes: number; restoredAt: Date; isInUse: boolean }

const rows = z.array(z.object({ name: z.string(), bytes: z.coerce.number(), is_in_use: z.boolean() }))

/** The oldest first. */
export async function listLeftDatabases(url: string): Promise<LeftDatabase[]> {
  const prefix = `${databaseName(url)}_before_`
  return inMaintenance(url, async (client) => {
    const found = await client.query(
      `select datname as name, pg_database_size(oid) as bytes,
         exists (select from pg_stat_activity a where a.datid = d.oid) as is_in_use
       from pg_database d
       where left(datname, -14) = $1 and right(datname, 14) ~ '^[0-9]+$' and datname <> current_database()
       order by datname`,
      [prefix],
    )
    return rows.parse(found.rows).map(({ name, bytes, is_in_use }) => ({
      name,
      bytes,
      restoredAt: momentOf(name.slice(prefix.length)),
      isInUse: is_in_use,
    }))
  })
}

/** Throws where something is connected to it. */
export function dropLeftDatabase(url: string, name: string): Promise<void> {
  return inMaintenance(url, async (client) => void (await client.query(`drop database ${quote(name)}`)))
}

/** Of 14 digits, down to the second, in UTC. */
export function momentOf(digits: string): Date {
  return new Date(digits.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'))
}
