import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { fromCents, toCents, type Cents } from '#contract/money.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import { orderProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { requirePayable } from '#domains/catalog/require-payable.ts'
import { products } from '#tables/products.ts'
import {
  discountStates,
  maxOpenDiscounts,
  type AdminDiscount,
  type NewDiscount,
} from '#contract/orders/discounts.ts'
import { discount_codes } from '#tables/discounts.ts'
import { isUsedUp, isValid } from './apply-discount.ts'

const state =
  sql`case when ${discount_codes.ended_at} is not null then 'ended' when not ${isValid} then 'expired'
  when ${discount_codes.paused_at} is not null then 'paused' when ${isUsedUp} then 'used_up' else 'active' end`.mapWith(
    (value) => discountStates.find((known) => known === value) ?? 'ended',
  )

export async function listDiscounts(db: Db): Promise<AdminDiscount[]> {
  const { id, code, percent, amount_off, product_id, max_uses, uses, ends_on, created_at } = discount_codes
  const terms = { id, code, percent, amount_off, product_id, max_uses, uses, ends_on, created_at }
  const rows = await db
    .select({ ...terms, product_name: products.name, state })
    .from(discount_codes)
    .leftJoin(products, eq(products.id, discount_codes.product_id))
    .orderBy(isNotNull(discount_codes.ended_at), desc(created_at), desc(id))
    .limit(maxOpenDiscounts)
  const placeOf = ({ created_at: made, id: own }: AdminDiscount) => made + own
  return rows.map(toAdminDiscount).toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1))
}

type DiscountRow = Omit<AdminDiscount, 'created_at' | 'amount_off'> & {
  created_at: Date
  amount_off: Cents | null
}

function toAdminDiscount({ created_at, ...row }: DiscountRow): AdminDiscount {
  return { ...row, amount_off: fromCents(row.amount_off), created_at: created_at.toISOString() }
}

export async function addDiscount({ db, settings }: Services, actor: Actor, wanted: NewDiscount) {
  const { code, product_id, amount_off } = wanted
  if (amount_off !== undefined)
    requirePayable('amount_off', toCents(amount_off), settings.get().shop.currency)
  await db.transaction(async (tx) => {
    const id = uuidv7()
    if (product_id && (await tx.$count(products, eq(products.id, product_id))) === 0)
      throw catalogProblem('products.not_found')
    if ((await tx.$count(discount_codes, isNull(discount_codes.ended_at))) >= maxOpenDiscounts)
      throw orderProblem('discounts.too_many')
    const { rowCount } = await tx
      .insert(discount_codes)
      .values({ id, ...wanted, amount_off: amount_off === undefined ? null : toCents(amount_off) })
      .onConflictDoNothing()
    if (!rowCount)
      throw orderProblem('discounts.code_taken', { fields: { code: 'This code exists already.' } })
    const { code: _code, ...detail } = wanted
    await recordAuditEvent(tx, actor, { action: 'discounts.added', subject: code, subject_id: id, detail })
  })
}

export async function resumeDiscount({ db }: Services, actor: Actor, id: string) {
  await db.transaction(async (tx) => {
    const [resumed] = await tx
      .update(discount_codes)
      .set({ paused_at: null })
      .where(and(eq(discount_codes.id, id), isNotNull(discount_codes.paused_at)))
      .returning({ subject: discount_codes.code })
    if (resumed)
      await recordAuditEvent(tx, actor, { action: 'discounts.resumed', ...resumed, subject_id: id })
    else await requireDiscount(tx, id)
  })
}

export async function endDiscount({ db, clock }: Services, actor: Actor, id: string) {
  await db.transaction(async (tx) => {
    const [ended] = await tx
      .update(discount_codes)
      .set({ ended_at: clock() })
      .where(and(eq(discount_codes.id, id), isNull(discount_codes.ended_at)))
      .returning({ subject: discount_codes.code, uses: discount_codes.uses })
    if (ended) {
      const { subject, uses } = ended
      const action = 'discounts.ended'
      await recordAuditEvent(tx, actor, { action, subject, subject_id: id, detail: { uses } })
    } else await requireDiscount(tx, id)
  })
}

async function requireDiscount(tx: Transaction, id: string) {
  if ((await tx.$count(discount_codes, eq(discount_codes.id, id))) === 0)
    throw orderProblem('discounts.not_found')
}
