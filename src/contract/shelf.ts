// The products as the author sees them: everything that is, was or will be for sale.
import { z } from 'zod'
import { dollars, id, line, text, timestamp, wholeCents } from './fields.ts'
import { format } from './products.ts'
import { fileFormat } from './purchases.ts'

const edition = z.object({
  id,
  file_format: fileFormat,
  /** Bytes; null for one that came before sizes were kept. */
  file_size: z.number().int().nullable(),
  findings: z.array(z.string()),
  created_at: timestamp,
})

export const shelfProduct = z.object({
  id,
  name: z.string(),
  description: z.string(),
  price: dollars,
  format,
  is_digital: z.boolean(),
  is_for_sale: z.boolean(),
  cover_url: z.string().nullable(),
  parts: z.array(id),
  /** How often it was bought. */
  sold: z.number().int(),
  /** Newest first; the newest of each format is what owners get. */
  editions: z.array(edition),
  created_at: timestamp,
  updated_at: timestamp,
})
export type ShelfProduct = z.infer<typeof shelfProduct>

/** In the order of the page. */
export const shelf = z.array(shelfProduct)

const upload_id = z.string().regex(/^[0-9a-f]{32}$/)

const fields = {
  name: line(200),
  description: text(2000).or(z.literal('')),
  price: wholeCents,
  format,
  is_digital: z.boolean(),
}

export const newProduct = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  is_digital: fields.is_digital.default(true),
  /** Of a finished upload; a thing on paper needs none. */
  upload_id: upload_id.optional(),
})
export type NewProduct = z.infer<typeof newProduct>

/** Only what is named is changed, so that two admins at different fields do not undo each other. */
export const productChange = z
  .strictObject({ ...fields, is_for_sale: z.boolean() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Nothing to change.')
export type ProductChange = z.infer<typeof productChange>

export const finishedUpload = z.strictObject({ upload_id })

export const bundleParts = z.strictObject({ ids: z.array(id).max(50) })

/** Every product, once. */
export const shelfOrder = z.strictObject({ ids: z.array(id).min(1).max(500) })
