// The page of links in emails that confirm something about an account (site.ts): a dialog, for opening a link does
// nothing.
import { authTexts } from '#words/auth.ts'
import { SiteFooter, SiteHeader } from '../../page/site-frame.tsx'
import { useIsAlive } from '../../page/use-page.ts'
import { useState, useEffect, type ReactNode } from 'react'
import { passwordProblem, passwordRule } from '#contract/field-rules.ts'
import { changePassword, pressAddressLink, pressLink } from '../../session/accounts.ts'
import { asEntered, readText, useForm, type FormResult } from '../../forms/form.ts'
import { CodeForm, stepTitle } from '../../session/credentials.tsx'
import { pendingSession, signOut, storedSession, verifiedFactors } from '../../session/session.ts'
import { useSession } from '../../session/use-session.ts'
import { toast } from '../../notices/toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { PasswordField } from '../../components/further-fields.tsx'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import type { AddressLink } from '#contract/accounts/own-account.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { deviceId } from '../../session/device-id.ts'
import { fillParts } from '../../format/fill-parts.tsx'
import type { EmailOtpType } from '@supabase/auth-js'
import { useLocation } from 'react-router'
import { nextPath } from '#contract/next-path.ts'
import { useGoTo } from '../navigation.ts'
import type { Route } from './+types/confirm.ts'
import { unlisted } from '../../page/page-meta.ts'

export function meta({ matches }: Route.MetaArgs) {
  return unlisted(authTexts.account, matches[0].loaderData.book)
}

export default function Confirm() {
  // The page is the same for every link: its query is read in the browser.
  const isAlive = useIsAlive()
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} className="closing-light min-h-dvh">
        <h1 className="sr-only">{authTexts.account}</h1>
      </main>
      <SiteFooter />
      {isAlive && <ConfirmLink />}
    </>
  )
}

const linkTypes = ['signup', 'magiclink', 'recovery'] as const satisfies EmailOtpType[]
type LinkType = (typeof linkTypes)[number]
const formAfter = { signup: undefined, magiclink: 'code', recovery: 'forgot' } as const

/** A button: only pressing it uses the link up, for mail scanners open links too. */
function ConfirmLink() {
  const { search } = useLocation()
  const goTo = useGoTo()
  const query = new URLSearchParams(search)
  const type = linkTypes.find((each) => each === query.get('type'))
  const token = query.get('token_hash')
  const [step, setStep] = useState<'button' | 'code' | 'password' | 'expired'>('button')
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  // The session is read before the link is used: afterwards it is that of the link's account.
  const [session] = useState(storedSession)
  const next = nextPath(search, 'redirect_to')
  /** The token must not stay in the address, nor in the history. */
  const leave = () => goTo('/')
  const goOn = () => goTo(next)
  if (token && query.get('type') === 'email_change')
    return <ConfirmAddress token={token} next={next} onLeave={leave} onDone={goOn} />
  if (!token || !type)
    return (
      <Expired
        title={authTexts.incompleteTitle}
        text={authTexts.incompleteText}
        next={next}
        onLeave={leave}
      />
    )
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

  if (step === 'expired')
    return <Expired text={expiredText(type)} form={formAfter[type]} next={next} onLeave={leave} />
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
      <div className="mt-7 flex flex-row-reverse flex-wrap gap-3 max-sm:*:grow">
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
  const { form, isBusy, field } = useForm(asEntered, save)
  async function save(entered: FormData): Promise<FormResult | void> {
    const password = readText(entered, 'password')
    const wrong = passwordProblem(password)
    if (wrong) return { isSaved: false, problems: { password: wrong } }
    const { problem, code } = await changePassword(password)
    if (code && lateCodes.has(code)) return signOut().then(onTooLate)
    if (problem) return { isSaved: false, problems: { password: problem } }
    toast(authTexts.passwordChanged)
    onSaved()
  }
  // A user who leaves without choosing a password has not proven to know one: the session ends.
  const giveUp = () => void signOut().then(onLeave)
  return (
    <Dialog title={authTexts.choosePassword} isBusy={isBusy} onClose={giveUp}>
      <form {...form} className="mt-5 grid gap-5">
        <PasswordField
          label={authTexts.newPassword}
          autoComplete="new-password"
          hint={passwordRule()}
          {...field('password')}
        />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? authTexts.saving : authTexts.saveAndSignIn}
        </Button>
      </form>
    </Dialog>
  )
}

type ExpiredProps = {
  title?: string
  text: string
  /** The form of the sign-in by which another link is requested. */
  form?: 'code' | 'forgot' | undefined
  next: string
  onLeave: () => void
}

function Expired({ title = authTexts.expiredTitle, text, form, next, onLeave }: ExpiredProps) {
  const search = new URLSearchParams({ ...(next !== '/' && { next }), ...(form && { form }) })
  return (
    <Dialog title={title} onClose={onLeave}>
      <p className="mt-3 text-soft">{text}</p>
      <div className="mt-7 flex justify-end max-sm:*:grow">
        <ButtonLink to={search.size > 0 ? `/auth?${search.toString()}` : '/auth'} replaces>
          {authTexts.goToSignIn}
        </ButtonLink>
      </div>
    </Dialog>
  )
}

type ConfirmAddressProps = { token: string; next: string; onLeave: () => void; onDone: () => void }

/** The dialog says what a link of a changed address does in this browser, and has a button. */
function ConfirmAddress({ token, next, onLeave, onDone }: ConfirmAddressProps) {
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
      <div className="mt-7 flex flex-row-reverse flex-wrap gap-3 max-sm:*:grow">
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

/** The answer has no session: the other mailbox is missing, or it was the old one that confirmed last. */
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
      <div className="mt-7 flex flex-row-reverse flex-wrap gap-3 max-sm:*:grow">
        {(isChanged || isSignedIn) && (
          <ButtonLink to={goal} replaces>
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
