// The forms of a sign-in: with a password, or with a code or a link by email; and the product that it is for.
import { authTexts } from '#words/auth.ts'
import { fill } from '#words/texts.ts'
import { use, useState, useEffect, useRef, type RefObject, useLayoutEffect } from 'react'
import {
  resendVerification,
  signIn,
  fieldProblems,
  giveMailedCode,
  type askForReset,
  type Credentials,
  type Outcome,
} from '../../session/accounts.ts'
import { typedAddressProblem } from '#contract/field-rules.ts'
import { asEntered, useForm, type FormResult, readText } from '../../forms/form.ts'
import {
  checkSignIn,
  CredentialsForm,
  SubmitButton,
  signInByPasskey,
  LinkNotSent,
  CodeField,
  readCode,
} from '../../session/credentials.tsx'
import { nextPath } from '#contract/next-path.ts'
import { storedSession } from '../../session/session.ts'
import { toast, type Toast } from '../../notices/toasts.tsx'
import { Button } from '../../components/button.tsx'
import { PasswordField } from '../../components/further-fields.tsx'
import { clearTypedEmail, typedEmail, typedEmailField } from '../../forms/typed-email.ts'
import { useSendsMail, useBookFacts } from '../../shop.ts'
import { Field } from '../../components/field.tsx'
import { fillParts } from '../../format/fill-parts.tsx'
import { MailCheck, ShoppingBag } from '../../components/further-icons.tsx'
import { cardsTexts, formatsTexts } from '#words/buying.ts'
import type { Product } from '#contract/catalog/products.ts'
import { Money } from '../../format/money.tsx'
import { useIsAlive } from '../../page/use-page.ts'
import { ProductsContext } from '../page-data.tsx'
import { chosenIn, codeIn } from '#contract/chosen-product.ts'

export function SignInForm({ onForgot, onCode }: { onForgot: () => void; onCode: () => void }) {
  const sendsMail = useSendsMail()
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const state = useForm(checkSignIn, send)

  async function send(credentials: Credentials): Promise<FormResult> {
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
    <CredentialsForm state={state} isMain>
      <PasswordField
        label={authTexts.password}
        autoComplete="current-password"
        reservesLine
        {...state.field('password')}
      />
      {unconfirmed && <Unconfirmed key={unconfirmed} email={unconfirmed} />}
      <SubmitButton isBusy={state.isBusy} label={authTexts.signIn} busyLabel={authTexts.signingIn} />
      {sendsMail && (
        <Button look="outline" onClick={onCode}>
          {authTexts.getCode}
        </Button>
      )}
      <div className="flex flex-wrap justify-center gap-x-6">
        <OtherWay label={authTexts.forgot} onPress={onForgot} />
        <PasskeyWay />
      </div>
    </CredentialsForm>
  )
}

/** It has its room where the browser has no passkeys, so that nothing moves. */
function PasskeyWay() {
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
      className="not-passkeys:invisible"
      isBusy={isBusy}
      onPress={() => void signIn()}
    />
  )
}

type OtherWayProps = { label: string; className?: string; isBusy?: boolean; onPress: () => void }

function OtherWay({ label, className = '', isBusy = false, onPress }: OtherWayProps) {
  return (
    <button
      type="button"
      disabled={isBusy}
      className={`cursor-pointer rounded-sm py-1 text-soft underline underline-offset-4 hover:text-ink disabled:cursor-default ${className}`}
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
    const outcome = await resendVerification(email, nextPath(location.search))
    setStep(outcome.problem ? 'offer' : 'sent')
    toast(mailAsked(outcome, sendsMail))
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
  /** The email is sent at once where an address was typed before: the press that led here was for it. */
  sendsAtOnce?: boolean
  ask: typeof askForReset
  /** `notice`: why no new email was sent. */
  onSent: (email: string, notice?: string) => void
}

export function EmailForm({ titleId, label, sendsAtOnce = false, ask, onSent }: EmailFormProps) {
  const { form, isBusy, field } = useForm(asEntered, send)
  useFocusFirst(form.ref)
  useEffect(() => {
    const email = typedEmail()
    if (sendsAtOnce && email && !typedAddressProblem(email)) form.ref.current?.requestSubmit()
  }, [sendsAtOnce, form.ref])
  async function send(entered: FormData): Promise<FormResult> {
    const email = readText(entered, 'email')
    const wrong = typedAddressProblem(email)
    if (wrong) return { isSaved: false, problems: { email: wrong } }
    const { problem, code } = await ask(email, nextPath(location.search))
    const isSaved = !problem || isMailLimit(code)
    if (isSaved) onSent(email, problem)
    else toast({ title: authTexts.sendFailed, description: problem, destructive: true })
    return { isSaved }
  }
  return (
    <form {...form} aria-labelledby={titleId} className="mt-5 mb-4">
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field
          label={authTexts.email}
          type="email"
          autoComplete="email"
          defaultValue={typedEmail()}
          {...typedEmailField}
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
  // The field of the code has the focus where there is a code to type.
  useEffect(() => {
    if (!sendsMail) heading.current?.focus()
  }, [sendsMail])
  const { form, isBusy } = useForm(asEntered, resend)
  async function resend() {
    const outcome = await resendVerification(email, nextPath(location.search))
    toast(mailAsked(outcome, sendsMail))
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

/** The toast differs in a shop that sends no mail: a link that was asked for reaches nobody by itself. */
export function mailAsked({ problem, code }: Outcome, sendsMail: boolean): Toast {
  if (problem && isMailLimit(code)) return { title: authTexts.nothingSent, description: problem }
  if (problem) return { title: authTexts.sendFailed, description: problem, destructive: true }
  return sendsMail ? authTexts.emailSent : authTexts.emailWritten
}

/** No failure: an email is in the mailbox already, or too many are. */
const isMailLimit = (code: string | undefined) => code === 'over_email_send_rate_limit'

/** Its room is reserved before the first paint, so that nothing moves unless the name needs more lines. */
export function ChosenProductPart() {
  const products = use(ProductsContext)
  const isAlive = useIsAlive()
  const next = isAlive ? nextPath(location.search) : ''
  const id = chosenIn(next)
  useLayoutEffect(() => {
    if (!isAlive) return undefined
    reserveRoom(id !== undefined)
    return () => reserveRoom(false)
  }, [isAlive, id])
  return (
    <div className="mb-7 hidden min-h-27 wants:block">
      {id && (
        <ChosenProduct
          product={products?.find((each) => each.id === id)}
          hasCode={codeIn(next) !== undefined}
        />
      )}
    </div>
  )
}

type ChosenProductProps = { product: Product | undefined; hasCode: boolean }

/** The page asks for no code, so it does not know the price with one. */
function ChosenProduct({ product, hasCode }: ChosenProductProps) {
  const { is_sample } = useBookFacts()
  useLayoutEffect(() => {
    if (!product) reserveRoom(false)
  }, [product])
  if (!product) return null
  return (
    <section
      aria-label={authTexts.chosenProduct}
      className="flex min-h-27 items-start gap-3.5 rounded-md border border-gold/60 bg-gold/10 px-4 py-3.5"
    >
      <ShoppingBag aria-hidden className="mt-0.5 size-5 shrink-0 text-gold-text" />
      <p className="min-w-0 text-sm text-pretty text-soft">
        <strong className="block text-base font-semibold wrap-anywhere text-ink tabular-nums">
          {is_sample ? formatsTexts.names[product.format] : product.name}
          {!hasCode && (
            <>
              {'\u00A0· '}
              {product.price === 0 ? <span>{cardsTexts.free}</span> : <Money amount={product.price} />}
            </>
          )}
        </strong>
        {authTexts.comeBack}
      </p>
    </section>
  )
}

function reserveRoom(isNeeded: boolean): void {
  document.documentElement.toggleAttribute('data-wants', isNeeded)
}
