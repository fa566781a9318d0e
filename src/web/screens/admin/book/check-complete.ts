import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { bookDocument, type BookDocument } from '#features/book/contract/book.ts'
import { bookRefusals } from '#features/book/contract/refusals.ts'
import { checkFields } from '../../../check-fields.ts'
import { toast } from '../../../toasts.tsx'

export function checkComplete(document: BookDocument): FieldProblems | undefined {
  const found = checkFields(bookDocument, document)
  if (found)
    toast({ title: 'Not complete yet', description: bookRefusals['book.unfinished'][1], destructive: true })
  return found
}
