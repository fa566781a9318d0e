// The link of a sign-up may be opened on another device. The password typed here then opens a session here.
import { authTexts } from '#words/auth.ts'
import { useEffect, useRef, type RefObject } from 'react'
import { typedAddressProblem } from '#contract/credentials.ts'
import {
  giveMailedCode,
  type askForReset,
  signIn,
  type Credentials,
  resendVerification,
} from '../../accounts.ts'
import { CodeField, readCode } from '../code-form.tsx'
import { SubmitButton } from '../credentials-form.tsx'
import { storedSession } from '../../session.ts'
import { toast, type Toast } from '../../toasts.tsx'
import { asEntered, readText, useForm, type FormResult } from '../../form.ts'
import { clearTypedEmail, typedEmail } from '../../typed-email.ts'
import { nextPath } from '../next-path.ts'
import { Field } from '../../components/field.tsx'
import { fillParts } from '../../fill-parts.tsx'
import { MailCheck } from '../../components/further-icons.tsx'
import { Button } from '../../components/button.tsx'
import { LinkNotSent } from '../link-not-sent.tsx'
import { useSendsMail } from '../../shop.ts'

// The form that asks for an email about an account: a link to a new password, or a code.

type MailedCodeFormProps = { email: string; type: 'signup' | 'email'; welcome: Toast }

export function MailedCodeForm({ email, type, welcome }: MailedCodeFormProps) {
  const { form, isBusy, field } = useForm(asEntered, send)
  useFocusFirst(form.ref)
  async function send(entered: FormData): Promise<FormResult> {
    const code = readCode(entered)
    const problem = code ? (await giveMailedCode({ email, code, type })).problem : authTexts.codeProblem
    if (problem) return { isSaved: false, problems: { code: problem } }
    clearTypedEmail()
    // A second factor may still be asked for.
    if (storedSession()) toast(welcome)
    return { isSaved: true }
  }
  return (
    <form {...form} className="mt-5">
      <fieldset disabled={isBusy} className="grid gap-4">
        <CodeField label={authTexts.mailedCode} {...field('code')} />
        <SubmitButton isBusy={isBusy} label={authTexts.confirm} busyLabel={authTexts.checking} />
      </fieldset>
    </form>
  )
}

/** The button that was pressed is gone. */
function useFocusFirst(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => form.current?.querySelector('input')?.focus(), [form])
}

type EmailFormProps = {
  titleId: string
  label: string
  ask: typeof askForReset
  onSent: (email: string) => void
}

export function EmailForm({ titleId, label, ask, onSent }: EmailFormProps) {
  const { form, isBusy, field } = useForm(asEntered, send)
  useFocusFirst(form.ref)
  async function send(entered: FormData): Promise<FormResult> {
    const email = readText(entered, 'email')
    const wrong = typedAddressProblem(email)
    if (wrong) return { isSaved: false, problems: { email: wrong } }
    const { problem } = await ask(email, nextPath(location.search))
    if (problem) toast({ title: authTexts.sendFailed, description: problem, destructive: true })
    else onSent(email)
    return { isSaved: !problem }
  }
  return (
    <form {...form} aria-labelledby={titleId} className="mt-5 mb-4">
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field
          label={authTexts.email}
          type="email"
          autoComplete="email"
          defaultValue={typedEmail()}
          {...field('email')}
        />
        <SubmitButton isBusy={isBusy} label={label} busyLabel={authTexts.sending} />
      </fieldset>
    </form>
  )
}

const intervalMs = 10_000
/** Afterwards a sign-in by hand remains. */
const maxTries = 180

/** Asks while the page is visible, and at once when it becomes so. */
function useConfirmedElsewhere(credentials: Credentials | undefined): void {
  useEffect(() => {
    if (!credentials) return undefined
    let isOver = false
    let isAsking = false
    let tries = 0
    async function ask(typed: Credentials) {
      if (isOver || isAsking || document.hidden || storedSession()) return
      isAsking = true
      const { problem, code } = await signIn(typed)
      isAsking = false
      tries += 1
      if (isOver) return
      if (!problem && storedSession()) toast(authTexts.emailConfirmed)
      // Another sign-up with this address was confirmed, with its own password.
      isOver = tries >= maxTries || !problem || code === 'invalid_credentials'
    }
    const askNow = () => void ask(credentials)
    const timer = setInterval(askNow, intervalMs)
    document.addEventListener('visibilitychange', askNow)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', askNow)
    }
  }, [credentials])
}

type CheckMailProps = {
  email: string
  /** Unknown after a reload. */
  credentials: Credentials | undefined
  onBack: () => void
}

export function CheckMail({ email, credentials, onBack }: CheckMailProps) {
  useConfirmedElsewhere(credentials)
  const sendsMail = useSendsMail()
  const heading = useRef<HTMLHeadingElement>(null)
  // With a code to type, its field has the focus.
  useEffect(() => {
    if (!sendsMail) heading.current?.focus()
  }, [sendsMail])
  const { form, isBusy } = useForm(asEntered, resend)
  async function resend() {
    const { problem } = await resendVerification(email, nextPath(location.search))
    toast(mailAsked(problem, sendsMail))
  }

  return (
    <div>
      <MailCheck aria-hidden className="size-10 text-gold-text" strokeWidth={1.5} />
      <h2 ref={heading} tabIndex={-1} className="mt-4 font-display text-xl font-semibold">
        {sendsMail ? authTexts.checkEmail : authTexts.waitsForConfirmation}
      </h2>
      {sendsMail ? (
        <p className="mt-2 text-soft">
          {fillParts(authTexts.codeSent, {
            email: <strong className="font-semibold text-ink break-words">{email}</strong>,
          })}
        </p>
      ) : (
        <p className="mt-2 text-soft">
          <LinkNotSent email={email} />
        </p>
      )}
      {sendsMail && <MailedCodeForm email={email} type="signup" welcome={authTexts.emailConfirmed} />}
      <form {...form} className="mt-6 flex flex-wrap gap-3">
        <Button busy={isBusy} type="submit" look={sendsMail ? 'outline' : 'primary'} disabled={isBusy}>
          {sendsMail ? authTexts.sendAgain : authTexts.writeEmailAgain}
        </Button>
        <Button look="outline" onClick={onBack}>
          {authTexts.backToSignIn}
        </Button>
      </form>
    </div>
  )
}

// In a shop that sends no mail, a link that was asked for reaches nobody by itself.
export function mailAsked(problem: string | undefined, sendsMail: boolean): Toast {
  if (problem) return { title: authTexts.sendFailed, description: problem, destructive: true }
  return sendsMail ? authTexts.emailSent : authTexts.emailWritten
}
