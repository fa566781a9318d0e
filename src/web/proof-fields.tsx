// What proves that it is still the account's owner: the password or a mailed code, and the code of a second factor.
import { accountTexts } from '#words/account.ts'
import { authTexts } from '#words/auth.ts'
import { useState } from 'react'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { askForProofCode, giveCode, giveRecoveryCode } from './accounts.ts'
import { api, ProblemError, responseOf } from './api.ts'
import { CodeField, FactorChoice, readCode, readRecoveryCode, RecoveryField, useWays } from './code-form.tsx'
import { failure } from './copy.ts'
import { deviceId } from './device-id.ts'
import { fillParts } from './fill-parts.tsx'
import { readText } from './form.ts'
import { givePasskey, useCanUsePasskeys } from './passkeys.ts'
import { useSession } from './session.ts'
import { useSendsMail } from './shop.ts'
import { verifiedFactors } from './stored-session.ts'
import { toast } from './toasts.tsx'
import { Button } from './components/button.tsx'
import { PasswordField } from './components/password-field.tsx'

type ProofField = 'password' | 'mailed' | 'factor'

/** `field` is undefined where a toast has shown the failure. */
export type ProofProblem = { field: ProofField | undefined; problem: string }

type ProofFieldsProps = { hasPassword: boolean; wrong: ProofProblem | undefined }

/** Without a password, a code is mailed. */
export function ProofFields({ hasPassword, wrong }: ProofFieldsProps) {
  const session = useSession()
  const own = session ? verifiedFactors(session) : []
  const ways = useWays(own)
  const sendsMail = useSendsMail()
  const [isByMail, setIsByMail] = useState(!hasPassword)
  const problemOf = (field: ProofField) => (wrong?.field === field ? wrong.problem : undefined)
  return (
    <>
      <div className="grid justify-items-start gap-1 *:w-full">
        {!hasPassword && !sendsMail ? (
          <NoMail />
        ) : isByMail ? (
          <MailedCode email={session?.user.email ?? ''} problem={problemOf('mailed')} />
        ) : (
          <PasswordField
            label={accountTexts.proof.password}
            name="current_password"
            autoComplete="current-password"
            maxLength={200}
            problem={problemOf('password')}
          />
        )}
        {hasPassword && sendsMail && (
          <Button look="quiet" className="-ms-3 w-auto! px-3! text-sm" onClick={() => setIsByMail(!isByMail)}>
            {isByMail ? accountTexts.proof.byPassword : accountTexts.proof.byMail}
          </Button>
        )}
      </div>
      {own.length > 0 && ways.includes('app') ? (
        <>
          <FactorChoice factors={own} />
          <CodeField problem={problemOf('factor')} />
        </>
      ) : (
        ways.includes('recovery') && <RecoveryField name="recovery_code" problem={problemOf('factor')} />
      )}
    </>
  )
}

type PasskeyProofProps = { isBusy: boolean; onPress: (factorId: string) => void }

/** A passkey proves as much as the fields together. */
export function PasskeyProof({ isBusy, onPress }: PasskeyProofProps) {
  const session = useSession()
  const canUse = useCanUsePasskeys()
  const passkey = session && verifiedFactors(session).find(({ factor_type }) => factor_type === 'webauthn')
  if (!passkey || !canUse) return null
  return (
    <Button look="outline" disabled={isBusy} onClick={() => onPress(passkey.id)}>
      {authTexts.passkeyButton}
    </Button>
  )
}

export async function provePasskey(factorId: string): Promise<ProofProblem | undefined> {
  const { problem } = await givePasskey(factorId)
  if (!problem) return undefined
  toast({ title: accountTexts.proof.failed, description: problem, destructive: true })
  return { field: undefined, problem }
}

function NoMail() {
  const contact = (
    <a href="/#contact" className="rounded-sm text-ink underline underline-offset-4">
      {authTexts.writeToAuthor}
    </a>
  )
  return <p className="text-pretty text-soft">{fillParts(accountTexts.proof.noMail, { contact })}</p>
}

function MailedCode({ email, problem }: { email: string; problem: string | undefined }) {
  const [isSent, setIsSent] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  async function ask() {
    setIsBusy(true)
    const { problem: failed } = await askForProofCode()
    setIsBusy(false)
    setIsSent(!failed)
    if (failed) toast({ title: authTexts.sendFailed, description: failed, destructive: true })
  }
  const shown = <strong className="font-semibold break-words text-ink">{email}</strong>
  const { mailed, sent, sendCode, sendAgain } = accountTexts.proof
  return (
    <div className="grid gap-4">
      <p role="status" className="text-pretty text-soft">
        {fillParts(isSent ? sent : mailed, { email: shown })}
      </p>
      <p>
        <Button look="outline" disabled={isBusy} onClick={() => void ask()}>
          {isSent ? sendAgain : sendCode}
        </Button>
      </p>
      <CodeField name="mailed_code" label={authTexts.mailedCode} problem={problem} />
    </div>
  )
}

export async function sendProof(form: FormData): Promise<ProofProblem | undefined> {
  try {
    const problem = await factorProblem(form)
    if (problem) return { field: 'factor', problem }
    if (form.has('mailed_code')) return await sendMailedCode(form)
    await responseOf(api.me.proof.$post({ json: { current_password: readText(form, 'current_password') } }))
    return undefined
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'auth.invalid_credentials')
      return { field: 'password', problem: accountTexts.proof.wrongPassword }
    if (error instanceof ProblemError && error.code === 'auth.otp_expired')
      return { field: 'mailed', problem: error.message }
    const notice = failure(accountTexts.proof.failed, error)
    toast(notice)
    return { field: undefined, problem: notice.title }
  }
}

async function sendMailedCode(form: FormData): Promise<ProofProblem | undefined> {
  const code = readCode(form, 'mailed_code')
  if (!code) return { field: 'mailed', problem: authTexts.codeProblem }
  const headers = { [deviceHeader]: deviceId() }
  await responseOf(api.me.proof.$post({ json: { code } }, { headers }))
  return undefined
}

async function factorProblem(form: FormData): Promise<string | undefined> {
  if (form.has('code')) {
    const code = readCode(form)
    return code ? (await giveCode(readText(form, 'factor'), code)).problem : authTexts.codeProblem
  }
  if (!form.has('recovery_code')) return undefined
  const code = readRecoveryCode(form, 'recovery_code')
  return code ? (await giveRecoveryCode(code)).problem : authTexts.recoveryProblem
}
