// The book as the pages show it: placeholders filled in, Markdown rendered to blocks.
import { z } from 'zod'
import type { BookDocument } from './book.ts'
import type { ColorPair } from './palettes.ts'
import type { Block } from './blocks.ts'

type Kept =
  | 'product'
  | 'subtitle'
  | 'description'
  | 'language'
  | 'isbns'
  | 'cover'
  | 'rating'
  | 'refund_days'
  | 'words_title'
  | 'words'
  | 'blueprint'
  | 'claims'
  | 'contact'
  | 'closing'
  | 'packing_slip'
  | 'sections'

/** What every page has. */
export type ShownBook = Pick<BookDocument, Kept> & {
  /** What app.css lacks, and the color of the page. */
  looks: { css: string; page: ColorPair }
  title: string
  /** The title's parts around the product's name; `product` is empty where the title does not contain it. */
  title_parts: { before: string; product: string; after: string }
  author: Omit<BookDocument['author'], 'biography'> & { biography: Block[] }
  /** The beginning of the preview. */
  excerpt: { title: string; blocks: Block[] }
  preview_after: string
  invitation: { title: string; blocks: Block[] }
  text: { title: string; blocks: Block[] }
  quotes: { text: string; by: string }[]
  questions: { question: string; answer: Block[] }[]
}

/** For the preview's own page. */
const shownChapter = z.object({
  number: z.number().int().nullable(),
  title: z.string(),
  blocks: z.array(z.custom<Block>().meta({ type: 'object' })),
})

export type ShownChapter = z.output<typeof shownChapter>

export const shownChapters = z.array(shownChapter)
