import { sql, type SQL } from 'drizzle-orm'
import { isEntitled } from './entitlements.ts'

/**
 * For a row of purchases and its row of products: a file that was paid for and that its buyer has not begun to download.
 * Paper goes to any address that the buyer names, so it is not given this way.
 */
export function isGivable(purchase: SQL, product: SQL): SQL<boolean> {
  return sql<boolean>`(${product}.is_digital and ${purchase}.amount > 0 and ${purchase}.gift_of is null
    and ${isEntitled(purchase)}
    and not exists (select from shipments s where s.purchase_id = ${purchase}.id)
    and not exists (select from downloads d where d.purchase_id = ${purchase}.id and d.started_at is not null))`
}

/** For a row `g` of purchase_gifts; null where there is none. */
export const givenState = sql`case when g.opened_at is not null then 'opened' when g.failed_at is not null then 'failed'
  when g.sent_at is not null then 'sent' when g.queued_at is not null then 'on_its_way' else 'scheduled' end`

export const givenAt = sql`coalesce(g.opened_at, g.failed_at, g.sent_at, g.send_at)`
