// The tables, sequences and files that a backup consists of, and the databases that a restore makes and swaps.
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { queryRow, type PgClient } from '#platform/db/query.ts'
import type { Manifest, Sums, TableEntry } from './manifest.ts'
import { openClient } from '#platform/db/client.ts'

export type Table = Pick<TableEntry, 'name' | 'columns'>
export type CopiedTable = Pick<TableEntry, 'name' | 'columns' | 'rows' | 'sha256'>

/** After a restore all users sign in again; the list of backups belongs to the machine. */
const leftOut = new Set([
  'auth.sessions',
  'auth.mfa_challenges',
  'public.backup_runs',
  'public.backup_states',
  'public.backup_objects',
])

export async function listTables(client: Client): Promise<Table[]> {
  return (await listAllTables(client)).filter(({ name }) => !leftOut.has(name) && !isOfQueue({ name }))
}

export function isOfQueue({ name }: Pick<Table, 'name'>): boolean {
  return name.startsWith('pgboss.')
}

export async function listAllTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query(
    `select n.nspname || '.' || c.relname as name,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns,
       array(select distinct rn.nspname || '.' || r.relname from pg_constraint f
         join pg_class r on r.oid = f.confrelid join pg_namespace rn on rn.oid = r.relnamespace
         where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as refers_to
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p' and (n.nspname in ('public', 'auth')
       or n.nspname = 'pgboss' and c.relname in ('queue', 'job_common'))
     order by 1`,
  )
  const tables = z
    .array(z.object({ name: z.string(), columns: z.array(z.string()), refers_to: z.array(z.string()) }))
    .parse(rows)
  const ordered: Table[] = []
  const add = ({ name, columns, refers_to }: (typeof tables)[number]) => {
    if (ordered.some((table) => table.name === name)) return
    for (const table of tables) if (refers_to.includes(table.name)) add(table)
    ordered.push({ name, columns })
  }
  for (const table of tables) add(table)
  return ordered
}

/** Rows of these say nothing that a restore would miss. */
const unimportant = ['public.rate_limits']

const changeCount = z.object({ changes: z.number().nullable() })

/**
 * How many rows of the tables of a backup were ever inserted, updated and deleted, as PostgreSQL's statistics count them:
 * no table is read. Another number than before means that something changed, or that the statistics began anew. A change
 * may be counted up to ten seconds late, so it has to be read before a backup begins. Null where nothing is counted.
 */
export async function countChanges(client: PgClient): Promise<number | null> {
  const { changes } = await queryRow(
    client,
    changeCount,
    `select case when current_setting('track_counts')::boolean
       then coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::float8 end as changes
     from pg_stat_user_tables
     where schemaname in ('public', 'auth') and schemaname || '.' || relname <> all($1)`,
    [[...leftOut, ...unimportant]],
  )
  return changes
}

/** Rows come without a pause: after so long the connection is lost. */
const maxSilenceMs = 300_000

export function readRows(client: Client, table: Table, silenceMs = maxSilenceMs): Readable {
  const rows = client.query(copyTo(`copy ${quoteTable(table)} to stdout`))
  const socket = client.connection.stream
  if (socket instanceof Socket) {
    const giveUp = () => void socket.destroy(new Error('The database stopped sending its rows.'))
    socket.setTimeout(silenceMs, giveUp)
    rows.once('close', () => socket.setTimeout(0, giveUp))
  }
  return rows
}

export function writeRows(client: Client, table: Table): Writable {
  return client.query(copyFrom(`copy ${quoteTable(table)} from stdin`))
}

function quoteTable({ name, columns }: Table): string {
  return `${quoteName(name)} (${columns.map(quote).join(', ')})`
}

export function quoteName(name: string): string {
  return name.split('.').map(quote).join('.')
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

export async function readSequences(client: Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query(
    `select schemaname || '.' || sequencename as name, coalesce(last_value, start_value)::text as last_value,
       last_value is not null as is_called
     from pg_sequences where schemaname in ('public', 'auth') order by 1`,
  )
  return z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })).parse(rows)
}

export async function writeSequences(client: Client, sequences: Manifest['sequences']): Promise<void> {
  for (const { name, last_value, is_called } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      quoteName(name),
      last_value,
      is_called,
    ])
  }
}

export async function readSums(client: Client): Promise<Sums> {
  const count = z.number()
  const sums = { orders: count, completed: count, revenue: z.string(), refunded: z.string(), users: count }
  return queryRow(
    client,
    z.object(sums),
    `select count(*)::int as orders, count(*) filter (where is_completed(status))::int as completed,
       coalesce(sum(net_amount(status, amount, refunded)), 0)::numeric(20, 2)::text as revenue,
       coalesce(sum(refunded), 0)::numeric(20, 2)::text as refunded,
       (select count(*) from profiles)::int as users
     from purchases`,
  )
}

const shopFile = z.object({ name: z.string(), label: z.string() })

export type ShopFile = z.output<typeof shopFile>

export async function listShopFiles(client: PgClient): Promise<ShopFile[]> {
  const { rows } = await client.query(
    `select name, min(label) as label from (
       select f.file_path as name, 'the ' || upper(f.file_format) || ' “' || f.title || '” of the product “' || p.name || '”' as label
         from product_files f join products p on p.id = f.product_id where f.lost_at is null
       union all select p.file_path, 'the main file of the product “' || p.name || '”' from products p
         where p.file_path is not null and not exists (select from product_files f where f.file_path = p.file_path)
       union all select 'pictures/' || i.id || '/' || unnest(i.renditions),
         coalesce((select 'the cover of the product “' || min(p.name) || '”' from products p where p.cover_id = i.id),
           case when i.renditions[1] like 'notice.%' then 'the notice on the legal guarantee' else 'a picture of the book’s page' end)
         from pictures i) files group by name order by name`,
  )
  return z.array(shopFile).parse(rows)
}

export function describeFile(files: readonly ShopFile[], name: string): string {
  const label = files.find((file) => file.name === name)?.label
  return label ? `${label} (${name})` : name
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

const maxLoggedBytes = 500e6

const keptName = (url: string) => `${databaseName(url)}_before_upgrade`

/** An exact copy beside, with sessions and waiting emails, which are in no backup. Nothing may be connected to it. */
export async function keepDatabase(url: string): Promise<void> {
  await dropKeptDatabase(url)
  // Through the log, a small one is copied without waiting for the disk twice.
  const strategy = (await readDatabaseBytes(url)) < maxLoggedBytes ? 'wal_log' : 'file_copy'
  const names = `${quote(keptName(url))} template ${quote(databaseName(url))}`
  await inMaintenance(url, (client) => client.query(`create database ${names} strategy ${strategy}`))
}

/** Puts the copy back in its place; without one, that has happened. */
export async function bringBackDatabase(url: string): Promise<void> {
  const failed = `${databaseName(url)}_failed_upgrade`
  await inMaintenance(url, async (client) => {
    await client.query(`drop database if exists ${quote(failed)} with (force)`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [keptName(url)])
    if (!rowCount) return
    await swapDatabases(url, keptName(url), failed)
    await client.query(`drop database if exists ${quote(failed)} with (force)`)
  })
}

export async function dropKeptDatabase(url: string): Promise<void> {
  await inMaintenance(url, (client) => client.query(`drop database if exists ${quote(keptName(url))}`))
}

export async function readDatabaseBytes(url: string): Promise<number> {
  const size = z.object({ bytes: z.coerce.number() })
  const query = `select pg_database_size('${databaseName(url).replaceAll("'", "''")}') as bytes`
  return (await inMaintenance(url, (client) => queryRow(client, size, query))).bytes
}

/** There may be several hosts, unlike in a URL. */
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
