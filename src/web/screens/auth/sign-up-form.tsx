import { useState } from 'react'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { passwordRule } from '#platform/contract/password-length.ts'
import { readText } from '../../form.ts'
import { signUp, type Credentials } from '../../accounts.ts'
import { notices } from '../../copy.ts'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { checkSignUp, signUpFailed, type Complaint } from './check-sign-up.ts'
import { CredentialsForm, readCredentials } from '../../credentials-form.tsx'
import { fieldProblems } from './field-problems.ts'
import { SubmitButton } from '../../components/submit-button.tsx'
import { useBusy } from '../../use-busy.ts'

export function SignUpForm({ onDone }: { onDone: () => void }) {
  const [problems, setProblems] = useState<FieldProblems>({})
  const [isBusy, submit] = useBusy(async (form) => {
    const credentials = readCredentials(form)
    const complaint =
      (await checkSignUp(credentials, readText(form, 'confirm'))) ?? (await refusalOf(credentials))
    setProblems(complaint?.problems ?? {})
    if (complaint) return toast(complaint.notice)
    toast(notices.accountCreated)
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
      <PasswordField
        label="Confirm Password"
        name="confirm"
        autoComplete="new-password"
        reservesLine
        problem={problems['confirm']}
      />
      <SubmitButton isBusy={isBusy} label="Sign Up" busyLabel="Creating Account..." />
    </CredentialsForm>
  )
}

async function refusalOf(credentials: Credentials): Promise<Complaint | undefined> {
  const outcome = await signUp(credentials, nextPath(location.search))
  if (!outcome.problem) return undefined
  return { problems: fieldProblems(outcome), notice: signUpFailed(outcome.problem) }
}
