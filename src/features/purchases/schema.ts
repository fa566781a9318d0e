// The shop's tables. Names are the spec's, from column to wire to screen.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { fileFormats } from '../products/contract/file-formats.ts'
import { adjustmentKinds, purchaseStatuses } from './contract/purchases.ts'
import { formats } from '../products/contract/products.ts'
import { roles } from '../accounts/contract/accounts.ts'

const created_at = () => timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow()
const moment = () => timestamp({ withTimezone: true, mode: 'date' })
const money = () => numeric({ precision: 10, scale: 2, mode: 'number' })
const oneOf = (column: string, values: readonly string[]) =>
  sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

export const products = pgTable(
  'products',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(''),
    price: money().notNull(),
    format: text({ enum: formats }).notNull(),
    /** Follows the format; of a bundle, what it holds. */
    is_digital: boolean().notNull().default(true),
    /** A file kept elsewhere; when set, a download is sent there. */
    download_url: text(),
    /** Where the main file lies in storage. */
    file_path: text(),
    /** Where its picture lies in storage; without one the page shows none. */
    cover_path: text(),
    /** Its place on the page, lowest first; products without one follow, cheapest first. */
    position: integer(),
    /** Hidden from sale when false; what was bought before stays as it is. */
    is_for_sale: boolean().notNull().default(true),
    /** The author's own lines about what is in it. */
    contents: text().array().notNull().default([]),
    created_at: created_at(),
    updated_at: created_at(),
  },
  (t) => [
    check('products_format', oneOf('format', formats)),
    check('products_price', sql`${t.price} >= 0`),
    check('products_contents', sql`cardinality(${t.contents}) <= 8`),
    check('products_is_digital', sql`${t.format} = 'bundle' or ${t.is_digital} = (${t.format} = 'digital')`),
    index('products_price').on(t.price, t.id),
  ],
)

/** Files that were written, or are about to be, and belong to no product yet: what stays here is swept away. */
export const unsettled_files = pgTable('unsettled_files', {
  file_path: text().primaryKey(),
  created_at: created_at(),
})

/** Every file a product has or had; the newest of a format is what its owners get. */
export const product_files = pgTable(
  'product_files',
  {
    id: uuid().primaryKey(),
    product_id: uuid()
      .notNull()
      .references(() => products.id),
    file_path: text().notNull().unique(),
    /** What the saved file is called, without its extension. */
    title: text().notNull(),
    file_format: text({ enum: fileFormats }).notNull(),
    /** Bytes; null for a file that came before sizes were kept. */
    file_size: bigint({ mode: 'number' }),
    /** What the check of its content had to say, in plain words. */
    findings: jsonb().$type<string[]>().notNull().default([]),
    created_at: created_at(),
  },
  (t) => [
    check('product_files_format', oneOf('file_format', fileFormats)),
    index('product_files_newest').on(t.product_id, t.file_format, t.created_at.desc().nullsFirst()),
  ],
)

export const profiles = pgTable(
  'profiles',
  {
    user_id: uuid().primaryKey(),
    email: text().notNull(),
    display_name: text(),
    /** The role that takes precedence of all the person has; kept by a trigger on user_roles. */
    top_role: text({ enum: roles }).notNull().default('user'),
    created_at: created_at(),
  },
  (t) => [
    index('profiles_newest').on(t.created_at.desc().nullsFirst(), t.user_id.desc().nullsFirst()),
    index('profiles_by_name').on(sql`lower(coalesce(${t.display_name}, ${t.email}))`, t.user_id),
    index('profiles_by_role').on(t.top_role, t.user_id),
    index('profiles_search').using(
      'gin',
      sql`(${t.email} || ' ' || coalesce(${t.display_name}, '')) gin_trgm_ops`,
    ),
  ],
)

export const user_roles = pgTable(
  'user_roles',
  {
    user_id: uuid()
      .notNull()
      .references(() => profiles.user_id, { onDelete: 'cascade' }),
    role: text({ enum: roles }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.role] }), check('user_roles_role', oneOf('role', roles))],
)

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
    /** Dollars: the product's price at the moment of purchase. */
    amount: money().notNull(),
    /** Dollars given back of it; the sum of its adjustments, kept by their trigger. */
    refunded: money().notNull().default(0),
    status: text({ enum: purchaseStatuses }).notNull(),
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

export const downloads = pgTable(
  'downloads',
  {
    id: uuid().primaryKey(),
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id),
    /** Of a file that is kept elsewhere, its address there. */
    file_path: text().notNull(),
    created_at: created_at(),
    /** The first request for the bytes; null while the link was only handed out. */
    started_at: moment(),
    ip: text(),
    user_agent: text(),
  },
  (t) => [index('downloads_of_purchase').on(t.purchase_id, t.created_at)],
)

export const contact_messages = pgTable(
  'contact_messages',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    created_at: created_at(),
    read_at: moment(),
    /** Deleted at the desk, and still there to be brought back for a while. */
    deleted_at: moment(),
  },
  (t) => [index('contact_messages_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst())],
)

/** What became of each mail; one row a job, written when it was sent or has failed. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    recipient: text().notNull(),
    subject: text().notNull(),
    purchase_id: uuid().references(() => purchases.id),
    status: text({ enum: ['sent', 'failed'] }).notNull(),
    attempts: integer().notNull().default(1),
    error: text(),
    created_at: created_at(),
    sent_at: moment(),
    /** When it had failed to the last; null again once the author has seen to it. */
    given_up_at: moment(),
  },
  (t) => [
    index('mails_of_purchase').on(t.purchase_id),
    index('mails_given_up')
      .on(t.given_up_at.desc().nullsFirst(), t.id)
      .where(sql`${t.given_up_at} is not null`),
  ],
)

/** Fixed windows counted in the database, so that all processes share them. Made unlogged: a crash forgets them. */
export const rate_limits = pgTable('rate_limits', {
  key: text().primaryKey(),
  window_start: created_at(),
  hits: integer().notNull().default(1),
})
