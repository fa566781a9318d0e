// The island of the page of sign-in: sign-in, sign-up and new passwords.
import { authTexts } from '#words/auth.ts'
import { fill } from '#words/texts.ts'
import { useId, useState, useEffect, useRef, type RefObject } from 'react'
import { askForReset, askForCode, signUp, type Credentials, fieldProblems } from '../../session/accounts.ts'
import { Button, Link } from '../../components/button.tsx'
import { useSendsMail, useSaleMode, useBookFacts } from '../../shop.ts'
import {
  ChosenProductPart,
  CheckMail,
  EmailForm,
  mailAsked,
  MailedCodeForm,
  SignInForm,
} from './sign-in-form.tsx'
import { fillParts } from '../../format/fill-parts.tsx'
import { nextPath } from '#contract/next-path.ts'
import { carryNotice } from '../../notices/stored-notice.ts'
import { passwordRule, passwordTooShort } from '#contract/field-rules.ts'
import { asEntered, readText, useForm, type Checked, type FormResult } from '../../forms/form.ts'
import { dropFailures, toast, type Toast } from '../../notices/toasts.tsx'
import { PasswordField } from '../../components/further-fields.tsx'
import {
  checkSignUp,
  CredentialsForm,
  SubmitButton,
  CodeForm,
  stepTitle,
} from '../../session/credentials.tsx'
import { signOut, verifiedFactors, type StoredSession } from '../../session/session.ts'
import { usePendingSession, useSession } from '../../session/use-session.ts'
import { Tabs } from './tabs.tsx'
import { useIsAlive } from '../../page/use-page.ts'
import { saveTypedEmail, typedEmail } from '../../forms/typed-email.ts'
import { isDeviceKnown } from '../../session/device-id.ts'
import { chosenIn } from '#contract/chosen-product.ts'

function ForgotPassword({ onBack }: { onBack: () => void }) {
  const titleId = useId()
  const sendsMail = useSendsMail()
  const [sentTo, setSentTo] = useState<string>()
  const [notice, setNotice] = useState<string>()
  const sent = sendsMail ? authTexts.resetSent : authTexts.resetWritten
  const lead = sendsMail ? authTexts.forgotText : authTexts.forgotTextUnsent
  return (
    <div className="grid content-start">
      <h2 id={titleId} className="font-display text-xl font-semibold">
        {authTexts.forgotTitle}
      </h2>
      <p className="mt-2 break-words text-soft" role="status">
        {notice ?? (sentTo ? fill(sent, { email: sentTo }) : lead)}
      </p>
      <EmailForm
        titleId={titleId}
        label={sentTo ? authTexts.sendAnother : authTexts.sendLink}
        ask={askForReset}
        onSent={(email, why) => {
          setSentTo(email)
          setNotice(why)
        }}
      />
      <Button look="quiet" onClick={onBack}>
        {authTexts.backToSignIn}
      </Button>
    </div>
  )
}

type SignInByCodeProps = {
  /** To the address that was typed. */
  sendsAtOnce: boolean
  /** After a reload, too. */
  isSent: boolean
  onSent: () => void
  onOther: () => void
  onBack: () => void
}

function SignInByCode({ sendsAtOnce, isSent, onSent, onOther, onBack }: SignInByCodeProps) {
  const titleId = useId()
  const [sentTo, setSentTo] = useState(isSent ? typedEmail() : '')
  const [notice, setNotice] = useState<string>()
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="font-display text-xl font-semibold">
        {authTexts.getCodeTitle}
      </h2>
      <p className="mt-2 text-pretty break-words text-soft" role="status">
        {notice ??
          (sentTo
            ? fillParts(authTexts.codeOnItsWay, {
                email: <strong className="font-semibold break-words text-ink">{sentTo}</strong>,
              })
            : authTexts.getCodeText)}
      </p>
      {sentTo ? (
        <MailedCodeForm email={sentTo} type="email" welcome={authTexts.welcomeBack} />
      ) : (
        <EmailForm
          titleId={titleId}
          label={authTexts.sendCode}
          sendsAtOnce={sendsAtOnce}
          ask={askForCode}
          onSent={(email, why) => {
            setSentTo(email)
            setNotice(why)
            saveTypedEmail(email)
            onSent()
          }}
        />
      )}
      {sentTo && <CodeAgain email={sentTo} />}
      {sentTo && (
        <p className="mt-4 text-center text-sm">
          <Link
            to="/find-purchase"
            className="rounded-sm text-soft underline underline-offset-4 hover:text-ink"
          >
            {authTexts.findPurchase}
          </Link>
        </p>
      )}
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {sentTo && (
          <Button
            look="quiet"
            onClick={() => {
              setSentTo('')
              setNotice(undefined)
              onOther()
            }}
          >
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

/** The limit of emails refuses it in words that say when the last one was requested. */
function CodeAgain({ email }: { email: string }) {
  const { form, isBusy } = useForm(asEntered, send)
  async function send() {
    const outcome = await askForCode(email, nextPath(location.search))
    toast(
      outcome.problem
        ? mailAsked(outcome, true)
        : { title: authTexts.checkEmail, description: fill(authTexts.codeOnItsWay, { email }) },
    )
  }
  return (
    <form {...form} className="mt-4 text-center">
      <Button busy={isBusy} type="submit" look="outline" disabled={isBusy}>
        {authTexts.sendAgain}
      </Button>
    </form>
  )
}

function SignUpForm({ onDone }: { onDone: (credentials: Credentials) => void }) {
  const sendsMail = useSendsMail()
  const saleMode = useSaleMode()
  // The sample's shop has the specification's words, also where it only keeps its emails.
  const isConfirmationSent = sendsMail || saleMode === 'sample'
  const state = useForm(checkTwice, send)

  async function send({ email, password }: TypedTwice): Promise<FormResult> {
    const credentials = { email, password }
    const outcome = await signUp(credentials, nextPath(location.search))
    if (outcome.problem) {
      toast(signUpFailed(outcome.problem))
      return { isSaved: false, problems: fieldProblems(outcome) }
    }
    toast(isConfirmationSent ? authTexts.accountCreated : authTexts.accountNotConfirmed)
    onDone(credentials)
    return { isSaved: true }
  }

  return (
    <CredentialsForm state={state}>
      <PasswordField
        label={authTexts.password}
        autoComplete="new-password"
        reservesLine
        hint={passwordRule()}
        {...state.field('password')}
      />
      <PasswordField
        label={authTexts.confirmPassword}
        autoComplete="new-password"
        reservesLine
        {...state.field('confirm')}
      />
      <SubmitButton isBusy={state.isBusy} label={authTexts.signUp} busyLabel={authTexts.creating} />
    </CredentialsForm>
  )
}

type TypedTwice = Credentials & { confirm: string }

/** The password is typed twice. A notice names one problem, first that the two differ. */
function checkTwice(form: HTMLFormElement): Checked<TypedTwice> {
  const { values, problems } = checkSignUp(form)
  const entered = new FormData(form)
  const confirm = readText(entered, 'confirm')
  if (readText(entered, 'password') !== confirm) {
    const { title, description } = authTexts.passwordMismatch
    toast({ title, description, destructive: true })
    return { problems: { ...problems, confirm: description } }
  }
  if (values) return { values: { ...values, confirm } }
  const [first = ''] = Object.values(problems)
  const isTooShort = first === passwordTooShort()
  toast(isTooShort ? { ...signUpFailed(first), title: authTexts.passwordTooShort } : signUpFailed(first))
  return { problems }
}

function signUpFailed(description: string): Toast {
  return { title: authTexts.signUpFailed, description, destructive: true }
}

export function AuthCard() {
  const book = useBookFacts()
  const [form, show] = useChosenForm()
  const pending = usePendingSession()
  const [signedUp, setSignedUp] = useState<Credentials>()
  /** The state is not in the address of the page, which a reload opens again. */
  const [asksForCode, setAsksForCode] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const card = useRef<HTMLDivElement>(null)
  useLeaveWhenSignedIn()
  useBeginTyping(card)
  const isTabs = form === 'sign-in' || form === 'sign-up'

  function showCode() {
    setAsksForCode(true)
    show('code')
  }

  function askForOther() {
    setAsksForCode(false)
    show('code')
  }

  /** The button that was pressed is gone then, and the keyboard goes on from the card's beginning. */
  function backToSignIn() {
    setAsksForCode(false)
    show('sign-in')
    heading.current?.focus()
  }

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="mt-4 font-display text-2xl font-semibold text-balance">
        {book.title}
      </h1>
      <p className="mt-2 mb-7 text-balance text-soft">{authTexts.lead}</p>
      <ChosenProductPart />
      {/* One over the other: the card is as high as the highest of them, and never moves. */}
      <div ref={card} className="grid grid-cols-[minmax(0,1fr)] *:col-start-1 *:row-start-1 noscript:hidden">
        {pending && <CodeStep session={pending} onLeave={backToSignIn} />}
        {!pending && form === 'check-mail' && (
          <CheckMail email={signedUp?.email ?? typedEmail()} credentials={signedUp} onBack={backToSignIn} />
        )}
        {!pending && form === 'forgot' && <ForgotPassword onBack={backToSignIn} />}
        {!pending && (form === 'code' || form === 'mailed-code') && (
          <SignInByCode
            sendsAtOnce={asksForCode}
            isSent={form === 'mailed-code'}
            onSent={() => show('mailed-code')}
            onOther={askForOther}
            onBack={backToSignIn}
          />
        )}
        <div className={`needs-code:invisible${pending || !isTabs ? ' invisible' : ''}`}>
          <Tabs
            label={authTexts.account}
            chosen={form === 'sign-up' ? 'sign-up' : 'sign-in'}
            onChoose={show}
            tabs={[
              {
                name: 'sign-in',
                label: authTexts.signIn,
                panel: <SignInForm onForgot={() => show('forgot')} onCode={showCode} />,
              },
              {
                name: 'sign-up',
                label: authTexts.signUp,
                panel: (
                  <SignUpForm
                    onDone={(credentials) => {
                      setSignedUp(credentials)
                      show('check-mail')
                    }}
                  />
                ),
              },
            ]}
          />
        </div>
      </div>
    </>
  )
}

/** Focuses the first empty field on arrival, unless the focus is in a field already. */
function useBeginTyping(card: RefObject<HTMLDivElement | null>) {
  const isAlive = useIsAlive()
  useEffect(() => {
    const here = card.current
    const isShown = (field: Element) => getComputedStyle(field).visibility === 'visible'
    const { activeElement } = document
    const hasFocus = activeElement && activeElement !== document.body && isShown(activeElement)
    if (!isAlive || !here || hasFocus) return
    const fields = [...here.querySelectorAll('input')].filter(isShown)
    const field = fields.find(({ value }) => value === '') ?? fields[0]
    field?.focus({ preventScroll: true })
  }, [isAlive, card])
}

/** In another tab too. Where the page is not alive, its script does it (loader.ts). */
function useLeaveWhenSignedIn() {
  const isSignedIn = useSession() !== undefined
  useEffect(() => {
    if (!isSignedIn) return
    carryNotice()
    location.replace(nextPath(location.search))
  }, [isSignedIn])
}

const names = ['sign-in', 'sign-up', 'forgot', 'code', 'mailed-code', 'check-mail'] as const
type FormName = (typeof names)[number]

/** The address names it, for a reload. */
function useChosenForm(): [chosen: FormName, choose: (name: FormName) => void] {
  const first = useFirstForm()
  const isAlive = useIsAlive()
  const [chosen, setChosen] = useState<FormName>()
  const named = isAlive ? names.find((name) => name === readSearch().get('form')) : undefined
  function choose(name: FormName) {
    const search = readSearch()
    if (name === first) search.delete('form')
    else search.set('form', name)
    const query = search.size > 0 ? `?${search.toString()}` : ''
    history.replaceState(history.state, '', location.pathname + query)
    setChosen(name)
  }
  return [chosen ?? named ?? first, choose]
}

const readSearch = () => new URLSearchParams(location.search)

/** Who wants an own book's product, in a browser that knows no account, makes one. */
function useFirstForm(): 'sign-in' | 'sign-up' {
  const { is_sample } = useBookFacts()
  const isAlive = useIsAlive()
  // Held: an account that is made here meanwhile does not change the form.
  const [isKnown] = useState(isDeviceKnown)
  const makesAccount = isAlive && !is_sample && !isKnown && chosenIn(nextPath(location.search)) !== undefined
  return makesAccount ? 'sign-up' : 'sign-in'
}

type CodeStepProps = { session: StoredSession; onLeave: () => void }

function CodeStep({ session, onLeave }: CodeStepProps) {
  const factors = verifiedFactors(session)
  useEffect(dropFailures, [])
  return (
    <div>
      <h2 className="font-display text-xl font-semibold">{stepTitle(factors)}</h2>
      <CodeForm
        text={fill(authTexts.codeText, { email: session.user.email ?? '' })}
        factors={factors}
        onDone={() => toast(authTexts.welcomeBack)}
        onLeave={() => void signOut().then(onLeave)}
      />
    </div>
  )
}
