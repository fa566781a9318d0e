// What is for sale, as visitors see it. The stored file's path never leaves the server.
import { z } from 'zod'
import { id, line, money } from '#platform/contract/fields.ts'
import { picture } from '../../pictures/contract/pictures.ts'
import { fileFormat } from './file-formats.ts'

export const formats = ['digital', 'paperback', 'hardcover', 'bundle'] as const
export const format = z.enum(formats)
export type Format = z.infer<typeof format>

export const contentsLines = 8

/** The author's own lines about what is in a product. */
export const contents = z.array(line(120)).max(contentsLines, `Please keep this to ${contentsLines} lines.`)

const product = z.object({
  id,
  name: z.string(),
  description: z.string(),
  /** 0 where the author gives the book away. */
  price: money,
  format,
  is_digital: z.boolean(),
  /** It goes by post: paper, or a bundle with paper in it. */
  ships: z.boolean(),
  /** It goes by post, and no copy is left. */
  is_sold_out: z.boolean(),
  /** Only while the shop sells nothing. */
  is_available_soon: z.literal(true).optional(),
  /** A path on this site; null without a picture of its own. */
  cover_url: z.string().nullable(),
  cover: picture.nullable(),
  /** The products that a bundle holds. */
  parts: z.array(id),
  /** Their formats. */
  holds: z.array(format),
  /** What it can be downloaded as; empty for paper, and where the shop does not know. */
  file_formats: z.array(fileFormat),
  contents: z.array(z.string()),
  /** What a bundle with a digital part gives beyond its parts, by the titles of its own files. */
  bonuses: z.array(z.string()),
})
export type Product = z.infer<typeof product>

/** Ordered by price, lowest first. */
export const productList = z.array(product)
