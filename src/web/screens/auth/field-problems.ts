// Which field of a form a refusal of GoTrue's contract is about: only that one is marked as wrong.
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import type { Outcome } from '../../accounts.ts'

/** The browser accepts some email addresses that the shop refuses. */
const fields: Record<string, 'email' | 'password'> = {
  validation_failed: 'email',
  weak_password: 'password',
  invalid_credentials: 'password',
}

/** Empty where no field is to blame: the shop is away, or was asked too often. */
export function fieldProblems({ problem, code = '' }: Outcome): FieldProblems {
  const field = fields[code]
  return field && problem ? { [field]: problem } : {}
}
