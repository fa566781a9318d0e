import { sql, type SQL } from 'drizzle-orm'

/** The ids beside a row of a table that is listed newest first. `isShown`: what the list shows, of a row `n`. */
export function neighborsOf(table: SQL, id: string, isShown: SQL = sql`true`): SQL {
  const here = sql`(select here.created_at, here.id from ${table} here where here.id = ${id})`
  return sql`jsonb_build_object(
    'newer', (select n.id from ${table} n where (n.created_at, n.id) > ${here} and ${isShown}
      order by n.created_at, n.id limit 1),
    'older', (select n.id from ${table} n where (n.created_at, n.id) < ${here} and ${isShown}
      order by n.created_at desc nulls first, n.id desc nulls first limit 1))`
}
