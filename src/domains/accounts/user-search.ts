// Searches users by a part of name or address, at a cost that grows with those found and not with all.
import { z } from 'zod'
import { queryAll, queryOne, containing } from '#platform/db/query.ts'
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'

/** More are called many: of many nobody wants the number, and one of them is met soon in any order. */
export const manyUsers = { atLeast: 1000, atMost: 5000 }

const sampleSize = 300

/** Searches by the index over name and address of `profiles p`: without accents, José is found by "jose". */
export function isFitting(q: string): SQL {
  return sql`searchable(p.email || ' ' || coalesce(p.display_name, '')) like searchable(${containing(q)})`
}

/** Undefined when there are many: more than 1000 at least. */
export async function findUsers(db: Db, q: string): Promise<string[] | undefined> {
  const { isCommon, words } = await askSome(db, q)
  const most = isCommon ? manyUsers.atLeast : manyUsers.atMost
  // The index finds the words. The empty string keeps PostgreSQL from using it for the whole term, which filters the rows found.
  const fits =
    words.length > 0
      ? sql`${sql.join(words.map(isFitting), sql` and `)}
          and searchable(p.email || ' ' || coalesce(p.display_name, '') || '') like searchable(${containing(q)})`
      : isFitting(q)
  const { ids: found } = await queryOne(
    db,
    z.object({ ids: z.array(z.string()).nullable() }),
    sql`
    select case when count(*) <= ${most} then coalesce(array_agg(user_id), '{}') end as ids
    from (select p.user_id from profiles p where ${fits} limit ${most + 1}) found`,
  )
  return found ?? undefined
}

/**
 * A guess from the newest, which decides on the way and never on the response: whether the term fits one in a hundred,
 * and the words of it that fit fewer than one in ten. Of "anna@gmail.com" that is "anna": the index is slow at looking
 * for what everybody has.
 */
async function askSome(db: Db, q: string): Promise<{ isCommon: boolean; words: string[] }> {
  const words = q.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= 3 && word !== q)
  const query = sql`
    select (
      select count(*)::float / ${sampleSize}
      from (select * from profiles order by created_at desc, user_id desc limit ${sampleSize}) p
      where strpos(searchable(p.email || ' ' || coalesce(p.display_name, '')), searchable(part)) > 0
    ) as share
    from unnest(${sql.param([q, ...words])}::text[]) with ordinality parts (part, nth) order by nth`
  const rows = await queryAll(db, z.object({ share: z.number() }), query)
  const [whole = 0, ...shares] = rows.map(({ share }) => share)
  return { isCommon: whole >= 0.01, words: words.filter((_, nth) => (shares[nth] ?? 0) < 0.1) }
}
