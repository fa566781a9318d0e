import { useState } from 'react'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { passwordRule } from '#platform/contract/password-length.ts'
import { signIn, type Credentials } from '../../accounts.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { loadAndCheck } from '../../check-fields.ts'
import { failure, notices } from '../../copy.ts'
import { loadSignUpSchema } from '../../credential-schemas.ts'
import { toast } from '../../toasts.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { CredentialsForm, readCredentials } from '../../credentials-form.tsx'
import { SubmitButton } from '../../components/submit-button.tsx'
import { useBusy } from '../../use-busy.ts'

const fieldOf: Record<string, string> = {
  'accounts.email_taken': 'email',
  'auth.common_password': 'password',
}

export function AccountForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [problems, setProblems] = useState<FieldProblems>({})
  const [isBusy, submit] = useBusy(async (form) => {
    const credentials = readCredentials(form)
    const wrong = (await loadAndCheck(loadSignUpSchema, credentials)) ?? (await make(token, credentials))
    setProblems(wrong ?? {})
    if (wrong) return
    const { problem } = await signIn(credentials)
    toast(
      problem
        ? { title: 'Your account is made', description: `Please sign in. ${problem}`, destructive: true }
        : notices.welcomeBack,
    )
    onDone()
  })
  return (
    <CredentialsForm isBusy={isBusy} onSubmit={submit} emailProblem={problems['email']}>
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        reservesLine
        hint={passwordRule}
        problem={problems['password']}
      />
      <SubmitButton isBusy={isBusy} label="Make my account" busyLabel="Making your account..." />
    </CredentialsForm>
  )
}

async function make(token: string, credentials: Credentials): Promise<FieldProblems | undefined> {
  try {
    await responseOf(api.setup.$post({ json: { token, ...credentials } }))
    return undefined
  } catch (error) {
    const field = error instanceof ProblemError && fieldOf[error.code]
    if (field) return { [field]: error.message }
    toast(failure('Couldn’t create the account', error))
    return (error instanceof ProblemError && error.fields) || {}
  }
}
