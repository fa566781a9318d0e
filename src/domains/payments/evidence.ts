import { fromCents } from '#contract/money.ts'
import { asc, eq } from 'drizzle-orm'
import type { Evidence } from '#contract/payments/orders.ts'
import type { Db } from '#platform/db/client.ts'
import { audit_log } from '#tables/audit.ts'
import { users } from '#tables/accounts.ts'
import { checkouts } from '#tables/payments.ts'
import { purchases } from '#tables/purchases.ts'
import { toEntry } from '#platform/audit-log.ts'
import { findConsent } from '#domains/orders/consents.ts'
import { getOrder } from './orders.ts'
import { pageAtStripe } from '#platform/stripe/payment-keys.ts'
import { orderProblem } from '#domains/orders/problem.ts'

const maxEvents = 200

export async function getEvidence(db: Db, id: string): Promise<Evidence> {
  const order = await getOrder(db, id)
  if (!order.user_id) throw orderProblem('purchases.not_found')
  const [[account], [purchase], [checkout], consent, events] = await Promise.all([
    db.select().from(users).where(eq(users.id, order.user_id)),
    db
      .select({ refund_days: purchases.refund_days, refund_terms: purchases.refund_terms })
      .from(purchases)
      .where(eq(purchases.id, id)),
    db.select().from(checkouts).where(eq(checkouts.purchase_id, id)),
    findConsent(db, id),
    db
      .select()
      .from(audit_log)
      .where(eq(audit_log.subject_id, id))
      .orderBy(asc(audit_log.created_at), asc(audit_log.id))
      .limit(maxEvents),
  ])
  if (!account || !purchase) throw orderProblem('purchases.not_found')
  return {
    ...order,
    ...purchase,
    consent,
    account: {
      created_at: account.created_at.toISOString(),
      email_confirmed_at: account.email_confirmed_at?.toISOString() ?? null,
      last_sign_in_at: account.last_sign_in_at?.toISOString() ?? null,
    },
    payment: checkout ? toPayment(checkout) : null,
    events: events.map(toEntry),
  }
}

function toPayment(checkout: typeof checkouts.$inferSelect): Evidence['payment'] {
  const { session_id, payment_intent, tax, discount, is_live } = checkout
  const stripe_url = payment_intent && pageAtStripe(is_live, `payments/${payment_intent}`)
  const amounts = { tax: fromCents(tax), discount: fromCents(discount) }
  return { session_id, payment_intent, ...amounts, is_live, stripe_url }
}
