// Products, their files, and what bundles hold.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { created_at, moment, money, oneOf } from '#platform/db/columns.ts'
import { fileFormats } from './contract/file-formats.ts'
import { formats } from './contract/products.ts'
import { pictures } from '../pictures/schema.ts'

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
    /** A file stored elsewhere; when set, a download is sent there. */
    download_url: text(),
    /** Where the main file lies in storage. */
    file_path: text(),
    /** Its picture; without one the page shows the book's cover. */
    cover_id: uuid().references(() => pictures.id),
    /** Of an older version: a file that becomes a picture at the next start. */
    cover_path: text(),
    /** Its place on the page, lowest first; products without one follow, cheapest first. */
    position: integer(),
    /** Hidden from sale when false; what was bought before stays as it is. */
    is_for_sale: boolean().notNull().default(true),
    /** Out of the author's way, and hidden from sale; its owners keep it. */
    archived_at: moment(),
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
    /** Bytes; null for a file that came before sizes were stored. */
    file_size: bigint({ mode: 'number' }),
    /** What the check of its content had to say, in plain words. */
    findings: jsonb().$type<string[]>().notNull().default([]),
    /** A restore went on without it: since when, and the SHA-256 of the content that is to be put back. */
    lost_at: moment(),
    lost_sha256: text(),
    created_at: created_at(),
  },
  (t) => [
    check('product_files_format', oneOf('file_format', fileFormats)),
    index('product_files_newest').on(t.product_id, t.file_format, t.created_at.desc().nullsFirst()),
  ],
)

/** What a bundle holds: its buyer has bought each part. */
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
