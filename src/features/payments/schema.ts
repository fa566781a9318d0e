// Tables of the payments: checkouts, events of the provider, refunds, faults of the account.
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
import { created_at, moment, money } from '#platform/db/columns.ts'
import { products } from '../products/schema.ts'
import { purchases } from '../purchases/schema.ts'

const purchaseKey = () => uuid().references(() => purchases.id, { onDelete: 'cascade' })

/** One for each purchase that is paid through the provider. */
export const checkouts = pgTable(
  'checkouts',
  {
    purchase_id: purchaseKey().primaryKey(),
    /** What the provider was asked for at first; asked again, it is for the same, whatever has changed meanwhile. */
    asked: jsonb().$type<object>(),
    /** Counts from 1; stored before the provider is asked. The provider repeats a failed response under its attempt's key. */
    attempt: integer().notNull().default(1),
    /** Null until the provider has responded; a retry under the same key gives the same session. */
    session_id: text().unique(),
    url: text(),
    payment_intent: text().unique(),
    is_live: boolean().notNull(),
    /** Before discount and tax: the price that the page said. Null until it is paid. */
    subtotal: money(),
    /** Part of the purchase's amount. */
    tax: money(),
    /** Taken off by a promotion code. */
    discount: money(),
    invoice_url: text(),
    /** Why the author has to look at it: nothing completes it by itself. */
    held_reason: text(),
    /** What was paid where the payment does not fit, in its own currency. */
    paid_total: money(),
    paid_currency: text(),
    /** The author has dealt with what was held: it is not asked about again. */
    dismissed_at: moment(),
    /** Until when the author may answer the buyer's bank; null when it asks nothing. */
    answer_by: moment(),
    /** When the buyer's bank opened its newest dispute or inquiry, and what Stripe calls its state; null without one. */
    disputed_at: moment(),
    dispute_status: text(),
    /** When the reconciler asks next; null when there is nothing left to ask. */
    next_check_at: moment(),
    checks: integer().notNull().default(0),
    /** When the purchase was made again, after a restore from a backup that does not have it. */
    rebuilt_at: moment(),
    created_at: created_at(),
  },
  (t) => [
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

/**
 * Every event the provider has sent, once: trusted for the ids in it and for nothing else. Also what a search after a
 * restore has found, under an id that is none of the provider's events'.
 */
export const payment_events = pgTable(
  'payment_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    session_id: text(),
    payment_intent: text(),
    /** Where the event's object names one; it may be another shop's. */
    purchase_id: uuid(),
    received_at: created_at(),
    /** Null until what it tells of was looked up and settled. */
    handled_at: moment(),
    /** Why the author has to look at it: nothing is tried by itself. */
    problem: text(),
  },
  (t) => [
    index('payment_events_open')
      .on(t.received_at, t.id)
      .where(sql`${t.handled_at} is null`),
  ],
)

/**
 * How far the provider's own list of events was read, by its clock; live and test events are two lists. It is read from
 * its new end, in stretches: between `oldest` and `newest` lies what is read of one that has not reached `seen_to` yet.
 */
export const events_read = pgTable('events_read', {
  is_live: boolean().primaryKey(),
  /** All up to here are read. */
  seen_to: moment(),
  newest: moment(),
  oldest: moment(),
})

/**
 * For each restore and each list of the provider's: how far it was read, from its newest end back to before the backup.
 */
export const checkout_searches = pgTable('checkout_searches', {
  id: uuid().primaryKey(),
  list: text({ enum: ['checkouts', 'refunds', 'disputes'] })
    .notNull()
    .default('checkouts'),
  /** By the provider's clock: what was made before is in the backup. */
  since: moment().notNull(),
  /** The id of what was read last. */
  read_to: text(),
  finished_at: moment(),
  created_at: created_at(),
})

/** Asked for, before the provider is: one at a time for a purchase. */
export const refund_requests = pgTable(
  'refund_requests',
  {
    id: uuid().primaryKey(),
    purchase_id: purchaseKey().notNull(),
    /** Of a held payment, in its own currency. */
    amount: money().notNull(),
    /** What the buyer or the author said about it. */
    reason: text().notNull().default(''),
    is_by_buyer: boolean().notNull(),
    /** `failed`: it was made, and the money came back. */
    status: text({ enum: ['asked', 'done', 'refused', 'failed'] })
      .notNull()
      .default('asked'),
    /** As in `checkouts`. */
    attempt: integer().notNull().default(1),
    /** Why no money went back, in the provider's words when it has refused. */
    problem: text(),
    /** The author has seen that it was refused. */
    dismissed_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    check('refund_requests_amount', sql`${t.amount} > 0`),
    uniqueIndex('refund_requests_open')
      .on(t.purchase_id)
      .where(sql`${t.status} = 'asked'`),
    index('refund_requests_of_purchase').on(t.purchase_id, t.created_at),
    index('refund_requests_refused')
      .on(t.created_at.desc().nullsFirst(), t.id)
      .where(sql`${t.status} = 'refused' and ${t.dismissed_at} is null`),
  ],
)

/** Refunds whose money came back, each once; also those that were made at the provider itself. */
export const failed_refunds = pgTable(
  'failed_refunds',
  {
    external_id: text().primaryKey(),
    purchase_id: purchaseKey().notNull(),
    amount: money().notNull(),
    currency: text().notNull(),
    reason: text().notNull(),
    /** The author has seen to it. */
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

/** What the provider does not do for this account or its settings, until it does. */
export const payment_faults = pgTable('payment_faults', {
  /** One for each thing that may be at fault, so that many tell of it once. */
  id: text().primaryKey(),
  kind: text({ enum: ['key', 'permission', 'product', 'tax'] }).notNull(),
  /** The call that is not permitted. */
  about: text(),
  product_id: uuid().references(() => products.id, { onDelete: 'cascade' }),
  /** The provider's own. */
  words: text().notNull(),
  /** Of the key that it was with: with another key it is no fault until it happens again. */
  key_fingerprint: text().notNull(),
  since: created_at(),
  /** When it happened last. */
  last_at: created_at(),
})

/** A stretch of time in which nobody could begin a payment; ended by the next checkout that opens. */
export const payment_outages = pgTable(
  'payment_outages',
  {
    id: uuid().primaryKey(),
    /** `denied`: the provider has responded, and did not accept the shop's key. */
    reason: text({ enum: ['unavailable', 'denied'] }).notNull(),
    began_at: moment().notNull(),
    ended_at: moment(),
    /** The author has seen it. */
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

/** Who could not pay then, each once. */
export const payment_outage_buyers = pgTable(
  'payment_outage_buyers',
  {
    outage_id: uuid()
      .notNull()
      .references(() => payment_outages.id, { onDelete: 'cascade' }),
    /** No reference: an account that is never confirmed is deleted. */
    user_id: uuid().notNull(),
  },
  (t) => [primaryKey({ columns: [t.outage_id, t.user_id] })],
)
