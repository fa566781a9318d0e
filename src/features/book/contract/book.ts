// The book and its page as one document: the words of every section, the author, the promises. Drafts and published
// versions have this shape.
import { z } from 'zod'
import { draftLooks, looks } from './looks.ts'
import { email as emailAddress, id, line, optionalLine, optionalText } from '#platform/contract/fields.ts'
import { legalDocument, legalDraft } from './legal.ts'

/** What the title says where the product's name belongs. */
export const productPlaceholder = '{product}'

/** What a claim says where the refund period belongs. */
export const daysPlaceholder = '{days}'

/** Of the pictures: a place for one more is also named in sweepPictures and picturesOf. */
const picture = z.object({
  id,
  width: z.number().int().min(1),
  height: z.number().int().min(1),
  alt: optionalLine(300),
})

/** Of the page's middle. The hero comes before them, the closing after them. */
export const sectionNames = [
  'blueprint',
  'preview',
  'words',
  'invitation',
  'text',
  'quotes',
  'questions',
  'purchase',
  'contact',
] as const

export type SectionName = (typeof sectionNames)[number]

/** These can be hidden and moved; the others stay in the order above. */
export const optionalSections: readonly SectionName[] = ['blueprint', 'text', 'quotes', 'questions']

/** A draft has the same shape with fewer rules, so that nothing typed is lost because it is not finished. */
const rules = {
  draft: {
    required: optionalLine,
    language: optionalLine(35),
    isbn: optionalLine(20),
    source: optionalLine(120),
    email: optionalLine(254),
    looks: draftLooks,
    least: { words: 0, chapters: 0 },
    legal: legalDraft,
  },
  published: {
    required: line,
    language: line(35).refine(isLanguage, 'This must be a language tag, as en or pt-BR.'),
    isbn: optionalLine(20).refine(
      isIsbnOrEmpty,
      'This is no ISBN of 13 digits: its check digit does not fit.',
    ),
    source: line(120),
    email: emailAddress,
    looks,
    least: { words: 3, chapters: 1 },
    legal: legalDocument,
  },
}

function createSchema({
  required,
  language,
  isbn,
  source,
  email,
  looks: someLooks,
  least,
  legal,
}: (typeof rules)['draft' | 'published']) {
  return z.object({
    /** May contain `{product}`. */
    title: required(200),
    product: optionalLine(60),
    subtitle: optionalLine(200),
    description: required(500),
    language,
    author: z.object({
      name: required(100),
      /** Markdown, as every text of several lines here. */
      biography: optionalText(4000),
      portrait: picture.nullable(),
      /** Where readers can write directly; without it the contact form is the only way. */
      email: email.nullable(),
    }),
    isbns: z.object({ digital: isbn, paperback: isbn, hardcover: isbn }),
    cover: picture.nullable(),
    looks: someLooks,
    /** `source` says where the rating comes from. */
    rating: z.object({ stars: z.number().min(1).max(5).multipleOf(0.1), source }).nullable(),
    /** 0: no refund without a reason is promised. */
    refund_days: z.number().int().min(0).max(365),
    words_title: required(120),
    words: z
      .array(z.object({ word: required(40), line: optionalLine(160) }))
      .min(least.words, 'Please give at least three.')
      .max(12),
    blueprint: z.object({
      title: required(120),
      lead: optionalLine(400),
      text: optionalLine(1000),
      /** `takes` is the number of words that belong to a part, in their order. */
      parts: z
        .array(
          z.object({
            takes: z.number().int().min(0).max(12),
            title: optionalLine(60),
            line: optionalLine(200),
          }),
        )
        .max(12),
    }),
    preview: z.object({
      /** `number` is shown above the title; null for a preface. */
      chapters: z
        .array(
          z.object({
            number: z.number().int().min(1).max(999).nullable(),
            title: required(200),
            text: optionalText(200_000),
          }),
        )
        .min(least.chapters, 'Please choose a chapter.')
        .max(5),
      after: optionalLine(120),
    }),
    invitation: z.object({ title: required(120), text: optionalText(4000) }),
    text: z.object({ title: optionalLine(120), text: optionalText(20_000) }),
    /** `permission` is the author's note of who allowed the quotation, and is not shown. */
    quotes: z
      .array(z.object({ text: required(1000), by: required(120), permission: optionalLine(300) }))
      .max(12),
    questions: z.array(z.object({ question: required(200), answer: optionalText(4000) })).max(30),
    /** An empty one is hidden; each is shown only while it is true. */
    claims: z.object({
      refund: optionalLine(80),
      ships: optionalLine(80),
      pdf: optionalLine(80),
      no_pdf: optionalLine(80),
      digital: optionalLine(80),
      bonus: optionalLine(80),
    }),
    contact: z.object({
      lead: optionalLine(300),
      direct: z.object({ title: required(80), line: optionalLine(300) }),
      speaking: z.object({
        is_shown: z.boolean(),
        title: required(80),
        line: optionalLine(300),
        subject: optionalLine(120),
      }),
    }),
    closing: z.object({ title: required(120), line: optionalLine(200) }),
    packing_slip: z.object({ thanks: optionalLine(300), questions: optionalLine(300) }),
    sections,
    legal,
  })
}

const sections = z
  .array(z.object({ name: z.enum(sectionNames), is_shown: z.boolean() }))
  .length(sectionNames.length)
  .refine((list) => hasFixedOrder(list.map(({ name }) => name)), 'Only the optional sections can be moved.')
  .refine(
    (list) => list.every(({ name, is_shown }) => is_shown || optionalSections.includes(name)),
    'Only the optional sections can be hidden.',
  )

/** Each section once, and those that are not optional in their order. */
function hasFixedOrder(names: readonly SectionName[]): boolean {
  const isFixed = (name: SectionName) => !optionalSections.includes(name)
  const isOnce = new Set(names).size === names.length
  return isOnce && names.filter(isFixed).join() === sectionNames.filter(isFixed).join()
}

export const bookDocument = createSchema(rules.published)
export const bookDraft = createSchema(rules.draft)

export type BookDocument = z.output<typeof bookDocument>

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** With or without hyphens and spaces. */
function isIsbnOrEmpty(text: string): boolean {
  const digits = text.replaceAll(/[-\s]/g, '')
  if (digits === '') return true
  if (!/^97[89]\d{10}$/.test(digits)) return false
  const sum = Array.from(digits, (digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3))
  return sum.reduce((total, each) => total + each, 0) % 10 === 0
}

export function fullTitle({ title, product }: Pick<BookDocument, 'title' | 'product'>): string {
  return title.replaceAll(productPlaceholder, product).trim()
}
