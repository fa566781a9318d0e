// The book's document, made of what the author's file says. What it does not say is empty, and so unseen on the page.
import { isDeepStrictEqual } from 'node:util'
import {
  bookDraft,
  daysPlaceholder,
  maxDescription,
  maxWords,
  type BookDocument,
} from '#contract/book/book.ts'
import { cutLine, previewOf } from '#domains/book/preview-chapter.ts'
import { isRecord } from '#domains/book/published-book.ts'
import type { ReadBook } from '#contract/files/read-book.ts'
import { wholeSentences } from '#domains/files/sentences.ts'
import type { Picture, PictureColors } from '#contract/files/pictures.ts'

/** `defaults` has the looks without a cover, the language and the templates of the legal pages. */
export function createOwnBook(
  defaults: BookDocument,
  book: ReadBook,
  added: (Picture & { colors?: PictureColors | undefined }) | undefined,
): BookDocument {
  const title = cutLine(book.title ?? '', 300)
  const first = book.firstChapter === null ? undefined : book.chapters[book.firstChapter]
  const isbn = book.isbn?.length === 13 ? book.isbn : ''
  return {
    ...defaults,
    title,
    product: '',
    subtitle: cutLine(book.subtitle ?? '', 300),
    description: descriptionOf(book),
    language: book.language ?? defaults.language,
    author: { name: cutLine(book.authors.join(', '), 300), biography: '', portrait: null, email: null },
    isbns: { digital: isbn, paperback: '', hardcover: '' },
    // Without a description it is called the cover of the title, also of another one.
    cover: added ? { id: added.id, width: added.width, height: added.height, alt: '' } : null,
    looks: added?.colors
      ? { ...defaults.looks, cover_colors: added.colors, uses_cover_colors: true }
      : defaults.looks,
    rating: null,
    refund_days: 0,
    claims: { digital: '', bonus: '', ...linesIn(book.language ?? defaults.language) },
    words_title: '',
    words: wordsOf(book),
    words_have_own_numbers: true,
    blueprint: { title: '', lead: '', text: '', parts: [] },
    preview: { chapters: first ? [previewOf(first)] : [], after: '' },
    invitation: { title: '', text: '' },
    text: { title: '', text: '' },
    quotes: [],
    questions: [],
    contact: {
      lead: '',
      direct: { title: '', line: '' },
      speaking: { is_shown: false, title: '', line: '', subject: '' },
      reply_time: '',
    },
    packing_slip: { thanks: '', questions: '' },
    closing: { title: '', line: '' },
    sections: defaults.sections.map(({ name }) => ({ name, is_shown: true })),
  }
}

type Lines = Omit<BookDocument['claims'], 'digital' | 'bonus'>

/** What the page can promise of every shop. It shows each line only while it is true, and the author may change it. */
const english: Lines = {
  refund: `${daysPlaceholder}-day money-back guarantee`,
  ships: 'Free shipping for books on paper',
  pdf: 'Instant download, also as a PDF',
  no_pdf: 'Instant download',
}

const lines: Record<string, Lines> = {
  de: {
    refund: `${daysPlaceholder} Tage Geld-zurück-Garantie`,
    ships: 'Kostenloser Versand gedruckter Bücher',
    pdf: 'Sofort-Download, auch als PDF',
    no_pdf: 'Sofort-Download',
  },
  pl: {
    refund: `Zwrot pieniędzy przez ${daysPlaceholder} dni`,
    ships: 'Darmowa wysyłka książek drukowanych',
    pdf: 'Pobieranie od razu, także jako PDF',
    no_pdf: 'Pobieranie od razu',
  },
  ja: {
    refund: `${daysPlaceholder}日間の返金保証`,
    ships: '印刷版は送料無料',
    pdf: 'すぐにダウンロード（PDF付き）',
    no_pdf: 'すぐにダウンロード',
  },
}

const linesIn = (language: string) => lines[language.split('-', 1)[0] ?? ''] ?? english

const fewSentences = 500

/** As many whole sentences as a page's opening takes, and one at least. */
function descriptionOf({ description = '' }: ReadBook): string {
  const line = description.replaceAll(/\s+/g, ' ')
  return cutLine(wholeSentences(line, fewSentences) || wholeSentences(line, maxDescription), maxDescription)
}

/** The chapters and parts; where there are none, as in a PDF, what the contents list, without sections. */
function wordsOf({ chapters, contents }: ReadBook): BookDocument['words'] {
  const own = chapters.filter(({ kind }) => kind === 'body' || kind === 'part')
  const listed = own.length > 0 ? own : upperLevels(contents).map(({ title }) => ({ title, kind: 'body' }))
  return listed
    .map(({ title, kind }) => {
      const entry = { word: cutLine(title, 300), line: '' }
      return kind === 'part' ? Object.assign(entry, { is_part: true }) : entry
    })
    .filter(({ word }) => word !== '')
    .slice(0, maxWords)
}

const fewEntries = 3

/** Down to the level that names several: above it may stand the book, or its parts. */
function upperLevels(contents: ReadBook['contents']): ReadBook['contents'] {
  const depths = [...new Set(contents.map(({ depth }) => depth))].toSorted((a, b) => a - b)
  const upTo = (limit: number) => contents.filter(({ depth }) => depth <= limit)
  const level = depths.find((depth) => upTo(depth).length >= fewEntries)
  return level === undefined ? contents : upTo(level)
}

/**
 * What the author has changed since `before` stays; the rest becomes as `next` has it. Objects are compared field by
 * field, lists and pictures as a whole.
 */
export function mergeBooks(draft: BookDocument, before: BookDocument, next: BookDocument): BookDocument {
  return bookDraft.parse(merge(draft, before, next))
}

function merge(draft: unknown, before: unknown, next: unknown): unknown {
  if (isDeepStrictEqual(draft, before)) return next
  if (!isRecord(draft) || !isRecord(before) || !isRecord(next) || 'id' in draft) return draft
  const keys = Object.keys({ ...draft, ...next })
  return Object.fromEntries(keys.map((key) => [key, merge(draft[key], before[key], next[key])]))
}
