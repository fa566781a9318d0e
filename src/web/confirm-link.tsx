// What a link from a mail opens: a button. Only pressing it uses the link up, for mail scanners open links too.
import { authTexts } from '#words/auth.ts'
import { fillParts } from './fill-parts.tsx'
import type { EmailOtpType } from '@supabase/auth-js'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { pressLink } from './accounts.ts'
import { ConfirmAddress } from './confirm-address.tsx'
import { Expired, GiveCode, NewPassword } from './link-steps.tsx'
import { nextPath } from './next-path.ts'
import { pendingSession, storedSession } from './session.ts'
import { toast } from './toasts.tsx'
import { Button } from './components/button.tsx'
import { Dialog } from './components/dialog.tsx'

const linkTypes = ['signup', 'magiclink', 'recovery'] as const satisfies EmailOtpType[]
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
  /** The token must not stay in the address, nor in the history. */
  const leave = () => void navigate('/', { replace: true })
  const goOn = () => void navigate(next, { replace: true })
  if (token && query.get('type') === 'email_change')
    return <ConfirmAddress token={token} next={next} onLeave={leave} onDone={goOn} />
  if (!token || !type) return null
  const texts = authTexts.links[type]

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

  if (step === 'expired') return <Expired text={expiredText(type)} next={next} onLeave={leave} />
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

function expiredText(type: LinkType): string {
  if (type === 'magiclink') return authTexts.expiredSignIn
  return type === 'recovery' ? authTexts.expiredRecovery : authTexts.expiredConfirmation
}
