// The sections that an author is asked for and that have no content yet: the preview of the draft shows where they will stand.
import type { BookDocument } from '#contract/book/book.ts'
import type { MissingSection } from '#contract/book/shown-book.ts'
import { hasContent, isSectionShown } from './show-book.ts'

const askedFor: readonly MissingSection[] = [
  {
    name: 'author',
    text: 'Your picture and two sentences about you will stand here. Until then, visitors see nothing.',
  },
  {
    name: 'quotes',
    text: 'Sentences that others have said about the book will stand here; the first short one, under the price at the top. Until then, visitors see nothing.',
  },
]

export const missingSections = (document: BookDocument): MissingSection[] =>
  askedFor.filter(({ name }) => isSectionShown(document, name) && !hasContent(name, document))
