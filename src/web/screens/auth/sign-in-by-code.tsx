import { authTexts } from '#words/auth.ts'
import { fillParts } from '../../fill-parts.tsx'
import { useEffect, useId, useRef, useState } from 'react'
import { askForCode } from '../../accounts.ts'
import { loadAndCheck } from '../../check-fields.ts'
import { loadRecoverSchema, SubmitButton } from '../../credentials-form.tsx'
import { readText } from '../../form.ts'
import { nextPath } from '../../next-path.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { useBusy } from '../../use-busy.ts'
import { MailedCodeForm } from './mailed-code-form.tsx'
import { typedEmail } from './typed-email.ts'

export function SignInByCode({ onBack }: { onBack: () => void }) {
  const titleId = useId()
  const [sentTo, setSentTo] = useState<string>()
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="font-display text-xl font-semibold">
        {authTexts.getCodeTitle}
      </h2>
      <p className="mt-2 text-pretty break-words text-soft" role="status">
        {sentTo
          ? fillParts(authTexts.codeOnItsWay, {
              email: <strong className="font-semibold break-words text-ink">{sentTo}</strong>,
            })
          : authTexts.getCodeText}
      </p>
      {sentTo ? (
        <MailedCodeForm email={sentTo} type="email" welcome={authTexts.welcomeBack} />
      ) : (
        <AskForCode onSent={setSentTo} />
      )}
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {sentTo && (
          <Button look="quiet" onClick={() => setSentTo(undefined)}>
            {authTexts.otherEmail}
          </Button>
        )}
        <Button look="quiet" onClick={onBack}>
          {authTexts.backToSignIn}
        </Button>
      </div>
    </section>
  )
}

function AskForCode({ onSent }: { onSent: (email: string) => void }) {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const [isBusy, submit] = useBusy(async (written) => {
    const email = readText(written, 'email')
    const wrong = await loadAndCheck(loadRecoverSchema, { email })
    setProblem(wrong?.['email'])
    if (wrong) return
    const outcome = await askForCode(email, nextPath(location.search))
    if (!outcome.problem) return onSent(email)
    toast({ title: authTexts.sendFailed, description: outcome.problem, destructive: true })
  })
  return (
    <form ref={form} method="post" noValidate className="mt-5" onSubmit={submit}>
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field
          label={authTexts.email}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={typedEmail()}
          problem={problem}
        />
        <SubmitButton isBusy={isBusy} label={authTexts.sendCode} busyLabel={authTexts.sending} />
      </fieldset>
    </form>
  )
}
