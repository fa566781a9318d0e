// A stretch in which nobody could pay, with those who tried.
import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { payment_outages } from './schema.ts'

/** So many addresses are named; the rest is only counted. */
const maxEmails = 200

const outageBuyers = z.object({ people: z.number(), emails: z.array(z.string()) })

/** Of `outage_id`, an expression of the query around it. Accounts that were deleted since have no address. */
export const buyersOfOutage = (outage_id: SQL) => sql`
  select count(*)::int as people, coalesce((array_agg(u.email order by u.email)
    filter (where u.email is not null))[1:${sql.raw(String(maxEmails))}], '{}') as emails
  from payment_outage_buyers p left join profiles u on u.user_id = p.user_id
  where p.outage_id = ${outage_id}`

export async function readOutage(db: Db, id: string) {
  const [outage] = await db.select().from(payment_outages).where(eq(payment_outages.id, id))
  const buyers = outage && (await queryOne(db, outageBuyers, buyersOfOutage(sql`${id}::uuid`)))
  if (!outage?.ended_at || !buyers) return undefined
  return { ...outage, ended_at: outage.ended_at, ...buyers }
}
