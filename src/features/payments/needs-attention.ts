// What needs the author's attention: the list, its badge, and the count on the dashboard.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import {
  needId,
  type Need,
  type AttentionCount,
  type AttentionList,
  type AttentionRequest,
} from './contract/needs-attention.ts'
import type { Services } from '../../services.ts'
import { moment, readCursor, toPage } from '#platform/http/cursors.ts'
import { isInquiry } from '#platform/stripe/refunds.ts'
import { listFaults } from './faults.ts'

const pageSize = 30
const mostCounted = 100
const key = z.tuple([moment, needId])

/** An event is looked up within seconds; after an hour the reconciler tries again, and the author may know. */
const lateEvent = '1 hour'

type Source = { from: SQL; id: SQL; since: SQL; waits: SQL }

const sources: Record<Need['kind'], Source> = {
  dispute: {
    from: sql`checkouts n`,
    id: sql`n.purchase_id::text`,
    since: sql`n.answer_by`,
    waits: sql`n.answer_by is not null`,
  },
  held: {
    from: sql`checkouts n`,
    id: sql`n.purchase_id::text`,
    since: sql`n.created_at`,
    waits: sql`n.held_reason is not null and n.dismissed_at is null`,
  },
  refund: {
    from: sql`refund_requests n`,
    id: sql`n.id::text`,
    since: sql`n.created_at`,
    waits: sql`n.status = 'refused' and n.dismissed_at is null`,
  },
  refund_failed: {
    from: sql`failed_refunds n`,
    id: sql`n.external_id`,
    since: sql`n.created_at`,
    waits: sql`n.dismissed_at is null`,
  },
  event: {
    from: sql`payment_events n`,
    id: sql`n.id`,
    since: sql`n.received_at`,
    waits: sql`n.handled_at is null and (n.problem is not null or n.received_at < now() - ${lateEvent}::interval)`,
  },
  mail: {
    from: sql`mails n`,
    id: sql`n.id::text`,
    since: sql`n.given_up_at`,
    waits: sql`n.given_up_at is not null`,
  },
}

/** Each source gives no more than `limit`, newest first, by its own index. */
function waiting(limit: number, after?: z.output<typeof key>): SQL {
  const parts = Object.entries(sources).map(([kind, { from, id, since, waits }]) => {
    const isAfter = after
      ? sql`${since} <= ${after[0]}::timestamptz and (${since}, ${id}) < (${after[0]}::timestamptz, ${after[1]})`
      : sql`true`
    return sql`(select ${kind}::text as kind, ${id} as id, ${since} as since from ${from}
      where ${waits} and ${isAfter} order by ${since} desc, ${id} desc limit ${limit})`
  })
  return sql.join(parts, sql` union all `)
}

type Needs = Pick<Services, 'db' | 'payments' | 'config'>

export async function countNeeds({ db, payments, config }: Needs): Promise<AttentionCount> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*) from (select from (${waiting(mostCounted)}) found limit ${mostCounted}) counted`)
  const faults = await listFaults({ db, config })
  const count = Math.min(rows[0]!.count + faults.length, mostCounted)
  return { payments: payments ? (payments.isLive ? 'live' : 'test') : 'none', count }
}

type Row = {
  kind: Need['kind']
  id: string
  place: string
  reason: string | null
  payment_intent: string | null
  dispute_status: string | null
  is_live: boolean | null
  purchase_id: string | null
  number: number
  user_id: string
  email: string
  product_name: string
  amount: number
  paid_total: number | null
  paid_currency: string | null
  is_going_back: boolean
  type: string
  subject: string
  recipient: string
  attempts: number
}

/** Newest first. */
export async function listNeeds(
  { db, payments, config }: Needs,
  { after }: AttentionRequest,
): Promise<AttentionList> {
  const { rows } = await db.execute<Row>(sql`
    select f.kind, f.id, f.since::text as place, coalesce(c.held_reason, r.problem, fr.reason, e.problem, m.error) as reason,
      coalesce(c.payment_intent, rc.payment_intent) as payment_intent, c.dispute_status, coalesce(c.is_live, rc.is_live) as is_live,
      coalesce(b.id, m.purchase_id) as purchase_id, b.number, b.user_id, u.email, p.name as product_name,
      coalesce(r.amount, fr.amount, b.amount) as amount, c.paid_total,
      coalesce(c.paid_currency, fr.currency, rc.paid_currency) as paid_currency,
      exists (select from refund_requests a where a.purchase_id = c.purchase_id and a.status = 'asked') as is_going_back,
      e.type, m.subject, m.recipient, m.attempts
    from (
      select * from (${waiting(pageSize + 1, readCursor(after, key))}) all_of_them
      order by since desc, id desc limit ${pageSize + 1}
    ) f
    left join checkouts c on c.purchase_id = case when f.kind in ('held', 'dispute') then f.id::uuid end
    left join refund_requests r on r.id = case when f.kind = 'refund' then f.id::uuid end
    left join failed_refunds fr on fr.external_id = case when f.kind = 'refund_failed' then f.id end
    left join checkouts rc on rc.purchase_id = coalesce(r.purchase_id, fr.purchase_id)
    left join payment_events e on e.id = case when f.kind = 'event' then f.id end
    left join mails m on m.id = case when f.kind = 'mail' then f.id::uuid end
    left join purchases b on b.id = coalesce(c.purchase_id, r.purchase_id, fr.purchase_id)
    left join products p on p.id = b.product_id
    left join profiles u on u.user_id = b.user_id
    order by f.since desc, f.id desc`)
  const page = toPage(rows, pageSize, {
    item: (row) => toNeed(row, payments?.isLive === true),
    key: ({ place, id }) => [place, id],
  })
  return { ...page, faults: await listFaults({ db, config }) }
}

const disputeReasons = {
  dispute: "The buyer's bank has taken the money back. Without an answer at Stripe in time it is lost.",
  inquiry:
    "The buyer's bank asks about this payment; no money was taken. Without an answer at Stripe in time a dispute may follow.",
}

function toNeed(row: Row, isLive: boolean): Need {
  const { kind, id, email, user_id, product_name, amount, subject, recipient, attempts, type } = row
  const common = { id, since: new Date(row.place).toISOString(), reason: row.reason ?? '' }
  const stripe_url = row.payment_intent && pageAtStripe(row.is_live, `payments/${row.payment_intent}`)
  const about = { purchase_id: row.purchase_id!, number: row.number, user_id, email, product_name, amount }
  if (kind === 'dispute') {
    const is_inquiry = row.dispute_status !== null && isInquiry(row.dispute_status)
    return {
      kind,
      ...common,
      ...about,
      is_inquiry,
      reason: disputeReasons[is_inquiry ? 'inquiry' : 'dispute'],
      stripe_url,
    }
  }
  if (kind === 'held') {
    const { paid_total: total, paid_currency: currency, is_going_back } = row
    const paid = total !== null && currency !== null ? { total, currency } : null
    return { kind, ...common, ...about, stripe_url, paid, is_going_back }
  }
  if (kind === 'refund' || kind === 'refund_failed')
    return { kind, ...common, ...about, stripe_url, currency: row.paid_currency ?? 'usd' }
  if (kind === 'event') {
    const reason = row.reason ?? 'Stripe told of this, and it could not be looked up since.'
    return { kind, ...common, reason, stripe_url: pageAtStripe(isLive, `events/${id}`), type }
  }
  return { kind, ...common, stripe_url: null, subject, recipient, attempts, purchase_id: row.purchase_id }
}

/** What was made with a test key is shown in a place of its own. */
export function pageAtStripe(isLive: boolean | null, path: string): string {
  return `https://dashboard.stripe.com/${isLive ? '' : 'test/'}${path}`
}
