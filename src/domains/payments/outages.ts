// An outage lasts from the first buyer who was refused until the next checkout that opens. It is in the database, as several
// processes share it.
import { eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { payment_outage_buyers, payment_outages } from '#tables/payments.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { queryOne } from '#platform/db/query.ts'
import { Problem } from '#platform/problem.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import type { Erased } from '#domains/accounts/erased-accounts.ts'

type Reason = (typeof payment_outages.$inferSelect)['reason']

const reasons = new Map<string, Reason>([
  ['payments.unavailable', 'unavailable'],
  ['payments.not_available', 'denied'],
])

export async function saveRefusedBuyer({ db, clock, log }: CommerceShop, user_id: string, error: unknown) {
  const reason = error instanceof Problem ? reasons.get(error.code) : undefined
  if (!reason) return
  try {
    await db.transaction(async (tx) => {
      const began = { id: uuidv7(), reason, began_at: clock() }
      await tx.insert(payment_outages).values(began).onConflictDoNothing()
      const [outage] = await tx
        .select({ id: payment_outages.id })
        .from(payment_outages)
        .where(isNull(payment_outages.ended_at))
        .for('share')
      // Another checkout may have opened at this moment: then the buyer's next click works, too.
      if (!outage) return
      await tx.insert(payment_outage_buyers).values({ outage_id: outage.id, user_id }).onConflictDoNothing()
    })
  } catch (failure) {
    log.warn({ err: failure }, 'a buyer who could not pay was not counted')
  }
}

/** Must run in the transaction that stores a checkout, so that the author is notified once. */
export async function endOutage({ queue, clock, log }: CommerceShop, tx: Transaction) {
  const [over] = await tx
    .update(payment_outages)
    .set({ ended_at: clock() })
    .where(isNull(payment_outages.ended_at))
    .returning()
  if (!over) return
  await queue.enqueue(tx, outageMailJob, { outage_id: over.id })
  const people = await tx.$count(payment_outage_buyers, eq(payment_outage_buyers.outage_id, over.id))
  log.warn({ outage_id: over.id, people }, 'payments can be begun again; people could not pay before')
}

export const outageMailJob = defineMailJob({
  name: 'mail.payment-outage',
  kinds: ['payment_outage'],
  payload: z.object({ outage_id: z.uuid() }),
  async compose({ db, settings }, { outage_id }, branding) {
    const [outage] = await db.select().from(payment_outages).where(eq(payment_outages.id, outage_id))
    if (!outage?.ended_at || !settings.get().author_emails.failures) return undefined
    const buyers = await queryOne(db, outageBuyers, buyersOfOutage(sql`${outage_id}::uuid`))
    const { time_zone } = settings.get().shop
    const summary = describeOutage({ ...outage, ...buyers, ended_at: outage.ended_at }, time_zone)
    const { outageEmail } = await import('./payments.emails.ts')
    const email = { ...(await outageEmail({ ...buyers, summary }, branding)), to: branding.authorEmail }
    return { kind: 'payment_outage', email }
  },
})

const maxEmails = 200

const outageBuyers = z.object({ people: z.number(), emails: z.array(z.string()) })

export const buyersOfOutage = (outage_id: SQL) => sql`
  select count(*)::int as people, coalesce((array_agg(coalesce(u.email, g.email) order by coalesce(u.email, g.email))
    filter (where coalesce(u.email, g.email) is not null))[1:${sql.raw(String(maxEmails))}], '{}') as emails
  from payment_outage_buyers p left join profiles u on u.user_id = p.user_id
    left join guest_checkouts g on g.purchase_id = p.user_id
  where p.outage_id = ${outage_id}`

const causes: Record<Reason, string> = {
  unavailable: 'Stripe did not answer',
  denied: 'Stripe did not accept the key of the shop',
}

type Outage = { reason: Reason; began_at: Date; ended_at: Date; people: number }

export function describeOutage({ reason, began_at, ended_at, people }: Outage, time_zone: string): string {
  const inZone = (moment: Date, style: Intl.DateTimeFormatOptions) =>
    moment.toLocaleString('en-US', { ...style, timeZone: time_zone })
  const day = (moment: Date) => inZone(moment, { year: 'numeric', month: 'short', day: '2-digit' })
  const time = (moment: Date) => inZone(moment, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const isOneDay = day(began_at) === day(ended_at)
  const [from, to] = [began_at, ended_at].map((moment) =>
    isOneDay ? time(moment) : `${time(moment)} on ${day(moment)}`,
  )
  const period = from === to ? `at ${from}` : `from ${from} to ${to}`
  const when = isOneDay ? `On ${day(began_at)}, ${period}` : `From ${from} to ${to}`
  const who = people === 1 ? '1 person' : `${people} people`
  return `${when} (${time_zone}) ${causes[reason]}; ${who} could not pay.`
}

export const eraseFromOutages = ({ user_id, purchase_ids }: Erased) => sql`
  delete from payment_outage_buyers where user_id = ${user_id} or user_id = any(${purchase_ids})`
