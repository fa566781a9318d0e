// These orders keep an account from being erased: money under way, parcels, and what the author or a bank decides.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'

export async function hasOpenOrders(db: Db | Transaction, user_id: string): Promise<boolean> {
  const { is_open } = await queryOne(
    db,
    z.object({ is_open: z.boolean() }),
    sql`
      select exists (
        select from purchases b
          left join checkouts c on c.purchase_id = b.id left join shipments s on s.purchase_id = b.id
          left join withdrawals w on w.purchase_id = b.id
        where b.user_id = ${user_id}
          and (b.status = 'pending' or b.status = 'disputed' and c.answer_by is not null
            or c.held_reason is not null and c.dismissed_at is null
            or s.is_paid and s.shipped_at is null
            or is_completed(b.status) and exists (
              select from purchase_gifts g
                join scheduled_emails s on s.kind = 'gift_to_someone' and s.about = g.purchase_id and s.version = g.revision::text
              where g.purchase_id = b.id and s.queued_at is null)
            or w.purchase_id is not null and w.decided_at is null
            or exists (select from refund_requests r where r.purchase_id = b.id and r.status = 'requested'))
      ) as is_open`,
  )
  return is_open
}
