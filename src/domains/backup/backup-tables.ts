// The tables, sequences and files that a backup consists of.
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { queryRow, type PgClient } from '#platform/db/query.ts'
import type { Manifest, Sums, TableEntry } from './manifest.ts'
import { quote } from './side-databases.ts'

export type Table = Pick<TableEntry, 'name' | 'columns'>
export type CopiedTable = Pick<TableEntry, 'name' | 'columns' | 'rows' | 'sha256'>

/** All users sign in again after a restore; the list of backups belongs to the machine. */
const leftOut = new Set([
  'auth.sessions',
  'auth.mfa_challenges',
  'public.backup_runs',
  'public.backup_states',
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
       union all select e.file_path, 'the excerpt (' || upper(e.file_format) || ')' from excerpt_file e
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
