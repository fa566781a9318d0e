import { authTexts } from '#words/auth.ts'
import { fill } from '#words/fill.ts'
import { fillParts } from './fill-parts.tsx'
import { useRef, useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { giveCode, giveRecoveryCode } from './accounts.ts'
import { useFocusBack } from './focus-back.ts'
import { readText } from './form.ts'
import { renewSession } from './session.ts'
import type { StoredFactor } from './stored-session.ts'
import { Button } from './components/button.tsx'
import { FieldFrame } from './components/field.tsx'
import { SelectField } from './components/select-field.tsx'
import { Spinner } from './components/spinner.tsx'

type CodeFormProps = {
  text: string
  factors: readonly StoredFactor[]
  onDone: () => void
  onLeave: () => void
}

export function CodeForm({ text, factors, onDone, onLeave }: CodeFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [isRecovery, setIsRecovery] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const hasRecovery = factors.some(({ factor_type }) => factor_type === 'recovery_code')
  useFocusBack(form, isBusy)

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const written = new FormData(event.currentTarget)
    const code = isRecovery ? readRecoveryCode(written) : readCode(written)
    if (!code) return setProblem(isRecovery ? authTexts.recoveryProblem : authTexts.codeProblem)
    setIsBusy(true)
    const outcome = await (isRecovery ? giveRecoveryCode(code) : giveCode(readText(written, 'factor'), code))
    // Removed meanwhile: the renewed session says what is asked for now.
    if (outcome.code === 'mfa_factor_not_found') await renewSession()
    setIsBusy(false)
    setProblem(outcome.problem)
    if (outcome.code === 'session_not_found') onLeave()
    else if (!outcome.problem) onDone()
  }

  function change() {
    setIsRecovery(!isRecovery)
    setProblem(undefined)
  }

  return (
    <form ref={form} method="post" onSubmit={(event) => void send(event)}>
      <p className="mt-2 mb-5 text-pretty break-words text-soft">
        {isRecovery ? authTexts.recoveryText : text}
      </p>
      <fieldset disabled={isBusy} className="grid gap-5">
        <div key={String(isRecovery)} ref={focusCode} className="grid gap-5">
          {isRecovery ? (
            <RecoveryField problem={problem} />
          ) : (
            <>
              <FactorChoice factors={factors} />
              <CodeField problem={problem} />
            </>
          )}
        </div>
        <Button type="submit" className="min-h-12">
          {isBusy && <Spinner />}
          {isBusy ? authTexts.checking : authTexts.continue}
        </Button>
        {hasRecovery && (
          <Button look="outline" onClick={change}>
            {isRecovery ? authTexts.askAuthenticator : authTexts.askRecoveryCode}
          </Button>
        )}
        <Button look="quiet" onClick={onLeave}>
          {authTexts.otherAccount}
        </Button>
      </fieldset>
      {isRecovery === hasRecovery && (
        <p className="mt-5 text-center text-sm text-pretty text-soft">
          {fillParts(isRecovery ? authTexts.lostRecoveryCodes : authTexts.lostAuthenticator, {
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

function focusCode(fields: HTMLElement | null): void {
  fields?.querySelector<HTMLInputElement>('[name=code]')?.focus()
}

export function readCode(written: FormData, name = 'code'): string | undefined {
  const code = readText(written, name).replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}

function readRecoveryCode(written: FormData): string | undefined {
  const code = readText(written, 'code').replaceAll(/[\s-]/g, '')
  return /^[a-z\d]{16}$/i.test(code) ? code : undefined
}

/** Of authenticator apps. */
export function FactorChoice({ factors }: { factors: readonly StoredFactor[] }) {
  const apps = factors.filter(({ factor_type }) => factor_type === 'totp')
  const options = apps.map(({ id, friendly_name }, n) => ({
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
          maxLength={11}
          className={`${className} text-center text-xl tracking-[0.3em] tabular-nums`}
          {...wired}
        />
      )}
    </FieldFrame>
  )
}

function RecoveryField({ problem }: { problem: string | undefined }) {
  return (
    <FieldFrame label={authTexts.recoveryLabel} problem={problem}>
      {({ className, ...wired }) => (
        <input
          required
          name="code"
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
