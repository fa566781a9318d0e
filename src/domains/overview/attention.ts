// Lists and counts the items that need the author’s attention.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { queryAll, queryOne, moment, readCursor, toPage } from '#platform/db/query.ts'
import { isAllAskedBack, isShownAsTest } from '#domains/orders/entitlements.ts'
import { ordersOf, rightOfDeclared } from '#domains/orders/withdrawal-declarations.ts'
import { coversPaperAlone, refundRight } from '#domains/orders/refund-right.ts'
import { isNewestEdition } from '#domains/catalog/product-sql.ts'
import {
  attentionId,
  type AttentionCount,
  type AttentionItem,
  itemFields,
  unmatchedShown,
  type AttentionList,
  type AttentionRequest,
} from '#contract/payments/needs-attention.ts'
import { listFaults, type FaultNeeds } from '#domains/payments/faults.ts'
import { buyersOfOutage, describeOutage } from '#domains/payments/outages.ts'
import { pageAtStripe } from '#platform/stripe/payments.ts'
import { isInquiry } from '#platform/stripe/refunds.ts'
import type { WaitingReason } from '#contract/orders/purchases.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const maxCounted = 100
const attentionKey = z.tuple([moment, attentionId])

/** An event is looked up within seconds; after an hour the reconciler retries. */
const lateEvent = '1 hour'

/** `table` is called `n` in `waits`. */
const source = (table: string | SQL, id: string, since: string, waits: SQL) => ({
  from: sql`${typeof table === 'string' ? sql.raw(table) : table} n`,
  id: sql.raw(`n.${id}::text`),
  since: sql.raw(`n.${since}`),
  waits,
})

const isUnproven = sql`n.closed_at is null and exists (${ordersOf(sql`n`)})`
/** The condition is on a declaration `d`. */
const isUnmatched = sql`d.closed_at is null and not exists (${ordersOf(sql`d`)})`
/** All unmatched declarations are one row. */
const unmatched = sql`(select 'all' as id, max(d.declared_at) as declared_at from withdrawal_declarations d
  where ${isUnmatched} having count(*) > 0)`
const isOver = sql`n.ended_at is not null and n.dismissed_at is null`
const isLateEvent = sql`n.handled_at is null and (n.problem is not null or n.received_at < now() - ${lateEvent}::interval)`
const isUndecided = sql`n.decided_at is null and exists (select from purchases w
  where w.id = n.purchase_id and is_completed(w.status) and not ${isAllAskedBack(sql`w`)})`
const isPaused = sql`n.paused_at is not null and n.ended_at is null`
const isFailing = sql`n.failing_since is not null and is_place_in_use(n.seen_at)`
const isLost = sql`n.lost_at is not null and ${isNewestEdition(sql`n`)}`
const isHeld = sql`n.held_reason is not null and n.dismissed_at is null`
/** Link answers disputes of what it has sold. */
const isToAnswer = sql`n.answer_by is not null and n.sold_by is distinct from 'stripe'`
/** A lost dispute took all that was left: a refund would be paid twice. Winning an appeal brings the money back. */
const isLostToBank = sql`exists (
  select from purchases w join checkouts c on c.purchase_id = w.id
  where w.id = n.purchase_id and w.refunded = w.amount and c.dispute_status = 'lost')`
/** Takes a row `n` of refund_requests. */
export const isRefused = sql`n.status = 'refused' and n.dismissed_at is null and not ${isLostToBank}`
/** Takes a row `n` of failed_refunds. */
export const isReturned = sql`n.dismissed_at is null and not ${isLostToBank}`

const sources: Record<AttentionItem['kind'], ReturnType<typeof source>> = {
  dispute: source('checkouts', 'purchase_id', 'answer_by', isToAnswer),
  held: source('checkouts', 'purchase_id', 'created_at', isHeld),
  refund: source('refund_requests', 'id', 'created_at', isRefused),
  refund_failed: source('failed_refunds', 'external_id', 'created_at', isReturned),
  event: source('payment_events', 'id', 'received_at', isLateEvent),
  withdrawal: source('withdrawals', 'purchase_id', 'declared_at', isUndecided),
  unproven_withdrawal: source('withdrawal_declarations', 'id', 'declared_at', isUnproven),
  unmatched_withdrawals: source(unmatched, 'id', 'declared_at', sql`true`),
  outage: source('payment_outages', 'id', 'ended_at', isOver),
  code: source('discount_codes', 'id', 'paused_at', isPaused),
  mail: source('mails', 'id', 'given_up_at', sql`n.given_up_at is not null`),
  backup: source('backup_states', 'id', 'failing_since', isFailing),
  lost_file: source('product_files', 'id', 'lost_at', isLost),
}

/** Each source gives at most `limit` rows, by its own index. */
function selectAttention(limit: number, after?: z.output<typeof attentionKey>): SQL {
  const parts = Object.entries(sources).map(([kind, { from, id, since, waits }]) => {
    const isAfter = after
      ? sql`${since} <= ${after[0]}::timestamptz and (${since}, ${id}) < (${after[0]}::timestamptz, ${after[1]})`
      : sql`true`
    return sql`(select ${kind}::text as kind, ${id} as id, ${since} as since from ${from}
      where ${waits} and ${isAfter} order by ${since} desc, ${id} desc limit ${limit})`
  })
  return sql.join(parts, sql` union all `)
}

const counted = z.object({ count: z.number(), has_backup_problem: z.boolean() })

export async function countAttentionItems({ db, payments, settings }: CommerceShop): Promise<AttentionCount> {
  const { from, waits } = sources.backup
  const query = sql`
    select count(*), exists (select from ${from} where ${waits}) as has_backup_problem
    from (select from (${selectAttention(maxCounted)}) found limit ${maxCounted}) counted`
  const row = await queryOne(db, counted, query)
  const faults = await listFaults({ db, settings })
  const count = Math.min(row.count + faults.length, maxCounted)
  return { payments: payments.mode(), count, has_backup_problem: row.has_backup_problem }
}

export async function countAttentionItemsByKind({
  db,
  settings,
}: FaultNeeds): Promise<Record<string, number>> {
  const rows = await queryAll(
    db,
    z.object({ kind: z.string(), count: z.number() }),
    sql`select kind, count(*) from (${selectAttention(maxCounted)}) found group by kind`,
  )
  const none = Object.keys(sources).map((kind) => [kind, 0] as const)
  const counts = rows.map(({ kind, count }) => [kind, count] as const)
  const { length: fault } = await listFaults({ db, settings })
  return { ...Object.fromEntries([...none, ...counts]), fault }
}

const pageSize = 30

export async function listAttentionItems(
  { db, payments, settings }: CommerceShop,
  { after }: AttentionRequest,
): Promise<AttentionList> {
  const { time_zone } = settings.get().shop
  const query = sql`
    select f.kind, f.id, f.since::text as place, coalesce(c.held_reason, r.problem, fr.reason, e.problem, m.error, s.problem) as reason,
      coalesce(c.payment_intent, rc.payment_intent, e.payment_intent) as payment_intent, c.dispute_status, coalesce(c.is_live, rc.is_live) as is_live,
      coalesce(b.id, m.purchase_id) as purchase_id, b.number, b.user_id, p.id as product_id, p.name as product_name, b.currency, ${isShownAsTest(sql`b`)} as is_test,
      coalesce(r.amount, fr.amount, case when f.kind = 'withdrawal' then b.amount - b.refunded else b.amount end) as amount, c.paid_total,
      coalesce(c.paid_currency, fr.currency, rc.paid_currency) as paid_currency,
      exists (select from refund_requests a where a.purchase_id = c.purchase_id and a.status = 'requested') as is_going_back,
      e.type, d.code, m.subject, m.recipient, m.attempts,
      w.waits_for, w.reason as words, coalesce(w.waits_for = 'downloaded'
        or w.waits_for in ('return', 'repeat') and ${coversPaperAlone(sql`b`, sql`w.declared_at`)}, false) as is_paper_alone,
      case when w.purchase_id is not null then nullif(${refundRight(sql`b`, sql`w.declared_at`)}, 'request') end as binding,
      o.began_at::text, o.ended_at::text, o.reason as outage_reason, people.people, people.emails,
      wd.name, wd.number as order_number, wd.ordered, coalesce(wd.email, u.email, g.email) as email,
      case when wd.id is not null then (${declaredOrders}) end as orders,
      case when f.kind = 'unmatched_withdrawals' then (${unmatchedDeclarations}) end as unmatched,
      s.kind as run, s.place as backup_place, l.title || '.' || l.file_format as file_name
    from (
      select * from (${selectAttention(pageSize + 1, readCursor(after, attentionKey))}) all_of_them
      order by since desc, id desc limit ${pageSize + 1}
    ) f
    left join checkouts c on c.purchase_id = case when f.kind in ('held', 'dispute') then f.id::uuid end
    left join refund_requests r on r.id = case when f.kind = 'refund' then f.id::uuid end
    left join failed_refunds fr on fr.external_id = case when f.kind = 'refund_failed' then f.id end
    left join withdrawals w on w.purchase_id = case when f.kind = 'withdrawal' then f.id::uuid end
    left join checkouts rc on rc.purchase_id = coalesce(r.purchase_id, fr.purchase_id, w.purchase_id)
    left join withdrawal_declarations wd on wd.id = case when f.kind = 'unproven_withdrawal' then f.id::uuid end
    left join payment_events e on e.id = case when f.kind = 'event' then f.id end
    left join discount_codes d on d.id = case when f.kind = 'code' then f.id::uuid end
    left join mails m on m.id = case when f.kind = 'mail' then f.id::uuid end
    left join backup_states s on s.id = case when f.kind = 'backup' then f.id::uuid end
    left join product_files l on l.id = case when f.kind = 'lost_file' then f.id::uuid end
    left join purchases b on b.id = coalesce(c.purchase_id, r.purchase_id, fr.purchase_id, w.purchase_id)
    left join payment_outages o on o.id = case when f.kind = 'outage' then f.id::uuid end
    left join lateral (${buyersOfOutage(sql`o.id`)}) people on o.id is not null
    left join products p on p.id = coalesce(b.product_id, l.product_id)
    left join profiles u on u.user_id = b.user_id left join guest_checkouts g on g.purchase_id = b.id
    order by f.since desc, f.id desc`
  const page = toPage(await queryAll(db, attentionRow, query), pageSize, {
    item: (result) => toNeed(result, { isLive: payments.mode() === 'live', time_zone }),
    key: ({ place, id }) => [place, id],
  })
  return { ...page, faults: await listFaults({ db, settings }) }
}

/** Lists the orders of the declaration `wd`. */
const declaredOrders = sql`
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', ob.id, 'number', ob.number, 'product_name', op.name,
    'email', ou.email, 'amount', ob.amount - ob.refunded, 'currency', ob.currency,
    'is_test', ${isShownAsTest(sql`ob`)}, 'binding', nullif(${rightOfDeclared(sql`ob`, sql`wd.declared_at`)}, 'request')) order by ob.number desc), '[]')
  from (${ordersOf(sql`wd`)}) o join purchases ob on ob.id = o.id join products op on op.id = ob.product_id
    join profiles ou on ou.user_id = ob.user_id`

const unmatchedDeclarations = sql`
  select jsonb_build_object('count', max(total), 'declarations', jsonb_agg(to_jsonb(found) - 'total')) from (
    select d.name, d.email, d.number as order_number, d.ordered, to_char(d.declared_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as declared_at, count(*) over () as total
    from withdrawal_declarations d where ${isUnmatched} order by d.declared_at desc limit ${unmatchedShown}) found`

const common = {
  id: z.string(),
  /** Text, as a Date would lose the microseconds. */
  place: z.string(),
  reason: z.string().nullable(),
  payment_intent: z.string().nullable(),
  is_live: z.boolean().nullable(),
}
const currency = z.string().nullable()

const attentionRow = z.discriminatedUnion('kind', [
  itemFields.dispute.extend({ ...common, kind: z.literal('dispute'), dispute_status: z.string().nullable() }),
  itemFields.held.extend({
    ...common,
    kind: z.literal('held'),
    paid_total: z.number().nullable(),
    paid_currency: currency,
  }),
  itemFields.refund.extend({ ...common, kind: z.enum(['refund', 'refund_failed']), paid_currency: currency }),
  itemFields.withdrawal.extend({ ...common, kind: z.literal('withdrawal') }),
  itemFields.unproven_withdrawal.extend({ ...common, kind: z.literal('unproven_withdrawal') }),
  z.object({
    ...common,
    kind: z.literal('unmatched_withdrawals'),
    unmatched: itemFields.unmatched_withdrawals,
  }),
  itemFields.outage.extend({
    ...common,
    kind: z.literal('outage'),
    outage_reason: z.enum(['unavailable', 'denied']),
    began_at: z.string(),
    ended_at: z.string(),
  }),
  itemFields.code.extend({ ...common, kind: z.literal('code') }),
  itemFields.event.extend({ ...common, kind: z.literal('event') }),
  itemFields.mail.extend({ ...common, kind: z.literal('mail') }),
  itemFields.backup.extend({ ...common, kind: z.literal('backup'), backup_place: z.string() }),
  itemFields.lost_file.extend({
    ...common,
    kind: z.literal('lost_file'),
    product_id: z.string(),
    product_name: z.string(),
  }),
])

const disputeReasons = {
  dispute: "The buyer's bank has taken the money back. Unless you respond at Stripe in time, it is lost.",
  inquiry:
    "The buyer's bank asks about this payment; no money was taken. Unless you respond at Stripe in time, a dispute may follow.",
}

const waitReasons: Record<WaitingReason, string> = {
  return:
    'The parcel had already left. Refund once the book is back, or once the buyer shows that it was sent.',
  repeat: 'The buyer has already had a refund for the same product.',
  downloaded:
    'A file of the bundle was downloaded with the consent, so the right of withdrawal covers the paper alone. Refund all here, or that part on the order’s page: either settles it.',
  other_refund: 'A partial refund was under way.',
  no_right:
    'The buyer asks for a refund, on the page of the order or by the link of a withdrawal, but no right covers the order: it was downloaded after the consent, the time is over, or none applies. Refund it or refuse: you decide.',
}
const unprovenReason = (email: string) =>
  `Somebody entered ${email} on the withdrawal page, and has not confirmed it by the link in the email to that address. If you know that it is the buyer, accept it.`
const unmatchedReason =
  'Somebody has withdrawn on the page for it, with an address or a number that fits no paid order. There is nothing to do; each is deleted after 30 days.'
const pausedCode =
  'This discount code leaves nothing to pay, so Stripe never saw its uses since the backup that was restored. It is paused until you resume it, or end it.'

const lostReason =
  'The shop was restored without this file, because it was damaged in the backup. Until you upload it again, its product is not for sale, and its buyers read that it is missing.'

function waitReason({ waits_for, is_paper_alone }: z.output<typeof itemFields.withdrawal>): string {
  const reasons = [
    waitReasons[waits_for],
    is_paper_alone && waits_for !== 'downloaded' && waitReasons.downloaded,
  ]
  return reasons.filter(Boolean).join(' ')
}

function toNeed(
  result: z.output<typeof attentionRow>,
  { isLive, time_zone }: { isLive: boolean; time_zone: string },
): AttentionItem {
  const { kind, id, payment_intent } = result
  const stripe_url = payment_intent && pageAtStripe(result.is_live, `payments/${payment_intent}`)
  const since = new Date(result.place).toISOString()
  const basis = { id, since, reason: result.reason ?? '', stripe_url }
  switch (kind) {
    case 'dispute': {
      const is_inquiry = result.dispute_status !== null && isInquiry(result.dispute_status)
      const reason = disputeReasons[is_inquiry ? 'inquiry' : 'dispute']
      return { kind, ...basis, ...itemFields.dispute.parse(result), reason, is_inquiry }
    }
    case 'held': {
      const { paid_total: total, paid_currency } = result
      const paid = total !== null && paid_currency !== null ? { total, currency: paid_currency } : null
      return { kind, ...basis, ...itemFields.held.parse(result), paid }
    }
    case 'refund':
    case 'refund_failed':
      return {
        kind,
        ...basis,
        ...itemFields.refund.parse(result),
        currency: result.paid_currency ?? result.currency,
      }
    case 'withdrawal':
      return { kind, ...basis, ...itemFields.withdrawal.parse(result), reason: waitReason(result) }
    case 'unproven_withdrawal': {
      const declared = itemFields.unproven_withdrawal.parse(result)
      return { kind, ...basis, stripe_url: null, reason: unprovenReason(declared.email), ...declared }
    }
    case 'unmatched_withdrawals':
      return { kind, ...basis, stripe_url: null, reason: unmatchedReason, ...result.unmatched }
    case 'outage': {
      const { people, emails, outage_reason } = result
      const period = { began_at: new Date(result.began_at), ended_at: new Date(result.ended_at) }
      const reason = describeOutage({ reason: outage_reason, ...period, people }, time_zone)
      return { kind, ...basis, reason, people, emails }
    }
    case 'event': {
      const reason = result.reason ?? 'Stripe sent this event, and the shop could not process it yet.'
      // Found in the list of checkouts after a restore: it has the checkout's id.
      const path = payment_intent && id.startsWith('cs_') ? `payments/${payment_intent}` : `events/${id}`
      return { kind, ...basis, reason, stripe_url: pageAtStripe(isLive, path), type: result.type }
    }
    case 'code':
      return { kind, ...basis, reason: pausedCode, stripe_url: null, code: result.code }
    case 'backup':
      return { kind, ...basis, run: result.run, place: result.backup_place }
    case 'lost_file': {
      const { product_id, product_name, file_name } = result
      const product = { id: product_id, name: product_name }
      return { kind, ...basis, reason: lostReason, product, file_name }
    }
    default:
      return { kind, ...basis, stripe_url: null, ...itemFields.mail.parse(result) }
  }
}
