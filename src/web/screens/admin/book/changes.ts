import type { BookDocument } from '#contract/book/book.ts'

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

export type BookChange = { name: string; was?: string; is?: string }

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
