// What the webhook says of each event, read from the rows as they are at the attempt. An address is said only where its
// owner has confirmed to get letters, and of who has left.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { formats } from '#contract/catalog/formats.ts'
import { subscriberSources } from '#contract/mail/subscribers.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { recordEvents } from '#domains/mail/webhook-deliveries.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isoTime, queryFirst } from '#platform/db/query.ts'

export const webhookData: CommerceShop['webhookData'] = {
  'subscriber.confirmed': readConfirmed,
  'subscriber.ended': async (_db, { email }) => (email === null ? undefined : { email }),
  'order.paid': (db, { subject_id, created_at }) =>
    queryFirst(
      db,
      paidOrder,
      sql`select ${orderFields(sql`${created_at}::timestamptz`)} ${orderOf(subject_id)}`,
    ),
  'order.refunded': readRefunded,
  'webhook.test': async () => ({ text: 'This is a test of the webhook of your shop.' }),
}

const confirmed = z.object({
  email: z.string(),
  source: z.enum(subscriberSources),
  language: z.string(),
  confirmed_at: isoTime,
  /** The number of the order with which the address agreed. */
  order: z.number().nullable(),
})

async function readConfirmed(db: Db, { subject_id }: { subject_id: string }) {
  return queryFirst(
    db,
    confirmed,
    sql`
      select s.email, s.source, s.language, s.confirmed_at, p.number as order
      from subscribers s left join purchases p on p.id = s.purchase_id
      where s.id = ${subject_id} and s.confirmed_at is not null and s.ended_at is null`,
  )
}

const paidOrder = z.object({
  number: z.number(),
  format: z.enum(formats),
  amount: z.number(),
  currency: z.string(),
  country: z.string().nullable(),
  /** The discount code. */
  code: z.string().nullable(),
  test: z.boolean(),
  email: z.string().nullable(),
})

const refundedOrder = paidOrder.extend({
  refunded: z.number(),
  /** Nothing of the order's amount is left. */
  whole: z.boolean(),
})

/** The address stands there where it was on the list at `paidAt`, and still is. A row that has moved has its first time. */
const orderFields = (paidAt: SQL) => sql`
  p.number, b.format, p.amount, p.currency, p.country, d.code, p.is_test as test, (
    select s.email from subscribers s where s.email = lower(u.email)
      and s.confirmed_at <= ${paidAt} and s.created_at <= ${paidAt} and s.ended_at is null) as email`

const orderOf = (purchase_id: string) => sql`
  from purchases p join products b on b.id = p.product_id
    left join auth.users u on u.id = p.user_id left join discount_codes d on d.id = p.code_id
  where p.id = ${purchase_id}`

/** The time of the payment is not stored: who confirmed between the order and the payment is left out. */
async function readRefunded(
  db: Db,
  { subject_id, adjustment_id }: { subject_id: string; adjustment_id: string | null },
) {
  return queryFirst(
    db,
    refundedOrder,
    sql`
      select ${orderFields(sql`p.created_at`)}, (
          select -a.amount from adjustments a where a.id = ${adjustment_id}) as refunded, (
          select p.amount + sum(a.amount) <= 0 from adjustments a
          where a.purchase_id = p.id and a.id <= ${adjustment_id}) as whole
      ${orderOf(subject_id)}`,
  )
}

/** A purchase that was made again after a restore has been told of before it. */
const isNew = sql`not exists (select from checkouts c where c.purchase_id = p.id and c.rebuilt_at is not null)`

/** The row of the purchase must be locked; called after `subscribeBuyer`, so that the address is on the list. */
export async function recordPaid(tx: Transaction, purchase_id: string, now: Date): Promise<void> {
  const about = sql`select p.id, null, null::uuid from purchases p where p.id = ${purchase_id} and ${isNew}`
  await recordEvents(tx, 'order.paid', about, now)
}

/** The row of the purchase must be locked. */
export async function recordRefunded(tx: Transaction, adjustment_id: string, now: Date): Promise<void> {
  const about = sql`
    select p.id, null, a.id from adjustments a join purchases p on p.id = a.purchase_id
    where a.id = ${adjustment_id} and ${isNew}`
  await recordEvents(tx, 'order.refunded', about, now)
}
