// The databases beside that of the shop: those that a rehearsal or a restore makes, swaps and leaves.
import type { Client } from 'pg'
import { z } from 'zod'
import { queryRow } from '#platform/db/query.ts'
import { openClient } from '#platform/db/client.ts'

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

type ScratchDatabase = AsyncDisposable & { name: string; url: string; drop(): Promise<void> }

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

export const restoredName = (url: string, moment: string) => `${databaseName(url)}_restored_${moment}`

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

export async function swapDatabases(url: string, restored: string, old: string): Promise<void> {
  const current = databaseName(url)
  await inMaintenance(url, async (client) => {
    await client.query('begin')
    await client.query(`alter database ${quote(current)} rename to ${quote(old)}`)
    await client.query(`alter database ${quote(restored)} rename to ${quote(current)}`)
    await client.query('commit')
  })
}

export async function readDatabaseBytes(url: string): Promise<number> {
  const size = z.object({ bytes: z.coerce.number() })
  const query = `select pg_database_size('${databaseName(url).replaceAll("'", "''")}') as bytes`
  return (await inMaintenance(url, (client) => queryRow(client, size, query))).bytes
}

/** An address may name several hosts, unlike a URL. */
const address = /^([a-z]+:\/\/[^/?]*)(?:\/([^?]*))?/

export function databaseName(url: string): string {
  return decodeURIComponent(address.exec(url)?.[2] ?? '') || 'postgres'
}

function withDatabase(url: string, name: string): string {
  return url.replace(address, `$1/${encodeURIComponent(name)}`)
}

/** A database can neither be dropped nor renamed from inside; template1 is in every cluster. */
async function inMaintenance<Result>(url: string, run: (client: Client) => Promise<Result>): Promise<Result> {
  await using client = await openClient(withDatabase(url, 'template1'))
  return await run(client)
}

const leftRow = z.object({
  name: z.string(),
  kind: z.enum(['before', 'restored']),
  bytes: z.coerce.number(),
  is_in_use: z.boolean(),
})

/** `before`: the data before a restore. `restored`: those of a restore that did not end. `at` is when it began. */
export async function listLeftDatabases(url: string) {
  return inMaintenance(url, async (client) => {
    const { rows } = await client.query(
      `select datname as name, kind, pg_database_size(oid) as bytes,
         exists (select from pg_stat_activity a where a.datid = d.oid) as is_in_use
       from pg_database d join unnest($2::text[]) kind on left(datname, -14) = $1 || '_' || kind || '_'
       where right(datname, 14) ~ '^[0-9]+$' and datname <> current_database()
       order by datname`,
      [databaseName(url), leftRow.shape.kind.options],
    )
    return z
      .array(leftRow)
      .parse(rows)
      .map(({ name, kind, bytes, is_in_use }) => ({
        name,
        kind,
        bytes,
        at: momentOf(name.slice(-14)),
        isInUse: is_in_use,
      }))
  })
}

export function dropLeftDatabase(url: string, name: string): Promise<void> {
  return inMaintenance(url, async (client) => void (await client.query(`drop database ${quote(name)}`)))
}

export function momentOf(digits: string): Date {
  return new Date(digits.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'))
}
