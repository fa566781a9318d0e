// The form that asks for an email about an account: a link to a new password, or a code.
import { authTexts } from '#words/auth.ts'
import { useEffect, useRef, useState } from 'react'
import { giveMailedCode, type askForReset } from '../../accounts.ts'
import { CodeField, readCode } from '../../code-form.tsx'
import { SubmitButton, loadRecoverSchema } from '../../credentials-form.tsx'
import { storedSession } from '../../session.ts'
import { toast, type Toast } from '../../toasts.tsx'
import { useBusy } from '../../use-busy.ts'
import { clearTypedEmail, typedEmail } from '../../typed-email.ts'
import { loadAndCheck } from '../../check-fields.ts'
import { readText } from '../../form.ts'
import { nextPath } from '../../next-path.ts'
import { Field } from '../../components/field.tsx'

type MailedCodeFormProps = { email: string; type: 'signup' | 'email'; welcome: Toast }

export function MailedCodeForm({ email, type, welcome }: MailedCodeFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const [isBusy, submit] = useBusy(async (written) => {
    const code = readCode(written)
    if (!code) return setProblem(authTexts.codeProblem)
    const outcome = await giveMailedCode({ email, code, type })
    setProblem(outcome.problem)
    if (outcome.problem) return
    clearTypedEmail()
    // A second factor may still be asked for.
    if (storedSession()) toast(welcome)
  })
  return (
    <form ref={form} method="post" noValidate className="mt-5" onSubmit={submit}>
      <fieldset disabled={isBusy} className="grid gap-4">
        <CodeField label={authTexts.mailedCode} problem={problem} />
        <SubmitButton isBusy={isBusy} label={authTexts.confirm} busyLabel={authTexts.checking} />
      </fieldset>
    </form>
  )
}

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
