import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { passwordTooShort } from '#platform/contract/password-length.ts'
import type { Credentials } from '../../accounts.ts'
import { loadAndCheck } from '../../check-fields.ts'
import { notices } from '../../copy.ts'
import { loadSignUpSchema } from '../../credential-schemas.ts'
import type { Toast } from '../../toasts.tsx'

export type Complaint = { problems: FieldProblems; notice: Toast }

/** The notice names one problem, first that the passwords differ. */
export async function checkSignUp(
  credentials: Credentials,
  confirmation: string,
): Promise<Complaint | undefined> {
  const problems = await loadAndCheck(loadSignUpSchema, credentials)
  if (credentials.password !== confirmation) {
    const notice = notices.passwordMismatch
    return { problems: { ...problems, confirm: notice.description }, notice }
  }
  if (!problems) return undefined
  const [first = ''] = Object.values(problems)
  return { problems, notice: first === passwordTooShort ? notices.passwordTooShort : signUpFailed(first) }
}

export function signUpFailed(description: string): Toast {
  return { title: 'Sign Up Failed', description, destructive: true }
}
