import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { defineMailJob } from '#domains/mail/send-mail.ts'
import { gifts } from '#tables/gifts.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import { deliveryProblem } from './problem.ts'
import { linkAddress, makeGiftLink, signInAddress } from '#domains/accounts/links.ts'
import { discount_codes } from '#tables/discounts.ts'
import { isUsedUp, isValid } from '#domains/orders/apply-discount.ts'
import { deliveryGap, ships } from '#domains/catalog/product-columns.ts'
import { shopCurrency } from '#tables/purchases.ts'
import { products } from '#tables/products.ts'
import type { Present } from '#contract/delivery/gifts.ts'
import type { GiftMail } from './gift-email.ts'

export const giftMailJob = defineMailJob({
  name: 'mail.gift',
  kinds: ['gift'],
  payload: z.object({ gift_id: z.uuid() }),
  async compose({ db, clock, log }, { gift_id }, letterhead) {
    const [gift] = await db.select().from(gifts).where(eq(gifts.id, gift_id))
    const present = gift && (await findGiven(db, gift))
    if (!present) {
      log.warn({ gift_id }, 'no mail: the gift does not exist')
      return undefined
    }
    const { email: to, name, message, purchase_id } = gift
    const { giftEmail } = await import('./gift-email.ts')
    const token =
      present.kind === 'copy' ? await db.transaction((tx) => makeGiftLink(tx, to, clock())) : undefined
    const page = pageOf(letterhead.siteUrl, token)
    const email = await giftEmail({ letterhead, to, name, message, page, present })
    const replied = { ...email, replyTo: letterhead.authorEmail }
    return { kind: 'gift', email: replied, purchase_id: purchase_id ?? undefined }
  },
})

export function pageOf(siteUrl: string, token?: string): GiftMail['page'] {
  const path = '/dashboard'
  return token
    ? { link: linkAddress(siteUrl, 'magiclink', token, path), signsIn: true }
    : { link: signInAddress(siteUrl, path), signsIn: false }
}

type Found =
  | Extract<GiftMail['present'], { kind: 'copy' }>
  | NonNullable<Awaited<ReturnType<typeof findCode>>>

export async function findPresent(db: Db | Transaction, present: Present): Promise<Found> {
  if (present.kind === 'code') {
    const matches = sql`${discount_codes.id} = ${present.code_id} and ${isValid} and not ${isUsedUp} and ${discount_codes.paused_at} is null`
    const code = await findCode(db, matches)
    if (!code) throw deliveryProblem('gifts.code_not_valid')
    return code
  }
  const product = await findCopy(db, present.product_id)
  if (!product) throw catalogProblem('products.not_found')
  const { gap, ...copy } = product
  if (gap) throw deliveryProblem('gifts.not_deliverable')
  return copy
}

export function isOfPresent(present: Present): SQL {
  return present.kind === 'copy'
    ? eq(gifts.product_id, present.product_id)
    : eq(gifts.code_id, present.code_id)
}

async function findGiven(db: Db, { product_id, code_id }: typeof gifts.$inferSelect) {
  if (code_id) return findCode(db, eq(discount_codes.id, code_id))
  const product = product_id ? await findCopy(db, product_id) : undefined
  if (!product) return undefined
  const { gap: _gap, ...copy } = product
  return copy
}

async function findCode(db: Db | Transaction, matches: SQL) {
  const { code, percent, amount_off, max_uses, uses, ends_on } = discount_codes
  const terms = { code, percent, amount_off, max_uses, uses, ends_on }
  const [row] = await db
    .select({ ...terms, currency: shopCurrency, product_name: products.name })
    .from(discount_codes)
    .leftJoin(products, eq(products.id, discount_codes.product_id))
    .where(matches)
  return row && { kind: 'code' as const, ...row }
}

async function findCopy(db: Db | Transaction, product_id: string) {
  const { name: product_name, is_digital } = products
  const [row] = await db
    .select({ product_name, is_digital, ships, gap: deliveryGap })
    .from(products)
    .where(eq(products.id, product_id))
  return row && { kind: 'copy' as const, ...row }
}
