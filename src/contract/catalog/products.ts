// What is for sale, as visitors see it. The stored file's path never leaves the server.
import { z } from 'zod'
import { day, id, line, money } from '../fields.ts'
import { picture } from '../files/pictures.ts'

export const fileFormats = ['epub', 'pdf', 'mobi'] as const
export const fileFormat = z.enum(fileFormats)
export type FileFormat = z.infer<typeof fileFormat>

export const mediaTypes: Record<FileFormat, string> = {
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  mobi: 'application/x-mobipocket-ebook',
}

export const formats = ['digital', 'paperback', 'hardcover', 'bundle'] as const
export const format = z.enum(formats)
export type Format = z.infer<typeof format>

export const isOnPaper = (format: Format) => format === 'paperback' || format === 'hardcover'

export const contentsLines = 8

export const contents = z.array(line(120)).max(contentsLines, `Please keep this to ${contentsLines} lines.`)

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
  contents: z.array(z.string()),
  bonuses: z.array(z.string()),
})
export type Product = z.infer<typeof product>

export const productList = z.array(product)

/** Without the payment provider's key, `sample` completes purchases at once, `free` at 0; the last two sell nothing. */
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
