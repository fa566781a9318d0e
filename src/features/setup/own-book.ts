// The book's document, made of what the author's file says. What it does not say is empty, and so unseen on the page.
import { isDeepStrictEqual } from 'node:util'
import { bookDraft, maxDescription, maxWords, type BookDocument } from '../book/contract/book.ts'
import { cutLine, previewOf } from '../book/preview-chapter.ts'
import { isRecord } from '../book/published-book.ts'
import type { ReadBook } from '../ebooks/contract/read-book.ts'
import { wholeSentences } from '../ebooks/sentences.ts'
import type { Picture, PictureColors } from '../pictures/contract/pictures.ts'

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
    claims: { refund: '', ships: '', pdf: '', no_pdf: '', digital: '', bonus: '' },
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

const fewSentences = 500

/** As many whole sentences as a page's opening takes, and one at least. */
function descriptionOf({ description = '' }: ReadBook): string {
  const line = description.replaceAll(/\s+/g, ' ')
  return cutLine(wholeSentences(line, fewSentences) || wholeSentences(line, maxDescription), maxDescription)
}

/** The chapters and parts; where there are none, as in a PDF, what the contents list. */
function wordsOf({ chapters, contents }: ReadBook): BookDocument['words'] {
  const own = chapters.filter(({ kind }) => kind === 'body' || kind === 'part')
  const listed = own.length > 0 ? own : contents.map(({ title }) => ({ title, kind: 'body' }))
  return listed
    .map(({ title, kind }) => {
      const entry = { word: cutLine(title, 300), line: '' }
      return kind === 'part' ? Object.assign(entry, { is_part: true }) : entry
    })
    .filter(({ word }) => word !== '')
    .slice(0, maxWords)
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
