// What a visitor or reader sees of a call that was refused: what is wrong with the fields, or else a toast.
import { failure } from './copy.ts'
import type { FormResult } from './form.ts'
import { ProblemError } from './send.ts'
import { toast } from './toasts.tsx'

export function showRefusal(title: string, error: unknown): FormResult {
  const problems = error instanceof ProblemError ? error.fields : undefined
  if (!problems) toast(failure(title, error))
  return { isSaved: false, problems }
}
