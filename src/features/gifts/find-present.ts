// What is given, as its mail says it.
import { eq, sql, type SQL } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import { discount_codes } from '../discounts/schema.ts'
import { isUsedUp, isValid } from '../discounts/apply-discount.ts'
import { deliveryGap, ships } from '../products/product-columns.ts'
import { shopCurrency } from '../purchases/shop-currency.ts'
import { products } from '../products/schema.ts'
import type { Present } from './contract/gifts.ts'
import type { GiftMail } from './gift-email.ts'
import { gifts } from './schema.ts'

type Found =
  | Extract<GiftMail['present'], { kind: 'copy' }>
  | NonNullable<Awaited<ReturnType<typeof findCode>>>

export async function findPresent(db: Db | Transaction, present: Present): Promise<Found> {
  if (present.kind === 'code') {
    const matches = sql`${discount_codes.id} = ${present.code_id} and ${isValid} and not ${isUsedUp} and ${discount_codes.paused_at} is null`
    const code = await findCode(db, matches)
    if (!code) throw new Problem('gifts.code_not_valid')
    return code
  }
  const product = await findCopy(db, present.product_id)
  if (!product) throw new Problem('products.not_found')
  const { gap, ...copy } = product
  if (gap) throw new Problem('gifts.not_deliverable')
  return copy
}

/** The rows of `gifts` by which it was given. */
export function isOfPresent(present: Present): SQL {
  return present.kind === 'copy'
    ? eq(gifts.product_id, present.product_id)
    : eq(gifts.code_id, present.code_id)
}

/** As `findPresent`, of what was given already: whatever has become of it since. */
export async function findGiven(
  db: Db,
  { product_id, code_id }: { product_id: string | null; code_id: string | null },
): Promise<GiftMail['present'] | undefined> {
  if (code_id) return findCode(db, eq(discount_codes.id, code_id))
  const product = product_id ? await findCopy(db, product_id) : undefined
  if (!product) return undefined
  const { gap: _gap, ...copy } = product
  return copy
}

async function findCode(db: Db | Transaction, matches: SQL) {
  const { code, percent, amount_off, max_uses, uses, ends_on } = discount_codes
  const [row] = await db
    .select({
      code,
      percent,
      amount_off,
      max_uses,
      uses,
      currency: shopCurrency,
      ends_on,
      product_name: products.name,
    })
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
