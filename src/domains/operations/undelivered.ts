import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import type { Undelivered } from '#contract/operations/today.ts'

const days = 7
const maxRows = 10
/** Of those who mistype, the newest. */
const maxFailures = 500

const row = z.object({
  purchase_id: z.string(),
  number: z.number(),
  product_name: z.string(),
  email: z.string(),
  reason: z.enum(['receipt', 'downloads', 'sign_ins']),
})

/** Each source is read by an index of its newest rows. Nobody is written to: the author looks first. */
export function listUndelivered(db: Db): Promise<Undelivered[]> {
  // The ids of downloads begin with their time.
  const firstId = uuidv7({ msecs: Date.now() - days * 86_400_000, seq: 0, random: new Uint8Array(16) })
  const since = sql`now() - ${`${days} days`}::interval`
  return queryAll(
    db,
    row,
    sql`
    with receipts as (
      select purchase_id, 'receipt' as reason, max(created_at) as at from mails
      where status = 'failed' and kind = 'receipt' and given_up_at is null
        and created_at between ${since} and now() - interval '1 hour'
      group by purchase_id
    ), begun as (
      select purchase_id, started_at,
        started_at - lag(started_at, 2) over (partition by purchase_id order by started_at) as took
      from downloads
      where id >= ${firstId}::uuid and started_at is not null and sent_bytes is not null and finished_at is null
    ), broken as (
      select purchase_id, 'downloads' as reason, max(started_at) as at from begun
      where took <= interval '1 hour' and not exists (
        select from downloads d where d.purchase_id = begun.purchase_id and d.finished_at is not null)
      group by purchase_id
    ), failures as (
      -- A row counts those of an hour, under the address or the account.
      select user_id, email, attempts, created_at from auth.audit_log
      where created_at >= ${since} and event in ('sign_in_failed', 'sign_in_blocked', 'wrong_code')
      order by created_at desc limit ${maxFailures}
    ), refused as (
      select user_id, max(created_at) + interval '1 hour' as at from (
        select user_id, attempts, created_at from failures where user_id is not null
        union all
        select u.user_id, f.attempts, f.created_at from failures f join profiles u on u.email = f.email
      ) counted
      group by user_id having sum(attempts) >= 3
    ), locked_out as (
      select p.id as purchase_id, 'sign_ins' as reason, r.at from refused r
      join auth.users u on u.id = r.user_id
      join lateral (
        select id, created_at from purchases where user_id = r.user_id and created_at <= r.at
        order by created_at desc limit 1
      ) p on true
      where (u.last_sign_in_at is null or u.last_sign_in_at < p.created_at)
        and not exists (select from downloads d where d.purchase_id = p.id and d.started_at is not null)
    ), found as (
      select distinct on (purchase_id) purchase_id, reason, at
      from (select * from receipts union all select * from broken union all select * from locked_out) each
      order by purchase_id, at desc
    )
    select f.purchase_id, p.number, b.name as product_name, u.email, f.reason
    from found f
    join purchases p on p.id = f.purchase_id
    join products b on b.id = p.product_id
    join profiles u on u.user_id = p.user_id
    where ${isEntitled(sql`p`)}
    order by f.at desc limit ${maxRows}`,
  )
}
