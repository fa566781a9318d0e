// Databases beside the shop's own: for a restore, and for its rehearsal.
import type { Client } from 'pg'
import { z } from 'zod'
import { WritableClient } from '#platform/db/writable-client.ts'
import { quote } from './tables.ts'

type ScratchDatabase = AsyncDisposable & { name: string; url: string; drop(): Promise<void> }

/** Dropped when it is disposed of, unless it was renamed. Throws an Error in plain words where it may not be made. */
export async function createScratchDatabase(url: string, name: string): Promise<ScratchDatabase> {
  await inMaintenance(url, async (client) => {
    await client.query(`drop database if exists ${quote(name)} with (force)`)
    await client.query(`create database ${quote(name)} template template0`).catch((cause: unknown) => {
      throw new Error(
        'A database beside the shop’s cannot be created: let the user of DATABASE_URL create databases ("alter role … createdb").',
        { cause },
      )
    })
  })
  const drop = () =>
    inMaintenance(url, async (client) => {
      await client.query(`drop database if exists ${quote(name)} with (force)`)
    })
  return { name, url: withDatabase(url, name), drop, [Symbol.asyncDispose]: drop }
}

export const rehearsalName = (url: string) => `${databaseName(url)}_rehearsal`

/** `moment` has 14 digits, down to the second. */
export const restoredName = (url: string, moment: string) => `${databaseName(url)}_restored_${moment}`

/** Drops the databases of rehearsals and restores that were killed: those to which nothing is connected. */
export async function dropUnfinishedDatabases(url: string): Promise<void> {
  await inMaintenance(url, async (client) => {
    const { rows } = await client.query(
      `select datname as name from pg_database d
       where (datname = $1 or left(datname, -14) = $2 and right(datname, 14) ~ '^[0-9]+$')
         and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
      [rehearsalName(url), restoredName(url, '')],
    )
    const databases = z.array(z.object({ name: z.string() })).parse(rows)
    for (const { name } of databases) await client.query(`drop database if exists ${quote(name)}`)
  })
}

/** Puts `restored` in the place of the shop's database, which goes on under the name `old`: both, or neither. */
export async function swapDatabases(url: string, restored: string, old: string): Promise<void> {
  const current = databaseName(url)
  await inMaintenance(url, async (client) => {
    await client.query('begin')
    await client.query(`alter database ${quote(current)} rename to ${quote(old)}`)
    await client.query(`alter database ${quote(restored)} rename to ${quote(current)}`)
    await client.query('commit')
  })
}

/** Of the address of a database: what is before the name, and the name. There may be several hosts, unlike in a URL. */
const address = /^([a-z]+:\/\/[^/?]*)(?:\/([^?]*))?/

export function databaseName(url: string): string {
  return decodeURIComponent(address.exec(url)?.[2] ?? '') || 'postgres'
}

function withDatabase(url: string, name: string): string {
  return url.replace(address, `$1/${encodeURIComponent(name)}`)
}

/** A database can neither be dropped nor renamed from inside; template1 is in every cluster. */
async function inMaintenance<Result>(url: string, run: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new WritableClient({ connectionString: withDatabase(url, 'template1') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

type LeftDatabase = { name: string; bytes: number; restoredAt: Date; isInUse: boolean }

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
