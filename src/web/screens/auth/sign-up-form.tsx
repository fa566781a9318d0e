// A new account: usable once the link in the mail was pressed.
import { useState } from 'react'
import { readText } from '../../form.ts'
import { signUp } from '../../accounts.ts'
import { notices } from '../../copy.ts'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { Field } from '../../components/field.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { passwordProblem, passwordRule, type Complaint } from './password-rules.ts'
import { SubmitButton } from './submit-button.tsx'
import { useBusy } from './use-busy.ts'
import { wrongField, type FieldName } from './wrong-field.ts'

export function SignUpForm({ onDone }: { onDone: () => void }) {
  const [complaint, setComplaint] = useState<Complaint>()
  const [isBusy, submit] = useBusy(async (form) => {
    const email = readText(form, 'email')
    const password = readText(form, 'password')
    const wrong =
      passwordProblem(password, readText(form, 'confirm')) ?? (await refusalOf({ email, password }))
    setComplaint(wrong)
    if (wrong) return toast(wrong.notice)
    toast(notices.accountCreated)
    onDone()
  })

  const problem = (field: FieldName) =>
    complaint?.field === field ? complaint.notice.description : undefined
  return (
    <form method="post" onSubmit={submit}>
      <fieldset disabled={isBusy} className="grid gap-3">
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          reservesLine
          problem={problem('email')}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          maxLength={200}
          reservesLine
          hint={passwordRule}
          problem={problem('password')}
        />
        <PasswordField
          label="Confirm Password"
          name="confirm"
          autoComplete="new-password"
          maxLength={200}
          reservesLine
          problem={problem('confirm')}
        />
        <SubmitButton isBusy={isBusy} label="Sign Up" busyLabel="Creating Account..." />
      </fieldset>
    </form>
  )
}

async function refusalOf(credentials: { email: string; password: string }): Promise<Complaint | undefined> {
  const { problem, code } = await signUp(credentials, nextPath(location.search))
  if (!problem) return undefined
  const notice = { title: 'Sign Up Failed', description: problem, destructive: true }
  return { field: wrongField(code), notice }
}
