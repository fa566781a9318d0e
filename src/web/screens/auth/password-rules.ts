// What the browser can say about a password before anything is sent.
import { notices } from '../../copy.ts'
import type { Toast } from '../../toasts.tsx'
import type { FieldName } from './wrong-field.ts'

export type Complaint = { field: FieldName | undefined; notice: Toast }

/** SPEC §5 and §9. */
const minLength = 6
export const passwordRule = `At least ${minLength} characters`

export function passwordProblem(password: string, confirmation: string): Complaint | undefined {
  if (password !== confirmation) return { field: 'confirm', notice: notices.passwordMismatch }
  if (password.length < minLength) return { field: 'password', notice: notices.passwordTooShort }
  return undefined
}
