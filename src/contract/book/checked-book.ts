// The document of the book with all its rules, those of the texts included: what is saved, and what is published.
import { bookFields, draftFields, draftRevision } from './book.ts'
import { changedTexts, draftTexts } from './changed-texts.ts'

export const bookDocument = bookFields.safeExtend({ texts: changedTexts })
export const bookDraft = draftFields.extend({ texts: draftTexts })

/** `revision` is that of the draft which was changed: another one's change in between is refused. */
export const savedDraft = draftRevision.extend({ document: bookDraft })
