// The names of the book's fields as the form shows them, for notices about fields that may be out of sight.
import type { BookDocument } from '#contract/book/book.ts'
import type { FieldProblems } from '#contract/field-rules.ts'

export const partNames: Record<keyof BookDocument, string> = {
  title: 'Title',
  product: 'Name in the title',
  subtitle: 'Subtitle',
  description: 'Description',
  language: 'Language',
  author: 'Author',
  isbns: 'ISBNs',
  cover: 'Cover',
  rating: 'Rating',
  refund_days: 'Refund period',
  words_title: 'Title of the chapters',
  words: 'Chapters',
  words_have_own_numbers: 'Numbers of the chapters',
  blueprint: 'Blueprint',
  preview: 'Preview',
  invitation: 'Invitation',
  text: 'Your own text',
  quotes: 'Quotations',
  questions: 'Questions and answers',
  claims: 'Promises',
  contact: 'Contact',
  closing: 'Closing',
  packing_slip: 'Packing slip',
  sections: 'Order of the sections',
  looks: 'Colors',
  legal: 'Legal pages',
  texts: 'Words of pages and emails',
}

type BookChange = { name: string; was?: string; is?: string }

export function listChanges(published: BookDocument, draft: BookDocument): BookChange[] {
  const changed = keysOf(partNames).filter(
    (key) => JSON.stringify(published[key]) !== JSON.stringify(draft[key]),
  )
  return changed.map((key) => {
    const [was, is] = [published[key], draft[key]]
    if (typeof was === 'object' || typeof is === 'object') return { name: partNames[key] }
    return { name: partNames[key], was: String(was), is: String(is) }
  })
}

function keysOf<Key extends string>(record: Record<Key, string>): Key[] {
  return Object.keys(record).filter((key): key is Key => key in record)
}

const names: Record<string, string> = {
  'author.name': 'Name of the author',
  'author.email': 'Email of the author',
  'preview.chapters': 'Preview',
  'rating.source': 'Source of the rating',
  'contact.direct.title': 'Contact, title',
  'contact.speaking.title': 'Speaking, title',
  'closing.title': 'Closing, title',
  'invitation.title': 'Invitation, title',
}

const maxNamed = 3

/** `path` as problems name fields: `preview.chapters.0.title` is "Preview 1, title". */
export function fieldName(path: string): string {
  if (names[path]) return names[path]
  const [part = '', ...rest] = path.split('.')
  const known: Record<string, string> = partNames
  const place = rest.find((word) => /^\d+$/.test(word))
  const last = rest.at(-1)
  const field = last && last !== place ? `, ${last.replaceAll('_', ' ')}` : ''
  return (known[part] ?? part) + (place ? ` ${Number(place) + 1}` : '') + field
}

export function describeProblems(problems: FieldProblems): string {
  const paths = Object.keys(problems)
  const named = paths.slice(0, maxNamed).map(fieldName)
  const rest = paths.length - named.length
  return `Please correct: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}
