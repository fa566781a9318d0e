// The tables of products, their files, the parts of bundles, and stock.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { created_at, moment, money, oneOf } from './columns.ts'
import { excerptFormats } from '#contract/catalog/excerpt-file.ts'
import { fileFormats } from '#contract/catalog/products.ts'
import { formats } from '#contract/catalog/formats.ts'
import { pictures } from './files.ts'

export const products = pgTable(
  'products',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(''),
    price: money().notNull(),
    format: text({ enum: formats }).notNull(),
    is_digital: boolean().notNull().default(true),
    download_url: text(),
    file_path: text(),
    cover_id: uuid().references(() => pictures.id),
    position: integer(),
    is_for_sale: boolean().notNull().default(true),
    archived_at: moment(),
    /** The day, in the shop's time zone, from which it can be downloaded. Null where it always could. */
    release_on: date({ mode: 'string' }),
    /** Emails to those who had ordered it before its day were scheduled then. */
    release_queued_at: moment(),
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

export const product_files = pgTable(
  'product_files',
  {
    id: uuid().primaryKey(),
    product_id: uuid()
      .notNull()
      .references(() => products.id),
    file_path: text().notNull().unique(),
    title: text().notNull(),
    file_format: text({ enum: fileFormats }).notNull(),
    file_size: bigint({ mode: 'number' }),
    /** The number counts from 1 for each format of a product. */
    edition: integer().notNull(),
    /** The author tells its owners in these words what has changed. */
    changes: text().notNull().default(''),
    findings: jsonb().$type<string[]>().notNull().default([]),
    /** A restore went on without it; the SHA-256 is of the content that is to be put back. */
    lost_at: moment(),
    lost_sha256: text(),
    created_at: created_at(),
  },
  (t) => [
    check('product_files_format', oneOf('file_format', fileFormats)),
    index('product_files_newest').on(t.product_id, t.file_format, t.created_at.desc().nullsFirst()),
  ],
)

/** The excerpt that visitors get by email; one row at most. No product has its file. */
export const excerpt_file = pgTable(
  'excerpt_file',
  {
    id: integer().primaryKey().default(1),
    file_path: text().notNull().unique(),
    file_format: text({ enum: excerptFormats }).notNull(),
    file_size: bigint({ mode: 'number' }).notNull(),
    findings: jsonb().$type<string[]>().notNull().default([]),
    created_at: created_at(),
  },
  () => [
    check('excerpt_file_single', sql`id = 1`),
    check('excerpt_file_format', oneOf('file_format', excerptFormats)),
  ],
)

export const bundle_items = pgTable(
  'bundle_items',
  {
    bundle_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    product_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.bundle_id, t.product_id] }),
    check('bundle_items_other', sql`${t.bundle_id} <> ${t.product_id}`),
  ],
)

export const stock = pgTable(
  'stock',
  {
    product_id: uuid()
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    copies: integer().notNull(),
    updated_at: moment().notNull().defaultNow(),
  },
  (t) => [check('stock_copies', sql`${t.copies} >= 0`)],
)

/** A row for each price at which a product was for sale to the public, and how long. */
export const product_prices = pgTable(
  'product_prices',
  {
    product_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    price: money().notNull(),
    currency: text().notNull(),
    since: moment().notNull(),
    /** Null while it is for sale at this price. */
    until: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.product_id, t.since] }),
    uniqueIndex('product_prices_current')
      .on(t.product_id)
      .where(sql`${t.until} is null`),
  ],
)
