// The mail that confirms a purchase.
import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { mails, products, profiles, purchases } from '../db/schema/shop.ts'
import { defineJob } from '../job.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { post } from './mails.ts'

export const receiptJob = defineJob({
  name: 'mail.receipt',
  payload: z.object({ purchase_id: z.uuid() }),
  async run(services, { purchase_id }, attempt) {
    const receipt = await findReceipt(services, purchase_id)
    if (!receipt) return services.log.warn({ purchase_id }, 'no receipt: the purchase does not exist')
    const { siteUrl, adminEmail } = services.config
    // Loaded with the first mail, not at the start: it brings React and twelve parts of letters.
    const { receiptLetter } = await import('../emails/receipt.ts')
    const letter = await receiptLetter({ ...receipt, siteUrl })
    const replyTo = adminEmail ? { replyTo: adminEmail } : {}
    await post(services, attempt, { kind: 'receipt', purchase_id, letter: { ...letter, ...replyTo } })
  },
})

/** Another receipt is not sent sooner than this after the last one. */
const pauseInMinutes = 2

/**
 * Sends the receipt again when one was sent before; the first one is already on its way with the purchase itself.
 * `isOnItsWay` is false when the last one was sent only just now.
 * Throws purchases.not_found, also for what is not this person's, where one is named.
 */
export async function resendReceipt(
  { db, queue }: Pick<Services, 'db' | 'queue'>,
  { user_id, purchase_id }: { user_id?: string; purchase_id: string },
): Promise<{ isOnItsWay: boolean }> {
  const [purchase] = await db
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(eq(purchases.id, purchase_id), user_id ? eq(purchases.user_id, user_id) : undefined))
  if (!purchase) throw new Problem('purchases.not_found')
  const [last] = await db
    .select({ isOld: sql<boolean>`${mails.created_at} < now() - make_interval(mins => ${pauseInMinutes})` })
    .from(mails)
    .where(and(eq(mails.purchase_id, purchase_id), eq(mails.status, 'sent')))
    .orderBy(desc(mails.created_at))
    .limit(1)
  if (last?.isOld) await queue.enqueue(db, receiptJob, { purchase_id })
  return { isOnItsWay: last?.isOld ?? true }
}

async function findReceipt({ db }: Pick<Services, 'db'>, purchase_id: string) {
  const [row] = await db
    .select({
      purchase_id: purchases.id,
      amount: purchases.amount,
      created_at: purchases.created_at,
      to: profiles.email,
      display_name: profiles.display_name,
      product_name: products.name,
      format: products.format,
      is_digital: products.is_digital,
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(eq(purchases.id, purchase_id))
  return row
}
