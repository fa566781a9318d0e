import { useEffect, useId, useRef, useState } from 'react'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { readText } from '../../form.ts'
import { askForReset } from '../../accounts.ts'
import { loadAndCheck } from '../../check-fields.ts'
import { loadRecoverSchema } from '../../credentials-form.tsx'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { Button, SubmitButton } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { typedEmail } from './typed-email.ts'
import { useBusy } from '../../use-busy.ts'
import { useSendsMail } from '../../shop.ts'

export function ForgotPassword({ onBack }: { onBack: () => void }) {
  const titleId = useId()
  const sendsMail = useSendsMail()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const [sentTo, setSentTo] = useState<string>()
  const [problems, setProblems] = useState<FieldProblems>()
  const [isBusy, submit] = useBusy(async (form) => {
    const email = readText(form, 'email')
    const wrong = await loadAndCheck(loadRecoverSchema, { email })
    setProblems(wrong)
    if (wrong) return
    const { problem } = await askForReset(email, nextPath(location.search))
    if (problem) toast({ title: 'Couldn’t send', description: problem, destructive: true })
    else setSentTo(email)
  })

  return (
    <form ref={form} method="post" noValidate aria-labelledby={titleId} onSubmit={submit}>
      <h2 id={titleId} className="font-display text-xl font-semibold">
        Forgot your password?
      </h2>
      <p className="mt-2 mb-5 break-words text-soft" role="status">
        {sentTo
          ? resetAsked(sentTo, sendsMail)
          : 'Tell us your email address, and we send you a link to choose a new one.'}
      </p>
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={typedEmail()}
          problem={problems?.['email']}
        />
        <SubmitButton
          isBusy={isBusy}
          label={sentTo ? 'Send another' : 'Send the link'}
          busyLabel="Sending..."
        />
        <Button look="quiet" onClick={onBack}>
          Back to Sign In
        </Button>
      </fieldset>
    </form>
  )
}

const resetAsked = (email: string, sendsMail: boolean) =>
  sendsMail
    ? `If ${email} has an account, an email with a link to a new password is on its way. It works for one hour.`
    : `If ${email} has an account, a link to a new password is written, but this shop does not send email yet. Please write to the author.`
