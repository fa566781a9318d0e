// What a link from a mail opens: a button. Only pressing it uses the link up, for mail scanners open links too.
import { authTexts } from '#words/auth.ts'
import { fillParts } from './fill-parts.tsx'
import type { EmailOtpType } from '@supabase/auth-js'
import { useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { passwordRule } from '#platform/contract/password-length.ts'
import { readText } from './form.ts'
import { changePassword, pressLink } from './accounts.ts'
import { CodeForm, stepTitle } from './code-form.tsx'
import { loadAndCheck } from './check-fields.ts'
import { loadPasswordSchema } from './credentials-form.tsx'
import { useFocusBack } from './focus-back.ts'
import { nextPath } from './next-path.ts'
import { pendingSession, signOut, storedSession } from './session.ts'
import { verifiedFactors } from './stored-session.ts'
import { toast } from './toasts.tsx'
import { Button, ButtonLink } from './components/button.tsx'
import { Dialog } from './components/dialog.tsx'
import { PasswordField } from './components/password-field.tsx'

const linkTypes = ['signup', 'magiclink', 'recovery', 'email_change'] as const satisfies EmailOtpType[]
type LinkType = (typeof linkTypes)[number]

export default function ConfirmLink() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const query = new URLSearchParams(search)
  const type = linkTypes.find((each) => each === query.get('type'))
  const token = query.get('token_hash')
  const [step, setStep] = useState<'button' | 'code' | 'password' | 'expired'>('button')
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  // Before the link is used: afterwards it is the link's account.
  const [session] = useState(storedSession)
  const next = nextPath(search, 'redirect_to')
  if (!token || !type) return null
  const texts = authTexts.links[type]

  /** The token must not stay in the address, nor in the history. */
  const leave = () => void navigate('/', { replace: true })
  const goOn = () => void navigate(next, { replace: true })

  async function press(link: { type: LinkType; token: string }) {
    setIsBusy(true)
    const outcome = await pressLink(link.type, link.token)
    setIsBusy(false)
    if (outcome.code === 'otp_expired') return setStep('expired')
    setProblem(outcome.problem)
    if (outcome.problem) return
    if (pendingSession()) setStep('code')
    else finish()
  }

  function finish() {
    if (type === 'recovery') return setStep('password')
    toast(authTexts.emailConfirmed)
    goOn()
  }

  if (step === 'expired') return <Expired type={type} next={next} onLeave={leave} />
  if (step === 'code') return <GiveCode onDone={finish} onLeave={leave} />
  if (step === 'password') {
    return <NewPassword onSaved={goOn} onLeave={leave} onTooLate={() => setStep('expired')} />
  }
  return (
    <Dialog title={texts.title} isBusy={isBusy} onClose={leave}>
      <p className="mt-3 text-soft">{texts.text}</p>
      {session && (
        <p className="mt-3 text-pretty text-soft">
          {fillParts(authTexts.signedInAs, {
            email: <strong className="wrap-anywhere">{session.user.email}</strong>,
          })}
        </p>
      )}
      <p role="alert" className="mt-3 text-danger empty:hidden">
        {problem}
      </p>
      <div className="mt-7 flex flex-row-reverse flex-wrap gap-3">
        <Button disabled={isBusy} onClick={() => void press({ type, token })}>
          {texts.button}
        </Button>
        <Button look="quiet" disabled={isBusy} onClick={leave}>
          {authTexts.notNow}
        </Button>
      </div>
    </Dialog>
  )
}

/** The link stands for the password, but not for the second factor. */
function GiveCode({ onDone, onLeave }: { onDone: () => void; onLeave: () => void }) {
  const [session] = useState(pendingSession)
  const factors = session ? verifiedFactors(session) : []
  const giveUp = () => void signOut().then(onLeave)
  return (
    <Dialog title={stepTitle(factors)} onClose={giveUp}>
      <CodeForm text={authTexts.codeTextOfYours} factors={factors} onDone={onDone} onLeave={giveUp} />
    </Dialog>
  )
}

type NewPasswordProps = { onSaved: () => void; onLeave: () => void; onTooLate: () => void }

/** The server asks for a link, and a code where there is a second factor, given in the last ten minutes. */
const lateCodes = new Set(['reauthentication_needed', 'insufficient_aal'])

function NewPassword({ onSaved, onLeave, onTooLate }: NewPasswordProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  useFocusBack(form, isBusy)
  async function save(written: FormData) {
    setIsBusy(true)
    const password = readText(written, 'password')
    const wrong = await loadAndCheck(loadPasswordSchema, { password })
    const outcome = wrong ? { problem: wrong['password'] } : await changePassword(password)
    setIsBusy(false)
    if (outcome.code && lateCodes.has(outcome.code)) return signOut().then(onTooLate)
    setProblem(outcome.problem)
    if (outcome.problem) return
    toast(authTexts.passwordChanged)
    onSaved()
  }
  // A user who leaves without choosing a password has not proven to know one: the session ends.
  const giveUp = () => void signOut().then(onLeave)
  return (
    <Dialog title={authTexts.choosePassword} isBusy={isBusy} onClose={giveUp}>
      <form
        ref={form}
        noValidate
        className="mt-5 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void save(new FormData(event.currentTarget))
        }}
      >
        <PasswordField
          label={authTexts.newPassword}
          name="password"
          autoComplete="new-password"
          hint={passwordRule()}
          problem={problem}
        />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? authTexts.saving : authTexts.saveAndSignIn}
        </Button>
      </form>
    </Dialog>
  )
}

function expiredText(type: LinkType): string {
  if (type === 'magiclink') return authTexts.expiredSignIn
  return type === 'recovery' ? authTexts.expiredRecovery : authTexts.expiredConfirmation
}

type ExpiredProps = { type: LinkType; next: string; onLeave: () => void }

function Expired({ type, next, onLeave }: ExpiredProps) {
  return (
    <Dialog title={authTexts.expiredTitle} onClose={onLeave}>
      <p className="mt-3 text-soft">{expiredText(type)}</p>
      <div className="mt-7 flex justify-end">
        <ButtonLink to={next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`} replace>
          {authTexts.goToSignIn}
        </ButtonLink>
      </div>
    </Dialog>
  )
}
