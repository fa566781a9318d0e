import { authTexts } from '#words/auth.ts'
import { useEffect, useRef, useState } from 'react'
import { giveMailedCode } from '../../accounts.ts'
import { CodeField, readCode } from '../../code-form.tsx'
import { SubmitButton } from '../../credentials-form.tsx'
import { storedSession } from '../../session.ts'
import { toast, type Toast } from '../../toasts.tsx'
import { useBusy } from '../../use-busy.ts'
import { clearTypedEmail } from '../../typed-email.ts'

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
