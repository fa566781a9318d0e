// The book's document, made of what the author's file says. Promises and claims that nobody has made are left out of it.
import { isDeepStrictEqual } from 'node:util'
import { maxDescription, maxWords, type BookDocument } from '../book/contract/book.ts'
import { cutLine, previewOf } from '../book/preview-chapter.ts'
import type { ReadBook } from '../ebooks/contract/read-book.ts'
import { wholeSentences } from '../ebooks/sentences.ts'
import type { Picture } from '../pictures/contract/pictures.ts'

/** `defaults` has the words that fit any book. */
export function createOwnBook(
  defaults: BookDocument,
  book: ReadBook,
  cover: Picture | undefined,
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
    cover: cover ? { ...cover, alt: '' } : null,
    rating: null,
    refund_days: 0,
    claims: { ...defaults.claims, digital: '' },
    words_title: 'In this book',
    words: wordsOf(book),
    words_have_own_numbers: true,
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
    .map(({ title, kind }) => ({
      word: cutLine(title, 300),
      line: '',
      ...(kind === 'part' && { is_part: true }),
    }))
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
