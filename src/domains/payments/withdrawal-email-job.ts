import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { profiles } from '#tables/accounts.ts'
import { defineMailJob } from '#domains/mail/send-mail.ts'
import { products } from '#tables/products.ts'
import { purchases } from '#tables/purchases.ts'
import { shipments } from '#tables/shipping.ts'
import { refundRight } from '#domains/orders/refund-period.ts'
import { withdrawals } from '#tables/withdrawals.ts'

export const withdrawalMailJob = defineMailJob({
  name: 'mail.withdrawal',
  kinds: ['withdrawal', 'withdrawal_refused'],
  payload: z.object({ purchase_id: z.uuid(), news: z.enum(['declared', 'refused']) }),
  async compose({ db, settings }, { purchase_id, news }, letterhead) {
    const [found] = await db
      .select({
        to: profiles.email,
        display_name: profiles.display_name,
        number: purchases.number,
        bought_at: purchases.created_at,
        product_name: products.name,
        is_digital: products.is_digital,
        shipped_at: shipments.shipped_at,
        declared_at: withdrawals.declared_at,
        reason: withdrawals.reason,
        waits_for: withdrawals.waits_for,
        refusal: withdrawals.refusal,
        right: refundRight(sql`${purchases}`, sql`${withdrawals.declared_at}`),
      })
      .from(withdrawals)
      .innerJoin(purchases, eq(purchases.id, withdrawals.purchase_id))
      .innerJoin(products, eq(products.id, purchases.product_id))
      .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
      .leftJoin(shipments, eq(shipments.purchase_id, purchases.id))
      .where(eq(withdrawals.purchase_id, purchase_id))
    if (!found) return undefined
    const { time_zone } = settings.get().shop
    const { declaredEmail, refusedEmail } = await import('./withdrawal-email.ts')
    const render = news === 'declared' ? declaredEmail : refusedEmail
    const email = { ...(await render({ ...found, time_zone }, letterhead)), replyTo: letterhead.authorEmail }
    return { kind: news === 'declared' ? 'withdrawal' : 'withdrawal_refused', purchase_id, email }
  },
})
