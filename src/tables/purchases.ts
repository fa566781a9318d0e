import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { created_at, money, oneOf } from './columns.ts'
import { profiles } from './accounts.ts'
import { products } from './products.ts'
import { adjustmentKinds, purchaseStatuses, refundTerms } from '#contract/orders/purchases.ts'

export const purchases = pgTable(
  'purchases',
  {
    id: uuid().primaryKey(),
    /** From a sequence, so that purchases do not wait for each other: an insert that is rolled back leaves a gap. */
    number: integer().notNull().unique('purchases_number').generatedAlwaysAsIdentity({ startWith: 1001 }),
    /** Null until the payment where the purchase was begun with an address only (`guest_checkouts`). */
    user_id: uuid().references(() => profiles.user_id),
    product_id: uuid()
      .notNull()
      .references(() => products.id),
    amount: money().notNull(),
    /** A trigger sums the adjustments. */
    refunded: money()
      .notNull()
      .default(sql`0`),
    currency: text()
      .notNull()
      .default(sql`shop_currency()`),
    status: text({ enum: purchaseStatuses }).notNull(),
    refund_days: integer()
      .notNull()
      .default(sql`current_refund_days()`),
    /** Older versions insert none. */
    refund_terms: text({ enum: refundTerms }).notNull().default('always'),
    is_test: boolean().notNull().default(false),
    is_given: boolean().notNull().default(false),
    /** Where the parcel goes, else where it was paid from. ISO 3166-1 alpha-2; null where neither is known. */
    country: text(),
    /** A trigger copies it from `discount_uses`, for the sums. */
    code_id: uuid(),
    idempotency_key: text(),
    /** The purchase of who has given this copy away (`purchase_gifts`). */
    gift_of: uuid(),
    created_at: created_at(),
  },
  (t) => [
    check('purchases_status', oneOf('status', purchaseStatuses)),
    check('purchases_user', sql`${t.user_id} is not null or ${t.status} in ('pending', 'canceled')`),
    check('purchases_amount', sql`${t.amount} >= 0`),
    check('purchases_refunded', sql`${t.refunded} between 0 and ${t.amount}`),
    unique('purchases_intent').on(t.user_id, t.idempotency_key),
    index('purchases_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('purchases_own').on(t.user_id, t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('purchases_of_product').on(
      t.product_id,
      t.created_at.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index('purchases_received')
      .on(t.gift_of)
      .where(sql`${t.gift_of} is not null`),
    index('purchases_unusual')
      .on(t.status, t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.status} <> 'completed'`),
  ],
)

export const consents = pgTable('consents', {
  purchase_id: uuid()
    .primaryKey()
    .references(() => purchases.id, { onDelete: 'cascade' }),
  text: text().notNull(),
  given_at: created_at(),
})

/** Below zero when money left. Rows are only ever added. */
export const adjustments = pgTable(
  'adjustments',
  {
    id: uuid().primaryKey(),
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    kind: text({ enum: adjustmentKinds }).notNull(),
    amount: money().notNull(),
    note: text().notNull().default(''),
    /** The same one never counts twice. */
    external_id: text().unique(),
    created_at: created_at(),
  },
  (t) => [
    check('adjustments_kind', oneOf('kind', adjustmentKinds)),
    index('adjustments_of_purchase').on(t.purchase_id),
  ],
)

/** ISO code in lower case, from the database: the settings in memory may be a second old. */
export const shopCurrency = sql<string>`shop_currency()`
