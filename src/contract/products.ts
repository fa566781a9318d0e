// What is for sale, as visitors see it. The stored file's path never leaves the server.
import { z } from 'zod'
import { dollars, id } from './fields.ts'

export const formats = ['digital', 'paperback', 'hardcover', 'bundle'] as const
export const format = z.enum(formats)
export type Format = z.infer<typeof format>

const product = z.object({
  id,
  name: z.string(),
  description: z.string(),
  price: dollars,
  format,
  is_digital: z.boolean(),
  /** It goes by post: paper, or a bundle with paper in it. */
  ships: z.boolean(),
  /** A path on this site; null without a picture of its own. */
  cover_url: z.string().nullable(),
  /** The products that a bundle holds. */
  parts: z.array(id),
  /** Their formats. */
  holds: z.array(format),
})
export type Product = z.infer<typeof product>

/** Ordered by price, lowest first. */
export const productList = z.array(product)
