// Records that the shop has a key of the payment provider, or had one.
import { sql } from 'drizzle-orm'
import { paymentMode } from '#platform/stripe/payment-keys.ts'
import type { Services } from '../../services.ts'

/**
 * At the start, before anything is sold: the key may be in the environment alone, and a shop of an older version may have
 * lost it already.
 */
export async function recordKey({
  db,
  settings,
  clock,
}: Pick<Services, 'db' | 'settings' | 'clock'>): Promise<void> {
  if (settings.get().payments.had_key) return
  const hasKey = paymentMode(settings) !== 'none'
  const { rowCount } = await db.execute(sql`
    insert into settings (name, fields, revision, changed_at, changed_by)
    select 'payments', '{"had_key": true}', 1, ${clock().toISOString()}::timestamptz, 'the shop'
    where ${hasKey} or exists (select from checkouts)
    on conflict (name) do update set fields = settings.fields || excluded.fields`)
  if (rowCount) await settings.refresh()
}
