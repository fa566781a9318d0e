// The book as the pages show it: placeholders filled in, Markdown rendered to blocks.
import { z } from 'zod'
import type { BookDocument } from './book.ts'
import type { ColorPair } from './palettes.ts'
import { legalPageName, type LegalPageName } from './legal.ts'
import type { Block } from './long-text.ts'

type ShownField =
  | 'product'
  | 'subtitle'
  | 'description'
  | 'description_title'
  | 'language'
  | 'isbns'
  | 'pages'
  | 'publisher'
  | 'published_on'
  | 'cover'
  | 'rating'
  | 'refund_days'
  | 'words_title'
  | 'words_have_own_numbers'
  | 'blueprint'
  | 'claims'
  | 'contact'
  | 'closing'
  | 'sections'

/** Lengths are in units of a page of 2200 × 3400. */
export type DrawnCover = {
  shapes: { d: string; fill: string; stroke?: string }[]
  /** The words that carry the title stand large, what follows them smaller. */
  large: string
  small: string
  subtitle: string
  author: string
  /** Places in the list of letter sizes. */
  sizes: Record<'large' | 'small' | 'subtitle' | 'author', number>
}

type CoverFiles = {
  /** 1200 × 630 pixels. */
  social: string
  /** Null where the tab shows the sample's mark. */
  tab: string | null
  apple: string
  icon_192: string
  icon_512: string
  /** A phone cuts its own shape out of this: 512 pixels, with nothing at the edges that would be missed. */
  maskable: string
}

export type ShownBook = Pick<BookDocument, ShownField> & {
  /** The cover's shape and the colors of public pages, which look.css lacks; and the color of the page. */
  looks: { css: string; colors_css: string; page: ColorPair }
  /** Null where there is a picture of the cover, also of the sample's. */
  drawn_cover: DrawnCover | null
  cover_files: CoverFiles
  /** The hero of the sample has no subtitle. */
  is_sample: boolean
  title: string
  /** `chapter` is its place in the preview, where that has it. */
  words: (BookDocument['words'][number] & { chapter?: number })[]
  /** The beginning of the description: all of it, or its first sentence. */
  lead: string
  /** The title's parts around the product's name; `product` is empty where the title does not contain it. */
  title_parts: { before: string; product: string; after: string }
  author: Omit<BookDocument['author'], 'biography'> & { biography: Block[] }
  excerpt: { title: string; blocks: Block[] }
  preview_after: string
  invitation: { title: string; blocks: Block[] }
  text: { title: string; blocks: Block[] }
  quotes: { text: string; by: string }[]
  questions: { question: string; answer: Block[] }[]
  legal: {
    /** The pages that there are, in order. */
    pages: { name: LegalPageName; title: string }[]
    /** What buyers of digital content agree to, null where they are not asked. */
    consent: string | null
    /** The seller’s postal address in one line, null where no page shows it. */
    returns_to: string | null
    /** The terms say that who withdraws bears the cost of sending the book back. */
    says_return_cost: boolean
  }
}

/** What the legal pages say of a book that is sent back. */
export type ReturnTerms = Pick<ShownBook['legal'], 'returns_to' | 'says_return_cost'>

/** What the author is told about a section that is still empty; visitors are shown none. */
export type MissingSection = { name: 'author' | 'quotes'; text: string }

const blocks = z.array(z.custom<Block>().meta({ type: 'object' }))

const shownChapter = z.object({
  number: z.number().int().nullable(),
  title: z.string(),
  blocks,
})

export type ShownChapter = z.output<typeof shownChapter>

export const shownChapters = z.array(shownChapter)

const shownLegalPage = z.object({ name: legalPageName, title: z.string(), blocks })

export type ShownLegalPage = z.output<typeof shownLegalPage>

export const shownLegalPages = z.array(shownLegalPage)
