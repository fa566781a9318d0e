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
import { queryAll, queryOne } from '#platform/db/query.ts'
import { isAllAskedBack } from '../entitlements/entitlements.ts'
import { bindingOf } from '../withdrawals/refund-period.ts'
import { listFaults, type FaultNeeds } from './faults.ts'
import { isNewestEdition } from '../products/product-columns.ts'
import { foundNeed, toNeed } from './found-need.ts'
import { buyersOfOutage } from './read-outage.ts'

const pageSize = 30
const maxCounted = 100
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
  withdrawal: {
    from: sql`withdrawals n`,
    id: sql`n.purchase_id::text`,
    since: sql`n.declared_at`,
    waits: sql`n.decided_at is null and exists (select from purchases w
      where w.id = n.purchase_id and is_completed(w.status) and not ${isAllAskedBack(sql`w`)})`,
  },
  outage: {
    from: sql`payment_outages n`,
    id: sql`n.id::text`,
    since: sql`n.ended_at`,
    waits: sql`n.ended_at is not null and n.dismissed_at is null`,
  },
  code: {
    from: sql`discount_codes n`,
    id: sql`n.id::text`,
    since: sql`n.paused_at`,
    waits: sql`n.paused_at is not null and n.ended_at is null`,
  },
  mail: {
    from: sql`mails n`,
    id: sql`n.id::text`,
    since: sql`n.given_up_at`,
    waits: sql`n.given_up_at is not null`,
  },
  backup: {
    from: sql`backup_states n`,
    id: sql`n.id::text`,
    since: sql`n.failing_since`,
    waits: sql`n.failing_since is not null and is_place_in_use(n.seen_at)`,
  },
  lost_file: {
    from: sql`product_files n`,
    id: sql`n.id::text`,
    since: sql`n.lost_at`,
    waits: sql`n.lost_at is not null and ${isNewestEdition(sql`n`)}`,
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

const counted = z.object({ count: z.number(), has_backup_problem: z.boolean() })

type Needs = Pick<Services, 'db' | 'payments' | 'settings'>

export async function countNeeds({ db, payments, settings }: Needs): Promise<AttentionCount> {
  const { from, waits } = sources.backup
  const query = sql`
    select count(*), exists (select from ${from} where ${waits}) as has_backup_problem
    from (select from (${waiting(maxCounted)}) found limit ${maxCounted}) counted`
  const found = await queryOne(db, counted, query)
  const faults = await listFaults({ db, settings })
  const count = Math.min(found.count + faults.length, maxCounted)
  return { payments: payments.mode(), count, has_backup_problem: found.has_backup_problem }
}

/** Of each kind, counted up to 100; account faults under `fault`. */
export async function countNeedsByKind({ db, settings }: FaultNeeds): Promise<Record<string, number>> {
  const found = await queryAll(
    db,
    z.object({ kind: z.string(), count: z.number() }),
    sql`select kind, count(*) from (${waiting(maxCounted)}) found group by kind`,
  )
  const none = Object.keys(sources).map((kind) => [kind, 0] as const)
  const counts = found.map(({ kind, count }) => [kind, count] as const)
  const { length: fault } = await listFaults({ db, settings })
  return { ...Object.fromEntries([...none, ...counts]), fault }
}

/** Newest first. */
export async function listNeeds(
  { db, payments, settings }: Needs,
  { after }: AttentionRequest,
): Promise<AttentionList> {
  const { time_zone } = settings.get().shop
  const query = sql`
    select f.kind, f.id, f.since::text as place, coalesce(c.held_reason, r.problem, fr.reason, e.problem, m.error, s.problem) as reason,
      coalesce(c.payment_intent, rc.payment_intent, e.payment_intent) as payment_intent, c.dispute_status, coalesce(c.is_live, rc.is_live) as is_live,
      coalesce(b.id, m.purchase_id) as purchase_id, b.number, b.user_id, u.email, p.id as product_id, p.name as product_name, b.currency,
      coalesce(r.amount, fr.amount, b.amount) as amount, c.paid_total,
      coalesce(c.paid_currency, fr.currency, rc.paid_currency) as paid_currency,
      exists (select from refund_requests a where a.purchase_id = c.purchase_id and a.status = 'asked') as is_going_back,
      e.type, d.code, m.subject, m.recipient, m.attempts,
      w.waits_for, w.reason as words, b.refunded,
      case when w.purchase_id is not null then ${bindingOf(sql`b`, sql`w.declared_at`)} end as binding,
      o.began_at::text, o.ended_at::text, o.reason as outage_reason, people.people, people.emails,
      s.kind as run, s.place as backup_place, l.title || '.' || l.file_format as file_name
    from (
      select * from (${waiting(pageSize + 1, readCursor(after, key))}) all_of_them
      order by since desc, id desc limit ${pageSize + 1}
    ) f
    left join checkouts c on c.purchase_id = case when f.kind in ('held', 'dispute') then f.id::uuid end
    left join refund_requests r on r.id = case when f.kind = 'refund' then f.id::uuid end
    left join failed_refunds fr on fr.external_id = case when f.kind = 'refund_failed' then f.id end
    left join withdrawals w on w.purchase_id = case when f.kind = 'withdrawal' then f.id::uuid end
    left join checkouts rc on rc.purchase_id = coalesce(r.purchase_id, fr.purchase_id, w.purchase_id)
    left join payment_events e on e.id = case when f.kind = 'event' then f.id end
    left join discount_codes d on d.id = case when f.kind = 'code' then f.id::uuid end
    left join mails m on m.id = case when f.kind = 'mail' then f.id::uuid end
    left join backup_states s on s.id = case when f.kind = 'backup' then f.id::uuid end
    left join product_files l on l.id = case when f.kind = 'lost_file' then f.id::uuid end
    left join purchases b on b.id = coalesce(c.purchase_id, r.purchase_id, fr.purchase_id, w.purchase_id)
    left join payment_outages o on o.id = case when f.kind = 'outage' then f.id::uuid end
    left join lateral (${buyersOfOutage(sql`o.id`)}) people on o.id is not null
    left join products p on p.id = coalesce(b.product_id, l.product_id)
    left join profiles u on u.user_id = b.user_id
    order by f.since desc, f.id desc`
  const page = toPage(await queryAll(db, foundNeed, query), pageSize, {
    item: (found) => toNeed(found, { isLive: payments.mode() === 'live', time_zone }),
    key: ({ place, id }) => [place, id],
  })
  return { ...page, faults: await listFaults({ db, settings }) }
}
