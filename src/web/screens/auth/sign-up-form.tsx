// A new account: usable once the link in the mail was pressed.
import { useState } from 'react'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { passwordRule } from '#platform/contract/password-length.ts'
import { readText } from '../../form.ts'
import { signUp } from '../../accounts.ts'
import { notices } from '../../copy.ts'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { Field } from '../../components/field.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { checkSignUp, signUpFailed, type Complaint } from './check-sign-up.ts'
import { fieldProblems } from './field-problems.ts'
import { SubmitButton } from './submit-button.tsx'
import { useBusy } from './use-busy.ts'

export function SignUpForm({ onDone }: { onDone: () => void }) {
  const [problems, setProblems] = useState<FieldProblems>({})
  const [isBusy, submit] = useBusy(async (form) => {
    const credentials = { email: readText(form, 'email'), password: readText(form, 'password') }
    const complaint =
      (await checkSignUp(credentials, readText(form, 'confirm'))) ?? (await refusalOf(credentials))
    setProblems(complaint?.problems ?? {})
    if (complaint) return toast(complaint.notice)
    toast(notices.accountCreated)
    onDone()
  })

  return (
    <form method="post" noValidate onSubmit={submit}>
      <fieldset disabled={isBusy} className="grid gap-3">
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          reservesLine
          problem={problems['email']}
        />
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
      </fieldset>
    </form>
  )
}

async function refusalOf(credentials: { email: string; password: string }): Promise<Complaint | undefined> {
  const outcome = await signUp(credentials, nextPath(location.search))
  if (!outcome.problem) return undefined
  return { problems: fieldProblems(outcome), notice: signUpFailed(outcome.problem) }
}
