// The book's document, made of what the author's file says. Promises and claims that nobody has made are left out of it.
import { isDeepStrictEqual } from 'node:util'
import type { BookDocument } from '../book/contract/book.ts'
import { cutLine, previewOf } from '../book/preview-chapter.ts'
import type { ReadBook } from '../ebooks/contract/read-book.ts'
import type { Picture } from '../pictures/contract/pictures.ts'

const maxWords = 12

/** `defaults` has the words that fit any book. */
export function createOwnBook(
  defaults: BookDocument,
  book: ReadBook,
  cover: Picture | undefined,
): BookDocument {
  const title = cutLine(book.title ?? '', 200)
  const first = book.firstChapter === null ? undefined : book.chapters[book.firstChapter]
  const isbn = book.isbn?.length === 13 ? book.isbn : ''
  return {
    ...defaults,
    title,
    product: '',
    subtitle: cutLine(book.subtitle ?? '', 200),
    description: cutLine(book.description ?? '', 500),
    language: book.language ?? defaults.language,
    author: { name: cutLine(book.authors.join(', '), 100), biography: '', portrait: null, email: null },
    isbns: { digital: isbn, paperback: '', hardcover: '' },
    // Without a description it is called the cover of the title, also of another one.
    cover: cover ? { ...cover, alt: '' } : null,
    rating: null,
    refund_days: 0,
    claims: { ...defaults.claims, digital: '' },
    words_title: 'In this book',
    words: wordsOf(book),
    blueprint: { title: 'How this book is built', lead: '', text: '', parts: [] },
    preview: { chapters: first ? [previewOf(first)] : [], after: '' },
    invitation: {
      title: 'A personal invitation',
      text: 'Begin at the first page, or wherever the book falls open. Come as you are, and stay as long as you like.',
    },
    quotes: [],
    questions: [],
    contact: {
      lead: 'A question about the book, a correction, a story of your own: write to us.',
      direct: { ...defaults.contact.direct, line: 'The form goes straight to the author.' },
      speaking: { ...defaults.contact.speaking, is_shown: false, line: '' },
    },
    packing_slip: {
      thanks: 'Thank you for your order.',
      questions: 'Is something not right with your order? Please write to us.',
    },
    closing: { title: 'Begin tonight', line: 'The first page is waiting.' },
    sections: defaults.sections.map((section) =>
      section.name === 'blueprint' ? { ...section, is_shown: false } : section,
    ),
  }
}

/** The titles of the chapters; where there are few, the contents have more. */
function wordsOf({ chapters, contents }: ReadBook): BookDocument['words'] {
  const bodies = chapters.flatMap(({ kind, title }) => (kind === 'body' && title ? [title] : []))
  const entries = contents.map(({ title }) => title)
  return (bodies.length >= 3 ? bodies : entries)
    .map((title) => ({ word: cutLine(title, 40), line: '' }))
    .filter(({ word }) => word !== '')
    .slice(0, maxWords)
}

/** What the author has changed since `before` stays; the rest becomes as `next` has it. */
export function mergeBooks(draft: BookDocument, before: BookDocument, next: BookDocument): BookDocument {
  const untouched = Object.entries(next).filter(([key]) =>
    isDeepStrictEqual(Reflect.get(draft, key), Reflect.get(before, key)),
  )
  return { ...draft, ...Object.fromEntries(untouched) }
}
