// E-mail and password; an account whose address is not confirmed yet is offered another mail.
import { useState } from 'react'
import { resendVerification, signIn } from '../../accounts.ts'
import { notices } from '../../copy.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useBusy } from './use-busy.ts'

export function SignInForm({ onForgot }: { onForgot: () => void }) {
  const [problem, setProblem] = useState<string>()
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const [isBusy, submit] = useBusy(async (form) => {
    const email = form.get('email') as string
    const outcome = await signIn({ email, password: form.get('password') as string })
    const isUnconfirmed = outcome.code === 'email_not_confirmed'
    setProblem(isUnconfirmed ? undefined : outcome.problem)
    setUnconfirmed(isUnconfirmed ? email : undefined)
    if (outcome.problem) toast({ title: 'Sign In Failed', description: outcome.problem, destructive: true })
    else toast(notices.welcomeBack)
  })

  return (
    <form method="post" onSubmit={submit}>
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field label="Email" name="email" type="email" autoComplete="email" maxLength={254} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          maxLength={200}
          problem={problem}
        />
        {unconfirmed && <Unconfirmed email={unconfirmed} />}
        <SubmitButton isBusy={isBusy} label="Sign In" busyLabel="Signing In..." />
        <button
          type="button"
          className="cursor-pointer justify-self-center rounded-sm py-1 text-soft underline underline-offset-4 hover:text-ink"
          onClick={onForgot}
        >
          Forgot password?
        </button>
      </fieldset>
    </form>
  )
}

function Unconfirmed({ email }: { email: string }) {
  const [isSent, setIsSent] = useState(false)
  async function resend() {
    const { problem } = await resendVerification(email)
    if (problem) return toast({ title: 'Not Sent', description: problem, destructive: true })
    setIsSent(true)
    toast(notices.mailSent)
  }
  return (
    <div className="rounded-md border border-gold/60 bg-gold/10 p-4 text-sm">
      <p>Your e-mail address is not confirmed yet. Press the button in the mail we sent to {email}.</p>
      <Button look="outline" className="mt-3" disabled={isSent} onClick={() => void resend()}>
        {isSent ? 'Sent: please check your mailbox' : 'Send the mail again'}
      </Button>
    </div>
  )
}
