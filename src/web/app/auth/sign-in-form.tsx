import { authTexts } from '#words/auth.ts'
import { fill } from '#words/fill.ts'
import { useState } from 'react'
import { resendVerification, signIn, fieldProblems } from '../../accounts.ts'
import { asEntered, loadAndCheck, useForm, type FormResult } from '../../form.ts'
import { loadSignInSchema, CredentialsForm, readCredentials, SubmitButton } from '../credentials-form.tsx'
import { nextPath } from '../next-path.ts'
import { storedSession } from '../../session.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { PasswordField } from '../../components/further-fields.tsx'
import { clearTypedEmail } from '../../typed-email.ts'
import { signInByPasskey, useCanUsePasskeys } from '../passkeys.ts'
import { useSendsMail } from '../../shop.ts'
import { LinkNotSent } from '../link-not-sent.tsx'
import { mailAsked } from './check-mail.tsx'

export function SignInForm({ onForgot, onCode }: { onForgot: () => void; onCode: () => void }) {
  const sendsMail = useSendsMail()
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const state = useForm(asEntered, send)

  async function send(entered: FormData): Promise<FormResult> {
    const credentials = readCredentials(entered)
    const problems = await loadAndCheck(loadSignInSchema, credentials)
    if (problems) return { isSaved: false, problems }
    const outcome = await signIn(credentials)
    const { problem, code } = outcome
    setUnconfirmed(code === 'email_not_confirmed' ? credentials.email : undefined)
    if (problem) {
      toast({ title: authTexts.signInFailed, description: problem, destructive: true })
      return { isSaved: false, problems: fieldProblems(outcome) }
    }
    clearTypedEmail()
    if (storedSession()) toast(authTexts.welcomeBack)
    return { isSaved: true }
  }

  return (
    <CredentialsForm state={state}>
      <PasswordField
        label={authTexts.password}
        autoComplete="current-password"
        reservesLine
        {...state.field('password')}
      />
      {unconfirmed && <Unconfirmed key={unconfirmed} email={unconfirmed} />}
      <SubmitButton isBusy={state.isBusy} label={authTexts.signIn} busyLabel={authTexts.signingIn} />
      <div className="flex flex-wrap justify-center gap-x-6">
        <OtherWay label={authTexts.forgot} onPress={onForgot} />
        {sendsMail && <OtherWay label={authTexts.getCode} onPress={onCode} />}
        <PasskeyWay />
      </div>
    </CredentialsForm>
  )
}

/** It has its room before the browser is known to have passkeys, so that nothing moves. */
function PasskeyWay() {
  const canUse = useCanUsePasskeys()
  const [isBusy, setIsBusy] = useState(false)
  async function signIn() {
    setIsBusy(true)
    const { problem } = await signInByPasskey()
    setIsBusy(false)
    if (!problem) {
      clearTypedEmail()
      toast(authTexts.welcomeBack)
    } else {
      toast({ title: authTexts.signInFailed, description: problem, destructive: true })
    }
  }
  return (
    <OtherWay
      label={authTexts.passkeySignIn}
      isShown={canUse}
      isBusy={isBusy}
      onPress={() => void signIn()}
    />
  )
}

type OtherWayProps = { label: string; isShown?: boolean; isBusy?: boolean; onPress: () => void }

function OtherWay({ label, isShown = true, isBusy = false, onPress }: OtherWayProps) {
  return (
    <button
      type="button"
      disabled={isBusy}
      className={`cursor-pointer rounded-sm py-1 text-soft underline underline-offset-4 hover:text-ink disabled:cursor-default${isShown ? '' : ' invisible'}`}
      onClick={onPress}
    >
      {label}
    </button>
  )
}

function Unconfirmed({ email }: { email: string }) {
  const sendsMail = useSendsMail()
  const [step, setStep] = useState<'offer' | 'sending' | 'sent'>('offer')
  const offer = sendsMail ? authTexts.sendEmailAgain : authTexts.writeEmailAgain
  const done = sendsMail ? authTexts.emailSentAgain : authTexts.emailWrittenAgain
  async function resend() {
    setStep('sending')
    const { problem } = await resendVerification(email, nextPath(location.search))
    setStep(problem ? 'offer' : 'sent')
    toast(mailAsked(problem, sendsMail))
  }
  return (
    <div className="min-w-0 rounded-md border border-gold/60 bg-gold/10 p-4 text-sm break-words">
      <p>
        {authTexts.notConfirmed}{' '}
        {sendsMail ? <span>{fill(authTexts.pressButton, { email })}</span> : <LinkNotSent email={email} />}
      </p>
      <Button look="outline" className="mt-3" disabled={step !== 'offer'} onClick={() => void resend()}>
        {step === 'sent' ? done : offer}
      </Button>
    </div>
  )
}
