// Tables without what slows a large filling down: taken off and put back within one transaction, so that no shop is
// ever seen, or left by a crash, without it.
import type { Client } from 'pg'

const tables = ['auth.users', 'profiles', 'user_roles', 'purchases', 'adjustments', 'shipments', 'user_sums']

type Part = { table: string; drop: string; make: string }

/** Primary keys stay: what points at them hangs on them, and the rows come in their order. */
export async function strip(client: Client): Promise<Part[]> {
  const names = tables.join(', ')
  // Products too: the keys that point at them are taken off. All at once, so that nobody waits for each other.
  await client.query(`lock table ${names}, products in access exclusive mode`)
  const { rows: parts } = await client.query<Part>(
    `select c.conrelid::regclass::text as table,
       format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
       format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as make
     from pg_constraint c where c.conrelid = any($1::regclass[]) and c.contype in ('u', 'f')
     union all
     select i.indrelid::regclass::text, format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
     from pg_index i where i.indrelid = any($1::regclass[]) and not i.indisprimary
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.conrelid = i.indrelid)`,
    [tables],
  )
  for (const { drop } of parts) await client.query(drop)
  // The sums are made once, at the end.
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  return parts
}

export async function restore(client: Client, parts: Part[]): Promise<void> {
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
  for (const { make } of parts) await client.query(make)
}
