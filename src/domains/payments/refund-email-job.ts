import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { RefundNews } from './refund-email.ts'
import { paidCurrency } from './checkout-record.ts'
import { checkouts, failed_refunds } from '#tables/payments.ts'
import { profiles } from '#tables/accounts.ts'
import { products } from '#tables/products.ts'
import { adjustments, purchases } from '#tables/purchases.ts'
import type { Db } from '#platform/db/client.ts'
import type { Services } from '#platform/services.ts'
import { isPaidFor } from '#domains/orders/entitlements.ts'
import { defineMailJob } from '#domains/mail/send-mail.ts'

export const refundMailJob = defineMailJob({
  name: 'mail.refund',
  kinds: ['refund', 'refund_failed'],
  /** A held payment that went back has no adjustment: it never was a purchase. */
  payload: z.union([
    z.object({ adjustment_id: z.uuid() }),
    z.object({ held_purchase_id: z.uuid() }),
    z.object({ failed_refund: z.string() }),
  ]),
  async compose(services, payload, letterhead) {
    const news = await readNews(services, payload)
    if (!news) return undefined
    const { refundEmail } = await import('./refund-email.ts')
    const email = { ...(await refundEmail(news, letterhead)), replyTo: letterhead.authorEmail }
    return { kind: news.kind, purchase_id: news.purchase_id, email }
  },
})

type Payload = z.output<(typeof refundMailJob)['payload']>

function readNews({ db }: Services, payload: Payload): Promise<RefundNews | undefined> {
  if ('adjustment_id' in payload) return readRefund(db, payload.adjustment_id)
  if ('held_purchase_id' in payload) return readHeldRefund(db, payload.held_purchase_id)
  return readFailedRefund(db, payload.failed_refund)
}

const about = {
  to: profiles.email,
  display_name: profiles.display_name,
  purchase_id: purchases.id,
  number: purchases.number,
  product_name: products.name,
  is_digital: products.is_digital,
  is_entitled: isPaidFor(sql`${purchases}`),
}
const ofHeldPayment = { kept: 0n, is_by_card: true, was_held: true }

/** `kept` as this refund left it, whatever came later. */
async function readRefund(db: Db, id: string) {
  const [row] = await db
    .select({
      ...about,
      kind: adjustments.kind,
      amount: adjustments.amount,
      currency: purchases.currency,
      is_by_card: sql<boolean>`${adjustments.external_id} is not null`,
      kept: sql`${purchases.amount} + (
        select sum(a.amount) from adjustments a where a.purchase_id = ${purchases.id} and a.id <= ${adjustments.id})`.mapWith(
        purchases.amount,
      ),
    })
    .from(adjustments)
    .innerJoin(purchases, eq(purchases.id, adjustments.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(adjustments.id, id))
  if (row?.kind !== 'refund' && row?.kind !== 'refund_failed') return undefined
  return { ...row, kind: row.kind, amount: row.amount < 0n ? -row.amount : row.amount, was_held: false }
}

async function readHeldRefund(db: Db, id: string) {
  const amount = sql`coalesce(${checkouts.paid_total}, ${purchases.amount})`.mapWith(purchases.amount)
  const [row] = await db
    .select({ ...about, amount, currency: paidCurrency })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(checkouts.purchase_id, id))
  return row && { ...row, kind: 'refund' as const, ...ofHeldPayment }
}

async function readFailedRefund(db: Db, id: string) {
  const { amount, currency, purchase_id, external_id } = failed_refunds
  const [row] = await db
    .select({ ...about, amount, currency })
    .from(failed_refunds)
    .innerJoin(purchases, eq(purchases.id, purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(external_id, id))
  return row && { ...row, kind: 'refund_failed' as const, ...ofHeldPayment }
}
