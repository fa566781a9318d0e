import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { storable } from '#contract/fields.ts'
import type { UserListRequest } from '#contract/accounts/users.ts'
import type { Db } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { moment, readCursor } from '#platform/http/cursors.ts'
import { isFitting } from './user-search.ts'

export const pageSize = 50
/** How far an order is walked to meet many, before the index is asked for all of them. */
const maxWalked = 10_000

export const place = z.object({ user_id: z.string(), place: z.string() })
export type Place = z.output<typeof place>

/** `text` is what a cursor may hold of it: what PostgreSQL reads back as `type`. */
type Sort = { id: SQL; from: SQL; by: SQL; type: SQL; text: z.ZodType<string> }

const ofProfile = { id: sql`p.user_id`, from: sql`profiles p` }
const ofSums = { id: sql`s.user_id`, from: sql`user_sums s join profiles p on p.user_id = s.user_id` }

const count = z.string().regex(/^\d{1,9}$/)
const sum = z.string().regex(/^-?\d{1,12}(\.\d{1,2})?$/)

const sorts: Record<UserListRequest['sort'], Sort> = {
  name: { ...ofProfile, by: sql`lower(coalesce(p.display_name, p.email))`, type: sql`text`, text: storable },
  role: { ...ofProfile, by: sql`p.top_role`, type: sql`text`, text: storable },
  joined: { ...ofProfile, by: sql`p.created_at`, type: sql`timestamptz`, text: moment },
  purchases: { ...ofSums, by: sql`s.total_purchases`, type: sql`integer`, text: count },
  spent: { ...ofSums, by: sql`s.total_spent`, type: sql`numeric`, text: sum },
  last: {
    ...ofSums,
    by: sql`coalesce(s.last_purchase, '-infinity')`,
    type: sql`timestamptz`,
    text: moment.or(z.literal('-infinity')),
  },
}

/**
 * A page and one more. Of a few `ids` the order is made; many, who have none here, are met soon by walking it. Neither
 * alone stays fast: to sort everybody, or to walk past everybody for one.
 */
export async function findPlaces(
  db: Db,
  { q, sort, dir, after }: UserListRequest,
  ids: string[] | undefined,
): Promise<Place[]> {
  const { id, from, by, type, text } = sorts[sort]
  const beginning = readCursor(after, z.tuple([text, z.uuid()]))
  const [way, side] = dir === 'desc' ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const isAfter = beginning
    ? sql`(${by}, ${id}) ${side} (${beginning[0]}::${type}, ${beginning[1]}::uuid)`
    : sql`true`
  const users = sql`
    select ${id} as user_id, ${by} as place, p.email, p.display_name from ${from} where ${isAfter}`

  const read = (found: SQL) => {
    const query = sql`
      select user_id, place::text as place from (
        select user_id, place from (${found}) p where ${q && !ids ? isFitting(q) : sql`true`}
        order by p.place ${way}, user_id ${way} limit ${pageSize + 1}
      ) page`
    return queryAll(db, place, query)
  }
  const walk = (steps: number) => read(sql`${users} order by ${by} ${way}, ${id} ${way} limit ${steps}`)
  if (!q) return await walk(pageSize + 1)
  if (ids) return await read(sql`${users} and ${id} = any(${sql.param(ids)}::uuid[])`)
  const met = await walk(maxWalked)
  // What is materialized is found by the index first, and sorted then.
  return met.length > pageSize
    ? met
    : await read(
        sql`with all_of_them as materialized (${users} and ${isFitting(q)}) select * from all_of_them`,
      )
}
