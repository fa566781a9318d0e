// Purchases, and the money that left them again.
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { created_at, money, oneOf } from '#platform/db/columns.ts'
import { profiles } from '../accounts/schema.ts'
import { products } from '../products/schema.ts'
import { adjustmentKinds, purchaseStatuses, refundTerms } from './contract/purchases.ts'

export const purchases = pgTable(
  'purchases',
  {
    id: uuid().primaryKey(),
    /**
     * The order number that people say. From a sequence, so that purchases do not wait for each other: an insert that is
     * rolled back leaves a gap. Two numbers tell a buyer about how much was sold between them; the start at 1001 is
     * customary and hides only how young the shop is.
     */
    number: integer().notNull().unique('purchases_number').generatedAlwaysAsIdentity({ startWith: 1001 }),
    user_id: uuid()
      .notNull()
      .references(() => profiles.user_id),
    product_id: uuid()
      .notNull()
      .references(() => products.id),
    /** The product's price at the moment of purchase, with shipping, or what was paid in the end. */
    amount: money().notNull(),
    /** Given back of it; the sum of its adjustments, kept by their trigger. */
    refunded: money().notNull().default(0),
    /** ISO code in lower case: the shop's at the moment of purchase. */
    currency: text()
      .notNull()
      .default(sql`shop_currency()`),
    status: text({ enum: purchaseStatuses }).notNull(),
    /** The refund period that was promised with the purchase; 0 for none. */
    refund_days: integer()
      .notNull()
      .default(sql`current_refund_days()`),
    /** The condition of that promise. An older version, which says none, inserts none. */
    refund_terms: text({ enum: refundTerms }).notNull().default('always'),
    /** Made with a test key of the payment provider: no money was taken. */
    is_test: boolean().notNull().default(false),
    /** A free copy that the author has given. */
    is_given: boolean().notNull().default(false),
    /** The client's key for this intent to buy; null where a purchase was made by hand. */
    idempotency_key: text(),
    created_at: created_at(),
  },
  (t) => [
    check('purchases_status', oneOf('status', purchaseStatuses)),
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
    index('purchases_unusual')
      .on(t.status, t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.status} <> 'completed'`),
  ],
)

/** What the buyer of digital content agreed to before buying it, where the shop asked for that. */
export const consents = pgTable('consents', {
  purchase_id: uuid()
    .primaryKey()
    .references(() => purchases.id, { onDelete: 'cascade' }),
  /** As it was shown. */
  text: text().notNull(),
  given_at: created_at(),
})

/** Money that left again after a purchase, or came back: below zero when it left. Rows are only ever added. */
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
    /** What the payment provider calls it; the same one never counts twice. */
    external_id: text().unique(),
    created_at: created_at(),
  },
  (t) => [
    check('adjustments_kind', oneOf('kind', adjustmentKinds)),
    index('adjustments_of_purchase').on(t.purchase_id),
  ],
)
