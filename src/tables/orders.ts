// Purchases, their discount codes, shipments and withdrawals, and what opens them without an account.
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { created_at, moment, money, oneOf, bytes } from './columns.ts'
import { profiles } from './accounts.ts'
import { products } from './catalog.ts'
import { purchaseStatuses } from '#contract/orders/purchase-status.ts'
import { formats } from '#contract/catalog/formats.ts'
import { sellers } from '#contract/orders/seller.ts'

export const purchases = pgTable(
  'purchases',
  {
    id: uuid().primaryKey(),
    /**
     * A sequence numbers purchases, so that they do not wait for each other: an insert that is rolled back leaves a
     * gap.
     */
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
    /** The buyer was told so before the payment. */
    seller: text({ enum: sellers }).notNull().default('author'),
    /** Tax that Link owes, a part of `amount`. A trigger sums what adjustments gave back of it. */
    link_tax: money()
      .notNull()
      .default(sql`0`),
    link_tax_back: money()
      .notNull()
      .default(sql`0`),
    currency: text()
      .notNull()
      .default(sql`shop_currency()`),
    status: text({ enum: purchaseStatuses }).notNull(),
    refund_days: integer()
      .notNull()
      .default(sql`current_refund_days()`),
    /** Nobody pays: with a test key, of the sample, or tried out by an admin. It may count all the same (`counts_tests`). */
    is_test: boolean().notNull().default(false),
    is_given: boolean().notNull().default(false),
    /** The parcel goes there, else it was paid from there. ISO 3166-1 alpha-2; null where neither is known. */
    country: text(),
    /** The sums read it here; it is that of `discount_uses`. */
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
    check('purchases_seller', oneOf('seller', sellers)),
    check('purchases_link_tax', sql`${t.link_tax_back} between 0 and ${t.link_tax}`),
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

/** The box for the author's letters was ticked at a purchase that is not paid yet. */
export const subscription_requests = pgTable('subscription_requests', {
  purchase_id: uuid()
    .primaryKey()
    .references(() => purchases.id, { onDelete: 'cascade' }),
  words: text().notNull(),
  /** The language tag of the words. */
  language: text().notNull(),
  requested_at: created_at(),
})

/** ISO code in lower case, from the database: the settings in memory may be a second old. */
export const shopCurrency = sql<string>`shop_currency()`

export const discount_codes = pgTable(
  'discount_codes',
  {
    id: uuid().primaryKey(),
    code: text().notNull(),
    /** One of these two is null. */
    percent: integer(),
    amount_off: money(),
    product_id: uuid().references(() => products.id),
    max_uses: integer(),
    /** A trigger follows `discount_uses` when a purchase is canceled. */
    uses: integer().notNull().default(0),
    /** The day is in the shop's time zone. */
    ends_on: date({ mode: 'string' }),
    /** A restore pauses it, as its uses are unknown then; the author resumes it. */
    paused_at: moment(),
    /** Its reduction began anew then. */
    resumed_at: moment(),
    ended_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    check('discount_codes_terms', sql`num_nonnulls(${t.percent}, ${t.amount_off}) = 1`),
    check('discount_codes_percent', sql`${t.percent} between 1 and 100`),
    check('discount_codes_amount_off', sql`${t.amount_off} > 0`),
    uniqueIndex('discount_codes_current')
      .on(t.code)
      .where(sql`${t.ended_at} is null`),
  ],
)

export const discount_uses = pgTable(
  'discount_uses',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    code_id: uuid()
      .notNull()
      .references(() => discount_codes.id),
    discount: money().notNull(),
    /** False for a test order, and once the purchase is canceled. */
    is_counted: boolean().notNull().default(true),
  },
  (t) => [index('discount_uses_of_code').on(t.code_id)],
)

/** A trigger inserts one for each paid purchase on paper. */
export const shipments = pgTable(
  'shipments',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    format: text({ enum: formats }).notNull(),
    /** The trigger sets it to false once the money is back with the buyer, or with the bank. */
    is_paid: boolean().notNull().default(true),
    name: text(),
    line1: text(),
    city: text(),
    country: text(),
    line2: text().notNull().default(''),
    state: text().notNull().default(''),
    postal_code: text().notNull().default(''),
    phone: text().notNull().default(''),
    /** The same Idempotency-Key must bring the same address. */
    first_address_digest: text(),
    carrier: text(),
    tracking_number: text(),
    shipped_at: moment(),
    created_at: moment().notNull().defaultNow(),
    updated_at: moment().notNull().defaultNow(),
  },
  (t) => [
    check('shipments_address', sql`num_nulls(${t.name}, ${t.line1}, ${t.city}, ${t.country}) in (0, 4)`),
    index('shipments_to_ship')
      .on(t.created_at, t.purchase_id)
      .where(sql`${t.shipped_at} is null and ${t.is_paid}`),
    index('shipments_to_ship_by_format')
      .on(t.format, t.created_at, t.purchase_id)
      .where(sql`${t.shipped_at} is null and ${t.is_paid}`),
    index('shipments_shipped')
      .on(t.shipped_at.desc().nullsFirst(), t.purchase_id.desc().nullsFirst())
      .where(sql`${t.shipped_at} is not null`),
    index('shipments_shipped_by_format')
      .on(t.format, t.shipped_at.desc().nullsFirst(), t.purchase_id.desc().nullsFirst())
      .where(sql`${t.shipped_at} is not null`),
    index('shipments_searchable').using(
      'gin',
      sql`searchable(coalesce(${t.name}, '') || ' ' || coalesce(${t.line1}, '') || ' ' || ${t.postal_code} || ' ' || coalesce(${t.city}, '')) gin_trgm_ops`,
    ),
  ],
)

/** Each purchase on paper, paid or not, that was made while sending cost something to any country has one. */
export const shipping_charges = pgTable(
  'shipping_charges',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    country: text(),
    amount: money().notNull(),
  },
  (t) => [check('shipping_charges_amount', sql`${t.amount} >= 0`)],
)

const purchaseKey = () => uuid().references(() => purchases.id, { onDelete: 'cascade' })

/** A purchase that was begun with an address instead of an account. */
export const guest_checkouts = pgTable(
  'guest_checkouts',
  {
    purchase_id: purchaseKey().primaryKey(),
    email: text().notNull(),
    /** The limit of reservations counts by it; null after a day. */
    network: text(),
    created_at: created_at(),
  },
  (t) => [
    index('guest_checkouts_search').using('gin', sql`${t.email} gin_trgm_ops`),
    index('guest_checkouts_of_network')
      .on(t.network, t.created_at)
      .where(sql`${t.network} is not null`),
  ],
)

/** The browser that bought; the link that was mailed in a receipt; one that was made on a page; the id with which Stripe leads back. */
export const accessKinds = ['browser', 'receipt', 'link', 'return'] as const

/** Tokens that open one purchase without an account; the hash is of the token, never the token. */
export const purchase_access = pgTable(
  'purchase_access',
  {
    hash: bytes().primaryKey(),
    purchase_id: purchaseKey().notNull(),
    kind: text({ enum: accessKinds }).notNull(),
    created_at: created_at(),
    /** Null until the payment. */
    expires_at: moment(),
  },
  (t) => [
    index('purchase_access_of_purchase').on(t.purchase_id),
    index('purchase_access_expired').on(t.expires_at),
  ],
)

/**
 * Persons who had nothing at hand that proves the order made them: each counts from its time, and does nothing before a
 * proof.
 */
export const withdrawal_declarations = pgTable(
  'withdrawal_declarations',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    /** The order's number stands here where it was at hand. */
    number: integer(),
    ordered: text().notNull().default(''),
    /** The hash is that of the token in the link of its acknowledgement. */
    hash: bytes().unique(),
    /** It took effect for `purchase_id`, or the author dismissed it. */
    closed_at: moment(),
    purchase_id: uuid().references(() => purchases.id, { onDelete: 'set null' }),
    declared_at: created_at(),
  },
  (t) => [
    index('withdrawal_declarations_of_writer').on(t.email),
    index('withdrawal_declarations_open')
      .on(t.declared_at.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.closed_at} is null`),
  ],
)

// One row for each counted copy that a purchase has sold or reserved. A trigger deletes them and counts the copies back when
// the purchase is canceled, or refunded before its parcel has left.
export const taken_copies = pgTable(
  'taken_copies',
  {
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    product_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.purchase_id, t.product_id] })],
)
