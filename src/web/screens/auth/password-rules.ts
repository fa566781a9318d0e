// What the browser can say about a password before anything is sent.
import { notices } from '../../copy.ts'
import type { Toast } from '../../toasts.tsx'

/** SPEC §5 and §9. */
const minLength = 6

export function passwordProblem(password: string, confirmation: string): Toast | undefined {
  if (password !== confirmation) return notices.passwordMismatch
  if (password.length < minLength) return notices.passwordTooShort
  return undefined
}
