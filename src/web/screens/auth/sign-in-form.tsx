// Email and password; an account whose address is not confirmed yet is offered another mail.
import { useState } from 'react'
import { readText } from '../../form.ts'
import { resendVerification, signIn, type Outcome } from '../../accounts.ts'
import { notices } from '../../copy.ts'
import { nextPath } from '../../next-path.ts'
import { storedSession } from '../../session.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { SubmitButton } from './submit-button.tsx'
import { forgetTypedEmail } from './typed-email.ts'
import { useBusy } from './use-busy.ts'
import { wrongField, type FieldName } from './wrong-field.ts'

export function SignInForm({ onForgot }: { onForgot: () => void }) {
  const [last, setLast] = useState<Outcome>({})
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const [isBusy, submit] = useBusy(async (form) => {
    const email = readText(form, 'email')
    const { problem, code } = await signIn({ email, password: readText(form, 'password') })
    setLast({ problem, code })
    setUnconfirmed(code === 'email_not_confirmed' ? email : undefined)
    if (!problem) forgetTypedEmail()
    if (problem) toast({ title: 'Sign In Failed', description: problem, destructive: true })
    else if (storedSession()) toast(notices.welcomeBack)
  })

  const problem = (field: FieldName) => (wrongField(last.code) === field ? last.problem : undefined)

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
          autoComplete="current-password"
          maxLength={200}
          reservesLine
          problem={problem('password')}
        />
        {unconfirmed && <Unconfirmed key={unconfirmed} email={unconfirmed} />}
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
  const [step, setStep] = useState<'offer' | 'sending' | 'sent'>('offer')
  async function resend() {
    setStep('sending')
    const { problem } = await resendVerification(email, nextPath(location.search))
    setStep(problem ? 'offer' : 'sent')
    toast(problem ? { title: 'Not Sent', description: problem, destructive: true } : notices.mailSent)
  }
  return (
    <div className="min-w-0 rounded-md border border-gold/60 bg-gold/10 p-4 text-sm break-words">
      <p>Your email address is not confirmed yet. Press the button in the mail we sent to {email}.</p>
      <Button look="outline" className="mt-3" disabled={step !== 'offer'} onClick={() => void resend()}>
        {step === 'sent' ? 'Sent: please check your mailbox' : 'Send the mail again'}
      </Button>
    </div>
  )
}
