// The tables of checkouts, events of Stripe, refunds, outages and withdrawals.
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { created_at, largeMoney, moment, money, oneOf } from './columns.ts'
import { products } from './catalog.ts'
import { purchases } from './orders.ts'
import { sellers } from '#contract/orders/seller.ts'
import { adjustmentKinds, decisions, waitingReasons } from '#contract/orders/purchases.ts'

const purchaseKey = () => uuid().references(() => purchases.id, { onDelete: 'cascade' })

export const checkouts = pgTable(
  'checkouts',
  {
    purchase_id: purchaseKey().primaryKey(),
    /** The first request's parameters: a retry sends the same. */
    parameters: jsonb().$type<object>(),
    /**
     * Counts from 1; stored before the provider is asked. The provider repeats a failed response under its attempt's
     * key.
     */
    attempt: integer().notNull().default(1),
    /** A retry under the same key gives the same session. */
    session_id: text().unique(),
    url: text(),
    payment_intent: text().unique(),
    is_live: boolean().notNull(),
    subtotal: money(),
    tax: money(),
    discount: money(),
    invoice_url: text(),
    /** Stripe's answer when the checkout was opened. Null before. */
    sold_by: text({ enum: sellers }),
    /** The buyer paid it, in another currency than the shop's; it is only shown. */
    presented_amount: largeMoney(),
    presented_currency: text(),
    /** The buyer gave it on Stripe's page, beside the card. */
    payer_name: text(),
    /** Nothing but the author completes it. */
    held_reason: text(),
    paid_total: money(),
    paid_currency: text(),
    dismissed_at: moment(),
    answer_by: moment(),
    disputed_at: moment(),
    dispute_status: text(),
    next_check_at: moment(),
    checks: integer().notNull().default(0),
    rebuilt_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    check('checkouts_sold_by', oneOf('sold_by', sellers)),
    index('checkouts_searchable').using('gin', sql`searchable(${t.payer_name}) gin_trgm_ops`),
    index('checkouts_rebuilt')
      .on(t.rebuilt_at.desc().nullsFirst(), t.purchase_id.desc().nullsFirst())
      .where(sql`${t.rebuilt_at} is not null`),
    index('checkouts_to_check')
      .on(t.next_check_at, t.purchase_id)
      .where(sql`${t.next_check_at} is not null`),
    index('checkouts_held')
      .on(t.created_at.desc().nullsFirst(), t.purchase_id)
      .where(sql`${t.held_reason} is not null and ${t.dismissed_at} is null`),
    index('checkouts_disputed')
      .on(t.answer_by.desc().nullsFirst(), t.purchase_id)
      .where(sql`${t.answer_by} is not null`),
  ],
)

/** Trusted for the ids in it and nothing else. A search after a restore inserts rows under ids of its own. */
export const payment_events = pgTable(
  'payment_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    session_id: text(),
    payment_intent: text(),
    purchase_id: uuid(),
    received_at: created_at(),
    handled_at: moment(),
    problem: text(),
  },
  (t) => [
    index('payment_events_open')
      .on(t.received_at, t.id)
      .where(sql`${t.handled_at} is null`),
  ],
)

// Times are those of the provider’s clock. What is read of a stretch that ends at `seen_to` lies between `oldest` and
// `newest`.
export const events_read = pgTable('events_read', {
  is_live: boolean().primaryKey(),
  seen_to: moment(),
  newest: moment(),
  oldest: moment(),
})

export const checkout_searches = pgTable('checkout_searches', {
  id: uuid().primaryKey(),
  list: text({ enum: ['checkouts', 'refunds', 'disputes'] })
    .notNull()
    .default('checkouts'),
  since: moment().notNull(),
  read_to: text(),
  finished_at: moment(),
  created_at: created_at(),
})

export const refund_requests = pgTable(
  'refund_requests',
  {
    id: uuid().primaryKey(),
    purchase_id: purchaseKey().notNull(),
    /** The amount of a held payment is in its own currency. */
    amount: money().notNull(),
    reason: text().notNull().default(''),
    is_by_buyer: boolean().notNull(),
    /** `failed`: it was made, and the money came back. */
    status: text({ enum: ['requested', 'done', 'refused', 'failed'] })
      .notNull()
      .default('requested'),
    attempt: integer().notNull().default(1),
    problem: text(),
    dismissed_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    check('refund_requests_amount', sql`${t.amount} > 0`),
    uniqueIndex('refund_requests_open')
      .on(t.purchase_id)
      .where(sql`${t.status} = 'requested'`),
    index('refund_requests_of_purchase').on(t.purchase_id, t.created_at),
    index('refund_requests_refused')
      .on(t.created_at.desc().nullsFirst(), t.id)
      .where(sql`${t.status} = 'refused' and ${t.dismissed_at} is null`),
  ],
)

/** Each once; also those made at the provider itself. */
export const failed_refunds = pgTable(
  'failed_refunds',
  {
    external_id: text().primaryKey(),
    purchase_id: purchaseKey().notNull(),
    amount: money().notNull(),
    currency: text().notNull(),
    reason: text().notNull(),
    dismissed_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    index('failed_refunds_of_purchase').on(t.purchase_id),
    index('failed_refunds_open')
      .on(t.created_at.desc().nullsFirst(), t.external_id)
      .where(sql`${t.dismissed_at} is null`),
  ],
)

export const payment_faults = pgTable('payment_faults', {
  id: text().primaryKey(),
  kind: text({ enum: ['key', 'permission', 'product', 'tax'] }).notNull(),
  about: text(),
  product_id: uuid().references(() => products.id, { onDelete: 'cascade' }),
  words: text().notNull(),
  /** It is no fault under another key until it happens again. */
  key_fingerprint: text().notNull(),
  since: created_at(),
  last_at: created_at(),
})

export const payment_outages = pgTable(
  'payment_outages',
  {
    id: uuid().primaryKey(),
    /** `denied`: the provider did not accept the shop's key. */
    reason: text({ enum: ['unavailable', 'denied'] }).notNull(),
    began_at: moment().notNull(),
    ended_at: moment(),
    dismissed_at: moment(),
  },
  (t) => [
    uniqueIndex('payment_outages_open')
      .on(sql`(${t.ended_at} is null)`)
      .where(sql`${t.ended_at} is null`),
    index('payment_outages_over')
      .on(t.ended_at.desc().nullsFirst(), t.id)
      .where(sql`${t.ended_at} is not null and ${t.dismissed_at} is null`),
  ],
)

export const payment_outage_buyers = pgTable(
  'payment_outage_buyers',
  {
    outage_id: uuid()
      .notNull()
      .references(() => payment_outages.id, { onDelete: 'cascade' }),
    /** No reference: an account that is never confirmed is deleted. Of a buyer without an account, the purchase's id. */
    user_id: uuid().notNull(),
  },
  (t) => [primaryKey({ columns: [t.outage_id, t.user_id] })],
)

/** The amount is below zero when money left. Rows are only ever added. */
export const adjustments = pgTable(
  'adjustments',
  {
    id: uuid().primaryKey(),
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    kind: text({ enum: adjustmentKinds }).notNull(),
    amount: money().notNull(),
    /** The share of Link's tax in `amount`, with its sign. */
    link_tax: money()
      .notNull()
      .default(sql`0`),
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

export const withdrawals = pgTable(
  'withdrawals',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    reason: text().notNull().default(''),
    waits_for: text({ enum: waitingReasons }),
    decision: text({ enum: decisions }),
    refusal: text(),
    decided_at: moment(),
    declared_at: created_at(),
  },
  (t) => [
    check('withdrawals_waits_for', oneOf('waits_for', waitingReasons)),
    check('withdrawals_decision', oneOf('decision', decisions)),
    check('withdrawals_decided', sql`(${t.decision} is null) = (${t.decided_at} is null)`),
    check(
      'withdrawals_refusal',
      sql`(${t.decision} is not distinct from 'refused') = (${t.refusal} is not null)`,
    ),
    index('withdrawals_waiting')
      .on(t.declared_at.desc().nullsFirst(), t.purchase_id)
      .where(sql`${t.decided_at} is null`),
  ],
)
