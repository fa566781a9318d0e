// The form that asks for an email about an account: a link to a new password, or a code.
import { authTexts } from '#words/auth.ts'
import { useEffect, useRef, useState } from 'react'
import type { askForReset } from '../../accounts.ts'
import { loadAndCheck } from '../../check-fields.ts'
import { loadRecoverSchema, SubmitButton } from '../../credentials-form.tsx'
import { readText } from '../../form.ts'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { Field } from '../../components/field.tsx'
import { useBusy } from '../../use-busy.ts'
import { typedEmail } from '../../typed-email.ts'

type EmailFormProps = {
  titleId: string
  label: string
  ask: typeof askForReset
  onSent: (email: string) => void
}

export function EmailForm({ titleId, label, ask, onSent }: EmailFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<string>()
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const [isBusy, submit] = useBusy(async (written) => {
    const email = readText(written, 'email')
    const problems = await loadAndCheck(loadRecoverSchema, { email })
    setWrong(problems?.['email'])
    if (problems) return
    const { problem } = await ask(email, nextPath(location.search))
    if (problem) toast({ title: authTexts.sendFailed, description: problem, destructive: true })
    else onSent(email)
  })
  return (
    <form
      ref={form}
      method="post"
      noValidate
      aria-labelledby={titleId}
      className="mt-5 mb-4"
      onSubmit={submit}
    >
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field
          label={authTexts.email}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={typedEmail()}
          problem={wrong}
        />
        <SubmitButton isBusy={isBusy} label={label} busyLabel={authTexts.sending} />
      </fieldset>
    </form>
  )
}
