// A new account: usable once the link in the mail was pressed.
import { useState } from 'react'
import { signUp } from '../../accounts.ts'
import { notices } from '../../copy.ts'
import { toast, type Toast } from '../../toasts.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { passwordProblem } from './password-rules.ts'
import { SubmitButton } from './submit-button.tsx'
import { useBusy } from './use-busy.ts'

export function SignUpForm({ onDone }: { onDone: (email: string) => void }) {
  const [problem, setProblem] = useState<Toast>()
  const [isBusy, submit] = useBusy(async (form) => {
    const email = form.get('email') as string
    const password = form.get('password') as string
    const complaint =
      passwordProblem(password, form.get('confirm') as string) ?? (await refusalOf({ email, password }))
    setProblem(complaint)
    if (complaint) return toast(complaint)
    toast(notices.accountCreated)
    onDone(email)
  })

  const isMismatch = problem === notices.passwordMismatch
  return (
    <form method="post" onSubmit={submit}>
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field label="Email" name="email" type="email" autoComplete="email" maxLength={254} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          maxLength={200}
          problem={isMismatch ? undefined : problem?.description}
        />
        <PasswordField
          label="Confirm Password"
          name="confirm"
          autoComplete="new-password"
          maxLength={200}
          problem={isMismatch ? problem.description : undefined}
        />
        <SubmitButton isBusy={isBusy} label="Sign Up" busyLabel="Creating Account..." />
      </fieldset>
    </form>
  )
}

async function refusalOf(credentials: { email: string; password: string }): Promise<Toast | undefined> {
  const { problem } = await signUp(credentials)
  return problem ? { title: 'Sign Up Failed', description: problem, destructive: true } : undefined
}
