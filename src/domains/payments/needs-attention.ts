import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { queryAll, queryOne } from '#platform/db/query.ts'
import { moment } from '#platform/http/cursors.ts'
import type { Services } from '#platform/services.ts'
import { isAllAskedBack } from '#domains/orders/entitlements.ts'
import { ordersOf } from '#domains/orders/declarations.ts'
import { isNewestEdition } from '#domains/catalog/product-columns.ts'
import { needId, type AttentionCount, type Need } from '#contract/payments/needs-attention.ts'
import { listFaults, type FaultNeeds } from './faults.ts'

const maxCounted = 100
export const needKey = z.tuple([moment, needId])

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
/** Of a declaration `d`. */
export const isUnmatched = sql`d.closed_at is null and not exists (${ordersOf(sql`d`)})`
/** As one row. */
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
const isRefused = sql`n.status = 'refused' and n.dismissed_at is null`

const sources: Record<Need['kind'], ReturnType<typeof source>> = {
  dispute: source('checkouts', 'purchase_id', 'answer_by', sql`n.answer_by is not null`),
  held: source('checkouts', 'purchase_id', 'created_at', isHeld),
  refund: source('refund_requests', 'id', 'created_at', isRefused),
  refund_failed: source('failed_refunds', 'external_id', 'created_at', sql`n.dismissed_at is null`),
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
export function selectNeeds(limit: number, after?: z.output<typeof needKey>): SQL {
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

export async function countNeeds({ db, payments, settings }: Services): Promise<AttentionCount> {
  const { from, waits } = sources.backup
  const query = sql`
    select count(*), exists (select from ${from} where ${waits}) as has_backup_problem
    from (select from (${selectNeeds(maxCounted)}) found limit ${maxCounted}) counted`
  const found = await queryOne(db, counted, query)
  const faults = await listFaults({ db, settings })
  const count = Math.min(found.count + faults.length, maxCounted)
  return { payments: payments.mode(), count, has_backup_problem: found.has_backup_problem }
}

export async function countNeedsByKind({ db, settings }: FaultNeeds): Promise<Record<string, number>> {
  const found = await queryAll(
    db,
    z.object({ kind: z.string(), count: z.number() }),
    sql`select kind, count(*) from (${selectNeeds(maxCounted)}) found group by kind`,
  )
  const none = Object.keys(sources).map((kind) => [kind, 0] as const)
  const counts = found.map(({ kind, count }) => [kind, count] as const)
  const { length: fault } = await listFaults({ db, settings })
  return { ...Object.fromEntries([...none, ...counts]), fault }
}
