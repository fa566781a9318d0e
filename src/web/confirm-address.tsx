// What a link of a changed address opens: what it does in this browser, and a button.
import { authTexts } from '#words/auth.ts'
import { useEffect, useState, type ReactNode } from 'react'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import type { AddressLink } from '#contract/accounts/own-account.ts'
import { pressAddressLink } from './accounts.ts'
import { api, ProblemError, responseOf } from './api.ts'
import { deviceId } from './device-id.ts'
import { fillParts } from './fill-parts.tsx'
import { Expired, GiveCode, NewPassword } from './link-steps.tsx'
import { pendingSession, useSession } from './session.ts'
import { toast } from './toasts.tsx'
import { Button, ButtonLink } from './components/button.tsx'
import { Dialog } from './components/dialog.tsx'

type ConfirmAddressProps = { token: string; next: string; onLeave: () => void; onDone: () => void }

export function ConfirmAddress({ token, next, onLeave, onDone }: ConfirmAddressProps) {
  const texts = authTexts.addressLink
  const [link, setLink] = useState<AddressLink>()
  const [step, setStep] = useState<'ask' | 'waits' | 'changed' | 'code' | 'password' | 'expired'>('ask')
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    readLink(token).then(setLink, (error: unknown) => {
      if (error instanceof ProblemError && error.code === 'auth.otp_expired') setStep('expired')
      else setProblem(texts.failed)
    })
  }, [token, texts])

  async function press({ is_elsewhere }: AddressLink) {
    setIsBusy(true)
    const outcome = await pressAddressLink(token)
    setIsBusy(false)
    if (outcome.code === 'otp_expired') return setStep('expired')
    setProblem(outcome.problem)
    if (outcome.problem) return
    if (outcome.state !== 'signedIn') return setStep(outcome.state ?? 'waits')
    if (is_elsewhere) return setStep('password')
    if (pendingSession()) return setStep('code')
    finish()
  }

  function finish() {
    toast(authTexts.emailConfirmed)
    onDone()
  }

  if (step === 'expired') return <Expired text={texts.expired} next={next} onLeave={onLeave} />
  if (step === 'code') return <GiveCode onDone={finish} onLeave={onLeave} />
  if (step === 'password')
    return <NewPassword onSaved={onDone} onLeave={onLeave} onTooLate={() => setStep('expired')} />
  if (link && step !== 'ask') return <Answer link={link} isChanged={step === 'changed'} onLeave={onLeave} />
  return (
    <Dialog title={texts[link?.mailbox ?? 'new'].title} isBusy={isBusy} onClose={onLeave}>
      {link && <Question link={link} />}
      <p role="alert" className="mt-3 text-danger empty:hidden">
        {problem}
      </p>
      <div className="mt-7 flex flex-row-reverse flex-wrap gap-3">
        <Button disabled={isBusy || !link} onClick={() => link && void press(link)}>
          {texts[link?.mailbox ?? 'new'].button}
        </Button>
        <Button look="quiet" disabled={isBusy} onClick={onLeave}>
          {authTexts.notNow}
        </Button>
      </div>
    </Dialog>
  )
}

function readLink(token_hash: string): Promise<AddressLink> {
  const headers = { [deviceHeader]: deviceId() }
  return responseOf(api.account['address-link'].$post({ json: { token_hash } }, { headers }))
}

function Address({ children }: { children: string }): ReactNode {
  return <strong className="font-semibold text-ink wrap-anywhere">{children}</strong>
}

function Question({ link: { mailbox, new_email, is_last, is_elsewhere } }: { link: AddressLink }) {
  const texts = authTexts.addressLink
  const { text, last } = texts[mailbox]
  return (
    <>
      <p className="mt-3 text-pretty text-soft">
        {fillParts(is_last ? last : text, { email: <Address>{new_email}</Address> })}
      </p>
      {is_elsewhere && (
        <p className="mt-3 text-pretty">{mailbox === 'new' ? texts.elsewhere : texts.wasElsewhere}</p>
      )}
      {is_elsewhere && mailbox === 'new' && (
        <p className="mt-4">
          <Button look="outline" className="max-sm:w-full" onClick={() => void copyLink()}>
            {texts.openThere}
          </Button>
        </p>
      )}
    </>
  )
}

async function copyLink(): Promise<void> {
  const { copied, notCopied } = authTexts.addressLink
  try {
    await navigator.clipboard.writeText(location.href)
    toast(copied)
  } catch {
    toast({ ...notCopied, destructive: true })
  }
}

type AnswerProps = { link: AddressLink; isChanged: boolean; onLeave: () => void }

/** Without a session: the other mailbox is missing, or it was the old one that confirmed last. */
function Answer({ link: { mailbox, new_email, is_elsewhere }, isChanged, onLeave }: AnswerProps) {
  const texts = authTexts.addressLink
  const isSignedIn = useSession() !== undefined
  const text = isChanged ? texts.changedText : texts.missing[mailbox === 'new' ? 'current' : 'new']
  const goal = isChanged && !isSignedIn ? '/auth' : '/account'
  return (
    <Dialog title={isChanged ? texts.changed : texts.waits} onClose={onLeave}>
      <p role="status" className="mt-3 text-pretty text-soft">
        {fillParts(text, { email: <Address>{new_email}</Address> })}
      </p>
      {is_elsewhere && <p className="mt-3 text-pretty">{texts.choosesAfter}</p>}
      <div className="mt-7 flex flex-row-reverse flex-wrap gap-3">
        {(isChanged || isSignedIn) && (
          <ButtonLink to={goal} replace>
            {goal === '/auth' ? authTexts.goToSignIn : texts.toAccount}
          </ButtonLink>
        )}
        <Button look="quiet" onClick={onLeave}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  )
}
