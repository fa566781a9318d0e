// The book and its page as one document: the words of every section, the author, the promises. Drafts and published
// versions have this shape.
import { z } from 'zod'
import {
  typed,
  email as emailAddress,
  id,
  line,
  optionalLine,
  optionalText,
  text as paragraphs,
  timestamp,
} from '../fields.ts'
import { draftLooks, looks } from './looks.ts'
import { legalDocument, legalDraft } from './legal.ts'

/** A title has this where the product's name belongs. */
export const productPlaceholder = '{product}'

/** A claim has this where the refund period belongs. */
export const daysPlaceholder = '{days}'

/** The page's middle, in the order of an own book's new page. The hero comes before these sections, the closing after them. */
export const sectionNames = [
  'blueprint',
  'preview',
  'words',
  'quotes',
  'text',
  'author',
  'invitation',
  'purchase',
  'questions',
  'contact',
] as const

export type SectionName = (typeof sectionNames)[number]

/** All can be moved. These cannot be hidden: other pages and emails lead to them. */
export const permanentSections: readonly SectionName[] = ['purchase', 'contact']

/** By the keys of the catalogue; an empty text stands for the standard one. */
export const typedTexts = z.record(z.string(), typed())

/**
 * The book's form shows the fields of each object in their order here, and takes from the schema what is typed into them.
 * A draft has the same shape with hardly a rule: what is typed is saved as it is, however long or unfinished, and checked
 * when it is published.
 */
const rules = {
  draft: {
    required: typed,
    line: typed,
    text: typed,
    paragraphs: typed,
    language: typed(),
    isbn: typed(),
    date: typed(),
    email: typed(),
    source: typed(),
    number: () => z.number(),
    whole: () => z.number(),
    looks: draftLooks,
    legal: legalDraft,
    minChapters: 0,
  },
  published: {
    required: line,
    line: optionalLine,
    text: (max: number) => optionalText(max).meta({ format: 'markdown' }),
    paragraphs,
    language: line(35).refine(isLanguage, 'This must be a language tag, as en or pt-BR.'),
    isbn: optionalLine(120).refine(
      isIsbnOrEmpty,
      'This is no ISBN of 13 digits: its check digit does not fit.',
    ),
    date: optionalLine(120).refine(
      isDateOrEmpty,
      'This must be a day as 2026-03-12, a month as 2026-03, or a year.',
    ),
    email: emailAddress.meta({ format: 'email' }),
    source: line(120),
    number: between,
    whole: (least: number, most: number) => between(least, most).int('This must be a whole number.'),
    looks,
    legal: legalDocument,
    minChapters: 1,
  },
}

function between(least: number, most: number) {
  return z.number().min(least, `This must be at least ${least}.`).max(most, `This must be at most ${most}.`)
}

/** Characters; whole sentences, which come from the book's file, may be longer than what is typed. */
export const maxDescription = 1_000
/** Characters: about four lines of the hero. A description that is longer stands there by its first sentence. */
export const maxLead = 240
export const maxWords = 500
export const maxPreviewChapters = 5

type Rules = (typeof rules)['draft' | 'published']

/** A field for one more picture is also named in usedPictures and picturesOf. */
function createPicture({ line: description }: Rules) {
  const side = z.number().int().min(1)
  return z.object({ id, width: side, height: side, alt: description(300) })
}

function createSchema(rules: Rules) {
  const {
    required,
    paragraphs,
    line: short,
    text,
    language,
    isbn,
    date,
    source,
    email,
    number,
    whole,
    minChapters,
  } = rules
  const picture = createPicture(rules)
  const pages = whole(0, 20_000)
  return z.object({
    title: required(300),
    product: short(60),
    subtitle: short(300),
    description: paragraphs(maxDescription),
    /** The heading above what the hero does not show of the description. Empty: the page has a heading of its own. */
    description_title: short(120),
    language,
    author: z.object({
      name: required(300),
      /** Markdown, as every text of several lines here. */
      biography: text(4000),
      portrait: picture.nullable(),
      /** Readers write to it directly; without it the contact form is the only way. */
      email: email.nullable(),
    }),
    isbns: z.object({ digital: isbn, paperback: isbn, hardcover: isbn }),
    /** 0 where it is not known. */
    pages: z.object({ digital: pages, paperback: pages, hardcover: pages }),
    publisher: short(120),
    published_on: date,
    cover: picture.nullable(),
    looks: rules.looks,
    /** `source` says where the rating comes from. */
    rating: z.object({ stars: number(1, 5), source }).nullable(),
    /** 0: no refund without a reason is promised. */
    refund_days: whole(0, 365),
    /** Empty: the page has a heading of its own. */
    words_title: short(120),
    /** A book's contents have as many as the book; the heading of a part stands above its chapters. */
    words: z
      .array(z.object({ word: required(300), line: short(160), is_part: z.boolean().optional() }))
      .max(maxWords),
    /** Chapters carry their own numbers, or none: the page adds no others. */
    words_have_own_numbers: z.boolean(),
    blueprint: z.object({
      title: short(120),
      lead: short(400),
      text: short(1000),
      /** `takes` is the number of words that belong to a part, in their order. */
      parts: z
        .array(
          z.object({
            title: short(60),
            line: short(200),
            takes: whole(0, 12),
          }),
        )
        .max(12),
    }),
    preview: z.object({
      /** `number` is shown above the title; null for a preface. */
      chapters: z
        .array(
          z.object({
            number: whole(1, 999).nullable(),
            title: short(300),
            text: text(200_000),
          }),
        )
        .min(minChapters, 'Please choose a chapter.')
        .max(maxPreviewChapters),
      after: short(120),
    }),
    invitation: z.object({ title: short(120), text: text(4000) }),
    text: z.object({ title: short(120), text: text(20_000) }),
    /** `permission` is the author's note of who allowed the quotation, and is not shown. */
    quotes: z
      .array(
        z.object({
          text: required(1000),
          by: required(120),
          /** The place where it was printed. Quotations of version 0.1 have it in `by`. */
          source: short(120).optional(),
          permission: short(300),
        }),
      )
      .max(12),
    questions: z.array(z.object({ question: required(200), answer: text(4000) })).max(30),
    /** An empty one is hidden; each is shown only while it is true. */
    claims: z.object({
      refund: short(80),
      ships: short(80),
      pdf: short(80),
      no_pdf: short(80),
      digital: short(80),
      bonus: short(80),
    }),
    contact: z.object({
      lead: short(300),
      direct: z.object({ title: short(80), line: short(300) }),
      /** A phrase like “within 2-3 business days”; empty: no time is promised. */
      reply_time: short(60),
      speaking: z.object({
        is_shown: z.boolean(),
        title: short(80),
        line: short(300),
        subject: short(120),
      }),
    }),
    closing: z.object({ title: short(120), line: short(200) }),
    packing_slip: z.object({ thanks: short(300), questions: short(300) }),
    sections,
    legal: rules.legal,
    texts: typedTexts,
  })
}

const sections = z
  .array(z.object({ name: z.enum(sectionNames), is_shown: z.boolean() }))
  .length(sectionNames.length)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'Each section stands once.')
  .refine(
    (list) => list.every(({ name, is_shown }) => is_shown || !permanentSections.includes(name)),
    'The products and the contact form cannot be hidden.',
  )

/** Forms take their fields from it. It does not compare texts with the catalogue: `checked-book.ts`, which loads all of it, does. */
export const bookFields = createSchema(rules.published).superRefine(({ title, product }, refinement) => {
  if (title.includes(productPlaceholder) && !product)
    refinement.addIssue({
      code: 'custom',
      path: ['product'],
      message: `Please fill in what ${productPlaceholder} in the title stands for.`,
    })
})
export const draftFields = createSchema(rules.draft)

export type BookDocument = z.output<typeof bookFields>

export function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function isIsbnOrEmpty(text: string): boolean {
  const digits = text.replaceAll(/[-\s]/g, '')
  if (digits === '') return true
  if (!/^97[89]\d{10}$/.test(digits)) return false
  const sum = Array.from(digits, (digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3))
  return sum.reduce((total, each) => total + each, 0) % 10 === 0
}

export function isDateOrEmpty(text: string): boolean {
  if (text === '') return true
  const date = new Date(text)
  // February 30 is read as March 2.
  return /^\d{4}(-\d\d){0,2}$/.test(text) && !Number.isNaN(+date) && date.toISOString().startsWith(text)
}

export function fullTitle({ title, product }: Pick<BookDocument, 'title' | 'product'>): string {
  return title.replaceAll(productPlaceholder, product).trim()
}

const revision = z.number().int().min(0)
const number = z.number().int().min(1)

const version = z.object({ number, published_at: timestamp, published_by: z.string() })

/** `saved` is null where nothing was changed since the newest version was published. */
export const draftState = z.object({
  document: draftFields,
  revision,
  saved: z.object({ at: timestamp, by: z.string() }).nullable(),
  published: draftFields,
  /** Newest first. Empty while the sample is shown. */
  versions: z.array(version),
  /** The setup is begun: its last step publishes the book, and nothing else does. */
  waits_for_opening: z.boolean(),
})
export type DraftState = z.output<typeof draftState>

export const draftRevision = z.object({ revision })

export const restoredVersion = z.object({ revision, number })

export const draftPreview = z.object({ url: z.string() })

/** Warnings before publishing, none of which forbids it. */
export const draftWarnings = z.object({
  warnings: z.array(z.object({ field: z.string(), says: z.string() })),
})
export type DraftWarning = z.output<typeof draftWarnings>['warnings'][number]

const storedEbook = z.object({ id, title: z.string(), created_at: timestamp })
export type StoredEbook = z.output<typeof storedEbook>

export const storedEbooks = z.object({ ebooks: z.array(storedEbook) })

/** The preview takes it in this form; `text` is Markdown. */
const storedChapter = z.object({
  number: z.number().nullable(),
  title: z.string(),
  text: z.string(),
  kind: z.enum(['front', 'part', 'body', 'back']),
})
export type StoredChapter = z.output<typeof storedChapter>

export const storedChapters = z.object({ chapters: z.array(storedChapter) })

export const storedEbookId = z.object({ id })
