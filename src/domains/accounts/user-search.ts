// Searches users by a part of name or address, or of the name beside the card of an order, at a cost that grows with those
// found and not with all.
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

/** One or two letters are found by no index, but for scripts in which they are a name. */
export const isShort = (q: string) => q.trim().length < 3 && !/\p{Lo}/u.test(q)

/** Searches by the index over the names of `checkouts c`. */
export function isPaidBy(q: string): SQL {
  if (isShort(q)) return sql`false`
  return sql`searchable(c.payer_name) like searchable(${containing(q)})`
}

/** The purchases `b` whose checkout has such a name. */
const paidBy = (q: string) => sql`
  from checkouts c join purchases b on b.id = c.purchase_id where b.user_id is not null and ${isPaidBy(q)}`

export const payersOf = (q: string) => sql`(select b.user_id ${paidBy(q)})`

/** Tests one user `p`, where no index is to find them. */
export const isFound = (q: string) => sql`(${isFitting(q)} or exists (
  select ${paidBy(q)} and b.user_id = p.user_id))`

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
    with called as (select p.user_id from profiles p where ${fits} limit ${most + 1}),
      paying as (select b.user_id ${paidBy(q)} limit ${most + 1})
    select case when greatest((select count(*) from called), (select count(*) from paying)) <= ${most}
      then coalesce(array_agg(user_id), '{}') end as ids
    from (select user_id from called union select user_id from paying) found`,
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
