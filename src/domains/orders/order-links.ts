// The link that opens an order without an account: in its receipt, for its buyer to save, and for the author to pass on.
import { orderProblem } from './problem.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { daySeconds } from '#contract/durations.ts'
import type { AccessLink } from '#contract/orders/guest-purchases.ts'
import { z } from 'zod'
import { isoTime, queryFirst } from '#platform/db/query.ts'
import { platformProblem } from '#platform/problem.ts'
import { consumeLimit } from '#platform/http/rate-limits.ts'
import { isEntitled } from './entitlements.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { type PurchaseAccess, addLink, requireAccess } from './guest-orders.ts'
import { findOwnOrder } from './browser-orders.ts'

/** Serves an order that was bought with an address only. Throws purchases.not_found and purchases.not_completed. */
export async function makeOrderLink(
  { db, clock, settings }: CommerceShop,
  purchase_id: string,
): Promise<AccessLink> {
  return db.transaction(async (tx) => {
    const order = await findOrder(tx, purchase_id)
    if (!order) throw orderProblem('purchases.not_found')
    if (!order.is_entitled) throw orderProblem('purchases.not_completed')
    const link = { siteUrl: settings.get().shop.site_url, purchase_id, kind: 'link' } as const
    const { url, expires_at } = await addLink(tx, link, clock())
    return { url, ends_at: expires_at.toISOString() }
  })
}

const orderRow = z.object({ is_entitled: z.boolean() })

function findOrder(db: Db, purchase_id: string) {
  return queryFirst(
    db,
    orderRow,
    sql`
      select ${isEntitled(sql`p`)} as is_entitled from purchases p join guest_checkouts g on g.purchase_id = p.id
      where p.id = ${purchase_id}`,
  )
}

const lastLink = z.object({ is_in_receipt: z.boolean(), ends_at: isoTime })

/** Of those that still open it, the one with the latest end. A receipt counts once it was sent: until then nobody has its link. */
export async function findLastLink({ db, clock }: CommerceShop, purchase_id: string) {
  const query = sql`
    select a.kind = 'receipt' as is_in_receipt, a.expires_at as ends_at from purchase_access a
    where a.purchase_id = ${purchase_id} and a.expires_at > ${clock()}
      and (a.kind = 'link' or a.kind = 'receipt' and exists (
        select from mails m where m.purchase_id = a.purchase_id and m.kind = 'receipt' and m.status = 'sent'))
    order by a.expires_at desc limit 1`
  return (await queryFirst(db, lastLink, query)) ?? null
}

/** Enough for a buyer who presses again and again, and few rows for one who does so all day. */
const linksOfOrder = { limit: 20, windowSeconds: daySeconds }

/** Serves the browser that bought: whoever only has a link could make it last for ever. */
export async function makeOwnLink(services: CommerceShop, access: PurchaseAccess): Promise<AccessLink> {
  const { db, config } = services
  const { purchase_id } = access
  await requireAccess(services, access)
  if (!(await findOwnOrder(db, access))) throw orderProblem('guest_checkout.other_browser')
  if (config.hasRateLimits) {
    const { allowed, retryAfter } = await consumeLimit(db, `guest-links:${purchase_id}`, linksOfOrder)
    if (!allowed) throw platformProblem('request.rate_limited', { retryAfter })
  }
  return makeOrderLink(services, purchase_id)
}
