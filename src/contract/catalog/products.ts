// Products for sale, as visitors see them. The stored file's path never leaves the server.
import { z } from 'zod'
import { day, id, line, money, text, timestamp, wholeCents } from '../fields.ts'
import { picture } from '../files/pictures.ts'
import { soldCounts } from '../sold-counts.ts'
import { formats, type Format } from './formats.ts'

export const fileFormats = ['epub', 'pdf', 'mobi'] as const
export const fileFormat = z.enum(fileFormats)
export type FileFormat = z.infer<typeof fileFormat>

/** Bytes of the newest file of each format. */
export const fileSizes = z.partialRecord(fileFormat, z.number().int())
export type FileSizes = z.output<typeof fileSizes>

export const mediaTypes: Record<FileFormat, string> = {
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  mobi: 'application/x-mobipocket-ebook',
}

export const format = z.enum(formats)

export const contentsLines = 8

const contents = z.array(line(120)).max(contentsLines, `Please keep this to ${contentsLines} lines.`)

/** A pre-order. `is_partial`: a bundle of which something is out already. */
export const release = z.object({ on: day, is_partial: z.boolean() })
export type Release = z.infer<typeof release>

const product = z.object({
  id,
  name: z.string(),
  description: z.string(),
  price: money,
  format,
  is_digital: z.boolean(),
  ships: z.boolean(),
  is_sold_out: z.boolean(),
  release: release.optional(),
  is_available_soon: z.literal(true).optional(),
  cover_url: z.string().nullable(),
  cover: picture.nullable(),
  parts: z.array(id),
  holds: z.array(format),
  file_formats: z.array(fileFormat),
  file_sizes: fileSizes.optional(),
  contents: z.array(z.string()),
  bonuses: z.array(z.string()),
})
export type Product = z.infer<typeof product>

export const productList = z.array(product)

/** `paid` has the provider's key. Without it `sample` completes purchases at once, `free` at 0; the last two sell nothing. */
export const saleMode = z.enum(['paid', 'sample', 'free', 'not_for_sale', 'key_missing'])
export type SaleMode = z.infer<typeof saleMode>

/** The author's choice for an own book while there is no key of the payment provider, and never was one. */
export const withoutKey = z.enum(['not_for_sale', 'free'])

export function isSelling(mode: SaleMode): boolean {
  return mode !== 'not_for_sale' && mode !== 'key_missing'
}

export function asListed(product: Product, mode: SaleMode): Product {
  if (mode === 'free') return { ...product, price: 0 }
  return isSelling(mode) ? product : { ...product, is_available_soon: true }
}

const edition = z.object({
  id,
  title: z.string(),
  file_format: fileFormat,
  file_size: z.number().int().nullable(),
  edition: z.number().int(),
  changes: z.string(),
  /** Its owners were told of it, or are being told. */
  is_announced: z.boolean(),
  findings: z.array(z.string()),
  is_lost: z.boolean(),
  created_at: timestamp,
})

export const deliveryGap = z.enum(['no_file', 'part_without_file', 'empty_bundle', 'lost_file'])
export type DeliveryGap = z.infer<typeof deliveryGap>

export const adminProduct = z.object({
  id,
  name: z.string(),
  description: z.string(),
  price: money,
  format,
  is_digital: z.boolean(),
  contents: z.array(z.string()),
  is_for_sale: z.boolean(),
  is_hidden: z.boolean(),
  archived_at: timestamp.nullable(),
  delivery_gap: deliveryGap.nullable(),
  /** What it would lack if it were out now. */
  release_gap: deliveryGap.nullable(),
  release_on: day.nullable(),
  is_released: z.boolean(),
  pending_release: release.nullable(),
  /** Readers who have ordered it, while it is not out. */
  preorders: z.number().int(),
  /** Confirmed addresses that wait for the email of the release. */
  awaited_by: z.number().int(),
  cover_url: z.string().nullable(),
  cover: picture.nullable(),
  parts: z.array(id),
  copies: z.number().int().nullable(),
  copies_reserved: z.number().int(),
  is_sold_out: z.boolean(),
  ...soldCounts.shape,
  /** Somebody has it, or has ordered it: it does not become a pre-order any more. */
  is_owned: z.boolean(),
  editions: z.array(edition),
  created_at: timestamp,
  updated_at: timestamp,
})
export type AdminProduct = z.infer<typeof adminProduct>

export const adminProducts = z.array(adminProduct)

export const digitalFollowsFormat = 'A digital product has a download, and a book on paper has none.'

type Digitality = { format: Format; is_digital?: boolean | undefined }

export function isDigitalAsFormat({ format, is_digital }: Digitality): boolean {
  return is_digital === undefined || format === 'bundle' || is_digital === (format === 'digital')
}

const upload_id = z.string().regex(/^[0-9a-f]{32}$/)

export const productFields = {
  name: line(200),
  description: text(2000).or(z.literal('')),
  price: wholeCents,
  format,
  is_digital: z.boolean(),
  contents,
}

/** A day to come makes the product a pre-order. */
export const releaseDay = z.string().min(1, 'Please choose a day.').pipe(day).nullable()

export const newProduct = z
  .strictObject({
    ...productFields,
    description: productFields.description.default(''),
    contents: productFields.contents.default([]),
    is_digital: productFields.is_digital.optional(),
    is_for_sale: z.boolean().default(true),
    release_on: releaseDay.default(null),
    /** A digital product without a finished upload is not for sale until it has a file. */
    upload_id: upload_id.optional(),
  })
  .refine(isDigitalAsFormat, { path: ['is_digital'], message: digitalFollowsFormat })
export type NewProduct = z.infer<typeof newProduct>

/**
 * Fields that are not named stay, so that two admins at different fields do not undo each other. Without a day of release a
 * pre-order is out at once.
 */
export const productChange = z
  .strictObject({ ...productFields, is_for_sale: z.boolean(), release_on: releaseDay })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Nothing to change.')
export type ProductChange = z.infer<typeof productChange>

export const archivedRequest = z.strictObject({ is_archived: z.boolean() })

export const finishedUpload = z.strictObject({ upload_id })

/** The owners of an edition read here what is new in it. */
export const changes = text(1000).or(z.literal(''))

export const newEdition = z.strictObject({
  upload_id,
  title: line(200).optional(),
  changes: changes.optional(),
})
export type NewEdition = z.infer<typeof newEdition>

/** A file with only pictures, for example, is unreadable. */
const reading = z.enum(['read', 'timed_out', 'unreadable'])

/** Compares an uploaded file with the edition on sale, before it becomes an edition. */
export const editionComparison = z.object({
  reading,
  /** Null where no edition is on sale. The files were compared where both were read. */
  reading_on_sale: reading.nullable(),
  /** Null where the file names none, or was not read. */
  title: z.string().nullable(),
  file_format: fileFormat,
  file_size: z.number().int(),
  /** 0 where the file does not say, or was not read. */
  chapters: z.number().int(),
  /** How many the page of the book lists, where it is that of the edition on sale and not of this file. */
  listed_chapters: z.number().int().nullable(),
  owners: z.number().int(),
  /** Signs that it is another book. */
  warnings: z.array(z.string()),
})
export type EditionComparison = z.infer<typeof editionComparison>

export const bundleParts = z.strictObject({ ids: z.array(id).max(50) })

export const productOrder = z.strictObject({ ids: z.array(id).min(1).max(500) })

export const lowStock = 5

const copies = z
  .number('Please enter a number.')
  .int('Whole copies only.')
  .min(0, 'This cannot be less than 0.')
  .max(1_000_000, 'This number is too large.')

export const stockChange = z.strictObject({
  copies: copies.nullable(),
  seen: copies.nullable(),
})
export type StockChange = z.infer<typeof stockChange>
