// The parts that forms share in which somebody signs in or proves who they are: address and password, codes, and
// passkeys, by auth-js and the browser.
import { authTexts } from '#words/auth.ts'
import { type ReactNode, useState } from 'react'
import {
  type Credentials,
  giveCode,
  giveRecoveryCode,
  type Outcome,
  signInOutcome,
  outcome,
} from './accounts.ts'
import { Button, Link } from '../components/button.tsx'
import { Field, FieldFrame } from '../components/field.tsx'
import { readText, useForm, asEntered, type Check, type Checked, type FormResult } from '../forms/form.ts'
import { fieldsTexts } from '#words/fields.ts'
import { passwordProblem, typedAddressProblem, problemsOf } from '#contract/field-rules.ts'
import { plainCode, ungroupedCode } from '#contract/comparable-text.ts'
import { fill } from '#words/texts.ts'
import { fillParts } from '../format/fill-parts.tsx'
import { renewSession, type StoredFactor, authClient } from './session.ts'
import { SelectField } from '../components/further-fields.tsx'
import { useIsAlive } from '../page/use-page.ts'
import { typedEmailField } from '../forms/typed-email.ts'

type CredentialsFormProps = {
  state: Pick<ReturnType<typeof useForm<Credentials>>, 'form' | 'isBusy'> & {
    field: (name: 'email') => { name: string; problem: string | undefined }
  }
  /** The form is all that its page is for: its first field has the focus from the start. */
  isMain?: boolean
  children: ReactNode
}

export function CredentialsForm({ state: { form, isBusy, field }, isMain, children }: CredentialsFormProps) {
  return (
    <form {...form}>
      <fieldset disabled={isBusy} className="grid gap-2">
        <Field
          label={authTexts.email}
          type="email"
          autoComplete="email"
          reservesLine
          {...typedEmailField}
          {...(isMain && { autoFocus: true })}
          {...field('email')}
        />
        {children}
      </fieldset>
    </form>
  )
}

export const checkSignIn: Check<Credentials> = (form) =>
  checkCredentials(form, (password) => (password === '' ? fieldsTexts.required : undefined))

export const checkSignUp: Check<Credentials> = (form) => checkCredentials(form, passwordProblem)

function checkCredentials(
  form: HTMLFormElement,
  problemOf: (password: string) => string | undefined,
): Checked<Credentials> {
  const entered = new FormData(form)
  const values = { email: readText(entered, 'email'), password: readText(entered, 'password') }
  const problems = problemsOf({
    email: typedAddressProblem(values.email),
    password: problemOf(values.password),
  })
  return problems ? { problems } : { values }
}

type SubmitButtonProps = { isBusy: boolean; label: string; busyLabel: string }

export function SubmitButton({ isBusy, label, busyLabel }: SubmitButtonProps) {
  return (
    <Button busy={isBusy} type="submit" className="min-h-12" data-busy={busyLabel}>
      {isBusy ? busyLabel : label}
    </Button>
  )
}

type CodeFormProps = {
  text: string
  factors: readonly StoredFactor[]
  onDone: () => void
  onLeave: () => void
}

export function CodeForm({ text, factors, onDone, onLeave }: CodeFormProps) {
  const ways = useWays(factors)
  const [chosen, choose] = useState<Way>()
  const way = chosen ?? ways[0]
  const { form, isBusy, problems, clear } = useForm(asEntered, send)
  const problem = problems?.['code']

  async function send(written: FormData): Promise<FormResult> {
    const outcome = await give[way](written, factors)
    // Removed meanwhile: the renewed session says what is asked for now.
    if (outcome.code === 'mfa_factor_not_found') await renewSession()
    if (outcome.code === 'session_not_found') onLeave()
    else if (!outcome.problem) onDone()
    return outcome.problem ? { isSaved: false, problems: { code: outcome.problem } } : { isSaved: true }
  }

  function change(next: Way) {
    choose(next)
    clear()
  }

  return (
    <form {...form} noValidate={false}>
      <p className="mt-2 mb-5 text-pretty break-words text-soft">
        {way === 'app' ? text : way === 'passkey' ? authTexts.passkeyText : authTexts.recoveryText}
      </p>
      <fieldset disabled={isBusy} className="grid gap-5">
        <div key={way} ref={focusCode} className="grid gap-5 empty:hidden">
          {way === 'recovery' && <RecoveryField problem={problem} />}
          {way === 'app' && (
            <>
              <FactorChoice factors={factors} />
              <CodeField problem={problem} />
            </>
          )}
          {way === 'passkey' && problem && (
            <p role="alert" className="text-danger">
              {problem}
            </p>
          )}
        </div>
        <Button busy={isBusy} type="submit" className="min-h-12">
          {isBusy ? authTexts.checking : way === 'passkey' ? authTexts.passkeyButton : authTexts.continue}
        </Button>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} look="outline" onClick={() => change(other)}>
              {labels[other]()}
            </Button>
          ))}
        <Button look="quiet" onClick={onLeave}>
          {authTexts.otherAccount}
        </Button>
      </fieldset>
      {(way === 'recovery' || !ways.includes('recovery')) && (
        <p className="mt-5 text-center text-sm text-pretty text-soft">
          {fillParts(lost[way](), {
            contact: (
              <Link to="/#contact" className="underline underline-offset-4 hover:text-ink">
                {authTexts.writeToUs}
              </Link>
            ),
          })}
        </p>
      )}
    </form>
  )
}

type Way = 'passkey' | 'app' | 'recovery'

const labels: Record<Way, () => string> = {
  passkey: () => authTexts.passkeyButton,
  app: () => authTexts.askAuthenticator,
  recovery: () => authTexts.askRecoveryCode,
}

const lost: Record<Way, () => string> = {
  passkey: () => authTexts.lostPasskey,
  app: () => authTexts.lostAuthenticator,
  recovery: () => authTexts.lostRecoveryCodes,
}

const give: Record<Way, (written: FormData, factors: readonly StoredFactor[]) => Promise<Outcome>> = {
  passkey: (_written, factors) => givePasskey(factorsOf('webauthn', factors)[0]?.id ?? ''),
  app: async (written) => {
    const code = readCode(written)
    return code ? giveCode(readText(written, 'factor'), code) : { problem: authTexts.codeProblem }
  },
  recovery: async (written) => {
    const code = readRecoveryCode(written)
    return code ? giveRecoveryCode(code) : { problem: authTexts.recoveryProblem }
  },
}

/** The most convenient one first. */
export function useWays(factors: readonly StoredFactor[]): [Way, ...Way[]] {
  const canUsePasskeys = useCanUsePasskeys()
  const has = (type: string) => factorsOf(type, factors).length > 0
  const ways: Way[] = []
  if (has('webauthn') && canUsePasskeys) ways.push('passkey')
  if (has('totp')) ways.push('app')
  if (has('recovery_code')) ways.push('recovery')
  const [first = has('webauthn') ? 'passkey' : 'app', ...others] = ways
  return [first, ...others]
}

/** Returns the title of the page or dialog around the second step. */
export function stepTitle(factors: readonly StoredFactor[]): string {
  return factorsOf('webauthn', factors).length > 0 ? authTexts.stepTitle : authTexts.codeTitle
}

const factorsOf = (type: string, factors: readonly StoredFactor[]) =>
  factors.filter(({ factor_type }) => factor_type === type)

function focusCode(fields: HTMLElement | null): void {
  const field = fields?.querySelector<HTMLInputElement>('[name=code]')
  const submit = fields?.closest('form')?.querySelector<HTMLButtonElement>('[type=submit]')
  ;(field ?? submit)?.focus()
}

/** Finds the code also in pasted text that has words around it, as “057622 is your code”. */
export function codeIn(text: string): string | undefined {
  const groups = [...plainCode(text).matchAll(/(?<!\d)\d{3}[\s-]?\d{3}(?!\d)/g)]
  const [only, ...others] = groups.map(([digits]) => digits.replaceAll(/\D/g, ''))
  const digits = ungroupedCode(text)
  if (/^\d{6}$/.test(digits)) return digits
  return others.length === 0 ? only : undefined
}

export const readCode = (written: FormData, name = 'code') => codeIn(readText(written, name))

export function readRecoveryCode(written: FormData, name = 'code'): string | undefined {
  const code = ungroupedCode(readText(written, name))
  return /^[a-z\d]{16}$/i.test(code) ? code : undefined
}

/** The choice is among authenticator apps. */
export function FactorChoice({ factors }: { factors: readonly StoredFactor[] }) {
  const options = factorsOf('totp', factors).map(({ id, friendly_name }, n) => ({
    value: id,
    label: friendly_name || fill(authTexts.authenticatorNumber, { number: n + 1 }),
  }))
  if (options.length < 2) return <input type="hidden" name="factor" value={options[0]?.value ?? ''} />
  return <SelectField label={authTexts.authenticator} name="factor" options={options} />
}

type CodeFieldProps = { label?: string; name?: string; problem?: string | undefined }

export function CodeField({ label = authTexts.codeLabel, name = 'code', problem }: CodeFieldProps) {
  return (
    <FieldFrame label={label} problem={problem}>
      {({ className, ...wired }) => (
        <input
          required
          name={name}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          className={`${className} text-center text-xl tracking-[0.3em] tabular-nums`}
          {...wired}
          onPaste={(event) => {
            const code = codeIn(event.clipboardData.getData('text'))
            if (!code) return
            event.preventDefault()
            event.currentTarget.value = code
          }}
        />
      )}
    </FieldFrame>
  )
}

export function RecoveryField({ name = 'code', problem }: { name?: string; problem: string | undefined }) {
  return (
    <FieldFrame label={authTexts.recoveryLabel} problem={problem}>
      {({ className, ...wired }) => (
        <input
          required
          name={name}
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          className={`${className} text-center font-mono text-lg`}
          {...wired}
        />
      )}
    </FieldFrame>
  )
}

/** False until the page is alive (before-paint.ts). */
export function useCanUsePasskeys(): boolean {
  return useIsAlive() && document.documentElement.hasAttribute('data-passkeys')
}

export async function signInByPasskey(): Promise<Outcome> {
  return ceremony(() => authClient().then((auth) => auth.signInWithPasskey()), signInOutcome)
}

/** Gives a passkey as a second factor. */
export async function givePasskey(factorId: string): Promise<Outcome> {
  return ceremony(() => authClient().then((auth) => auth.mfa.webauthn.authenticate({ factorId })))
}

/** The session is renewed: it counts as proven by a second factor then. */
export async function addPasskey(friendlyName: string): Promise<Outcome> {
  let passkeyId: string | undefined
  const added = await ceremony(async () => {
    const { data, error } = await (await authClient()).registerPasskey()
    passkeyId = data?.id
    return { error }
  })
  if (passkeyId === undefined) return added
  await renewSession()
  return friendlyName ? renamePasskey(passkeyId, friendlyName) : added
}

export async function renamePasskey(passkeyId: string, friendlyName: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.passkey.update({ passkeyId, friendlyName })))
}

export async function removePasskey(passkeyId: string): Promise<Outcome> {
  return outcome(() => authClient().then((auth) => auth.passkey.delete({ passkeyId })))
}

/** Codes that are the browser's begin so; its messages are for programmers. */
const isOfBrowser = (code: string | undefined) => code?.startsWith('ERROR_') === true

async function ceremony(call: Parameters<typeof outcome>[0], run = outcome): Promise<Outcome> {
  const result = await run(call)
  if (!isOfBrowser(result.code)) return result
  const isHere = result.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  return { ...result, problem: isHere ? authTexts.passkeyIsHere : authTexts.passkeyNotUsed }
}

/** The message stands in a shop that sends no mail. */
export function LinkNotSent({ email }: { email: string }) {
  return fillParts(authTexts.linkWritten, {
    email: <strong className="font-semibold text-ink break-words">{email}</strong>,
    contact: (
      <a href="/#contact" className="rounded-sm text-ink underline underline-offset-4">
        {authTexts.writeToAuthor}
      </a>
    ),
  })
}
