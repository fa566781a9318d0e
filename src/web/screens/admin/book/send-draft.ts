import type { FieldProblems } from '#contract/field-problems.ts'
import { bookDocument, bookDraft, type BookDocument } from '#contract/book/book.ts'
import type { DraftState } from '#contract/book/drafts.ts'
import { ProblemError } from '../../../api.ts'
import { siteTexts } from '#words/site.ts'
import { checkFields } from '../../../check-fields.ts'
import { isOffline } from '../../../copy.ts'
import { toast } from '../../../toasts.tsx'
import { readDraft, saveDraft } from './calls.ts'
import { describeProblems } from './field-names.ts'

export type Unsaved =
  /** Retried automatically. */
  | { kind: 'failed'; says: string }
  /** Retried once something else is typed. */
  | { kind: 'refused'; says: string }
  | { kind: 'conflict'; says: string }

export type Sent = { kind: 'saved'; state: DraftState } | Unsaved

export async function sendDraft(revision: number, document: BookDocument): Promise<Sent> {
  try {
    return { kind: 'saved', state: await saveDraft(revision, document) }
  } catch (error) {
    if (isOffline(error)) return { kind: 'failed', says: siteTexts.offline }
    if (!(error instanceof ProblemError)) return { kind: 'failed', says: 'The shop does not respond.' }
    if (error.code === 'book.changed_elsewhere') return findOwn(document, error.message)
    return { kind: error.status >= 500 ? 'failed' : 'refused', says: error.message }
  }
}

/** The response to an earlier try may have been lost, and then the change in between is this one. */
async function findOwn(document: BookDocument, says: string): Promise<Sent> {
  const newest = await readDraft().catch(() => undefined)
  const isOwn = newest && isSame(newest.document, document)
  return isOwn ? { kind: 'saved', state: newest } : { kind: 'conflict', says }
}

/** In the order of the schema: the database keeps none. */
function isSame(one: BookDocument, other: BookDocument): boolean {
  const [first, second] = [one, other].map((each) => JSON.stringify(bookDraft.parse(each)))
  return first === second
}

export function checkComplete(document: BookDocument): FieldProblems | undefined {
  const found = checkFields(bookDocument, document)
  if (found) toast({ title: 'Not complete yet', description: describeProblems(found), destructive: true })
  return found
}
