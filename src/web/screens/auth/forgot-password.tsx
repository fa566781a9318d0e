import { authTexts } from '#words/auth.ts'
import { fill } from '#words/fill.ts'
import { useEffect, useId, useRef, useState } from 'react'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { readText } from '../../form.ts'
import { askForReset } from '../../accounts.ts'
import { loadAndCheck } from '../../check-fields.ts'
import { loadRecoverSchema, SubmitButton } from '../../credentials-form.tsx'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
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
    if (problem) toast({ title: authTexts.sendFailed, description: problem, destructive: true })
    else setSentTo(email)
  })

  return (
    <form ref={form} method="post" noValidate aria-labelledby={titleId} onSubmit={submit}>
      <h2 id={titleId} className="font-display text-xl font-semibold">
        {authTexts.forgotTitle}
      </h2>
      <p className="mt-2 mb-5 break-words text-soft" role="status">
        {sentTo
          ? fill(sendsMail ? authTexts.resetSent : authTexts.resetWritten, { email: sentTo })
          : authTexts.forgotText}
      </p>
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field
          label={authTexts.email}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={typedEmail()}
          problem={problems?.['email']}
        />
        <SubmitButton
          isBusy={isBusy}
          label={sentTo ? authTexts.sendAnother : authTexts.sendLink}
          busyLabel={authTexts.sending}
        />
        <Button look="quiet" onClick={onBack}>
          {authTexts.backToSignIn}
        </Button>
      </fieldset>
    </form>
  )
}
