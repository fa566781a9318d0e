// The rights of the browser that bought with an address only over its order, for a day after the payment.
import { sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { z } from 'zod'
import { queryFirst } from '#platform/db/query.ts'
import type { PurchaseAccess } from './guest-orders.ts'

/** The address can be corrected once. */
const ownOrder = z.object({ receipt_to: z.string(), is_correctable: z.boolean() })
type OwnOrder = z.output<typeof ownOrder>

/** Undefined for the link of a receipt, which may be passed on, and once the author has moved the order to another address. */
export function findOwnOrder(db: Db, { purchase_id, hash }: PurchaseAccess): Promise<OwnOrder | undefined> {
  return queryFirst(
    db,
    ownOrder,
    sql`
      select g.email as receipt_to, not exists (
          select from purchase_moves m where m.purchase_id = a.purchase_id and m.is_by_buyer) as is_correctable
      from purchase_access a join guest_checkouts g on g.purchase_id = a.purchase_id
      where a.hash = ${hash} and a.purchase_id = ${purchase_id} and a.kind = 'browser'
        and not exists (select from purchase_moves m where m.purchase_id = a.purchase_id and not m.is_by_buyer)`,
  )
}
