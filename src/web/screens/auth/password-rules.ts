// What the browser can say about a password before anything is sent.
import { minPasswordLength } from '#platform/contract/password-length.ts'
import { notices } from '../../copy.ts'
import type { Toast } from '../../toasts.tsx'
import type { FieldName } from './wrong-field.ts'

export type Complaint = { field: FieldName | undefined; notice: Toast }

export const passwordRule = `At least ${minPasswordLength} characters`

export function passwordProblem(password: string, confirmation: string): Complaint | undefined {
  if (password !== confirmation) return { field: 'confirm', notice: notices.passwordMismatch }
  if (password.length < minPasswordLength) return { field: 'password', notice: notices.passwordTooShort }
  return undefined
}
