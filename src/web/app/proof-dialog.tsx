// The proof that it is still the account's owner: the password or a mailed code, and the code of a second factor.
import { accountTexts } from '#words/account.ts'
import { authTexts } from '#words/auth.ts'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { askForProofCode, giveCode, giveRecoveryCode } from '../session/accounts.ts'
import { api, ProblemError, responseOf, send } from '../api.ts'
import {
  CodeField,
  FactorChoice,
  readCode,
  readRecoveryCode,
  RecoveryField,
  useWays,
  givePasskey,
  useCanUsePasskeys,
} from '../session/credentials.tsx'
import { failure } from '../notices/send.ts'
import { deviceId } from '../session/device-id.ts'
import { fillParts } from '../format/fill-parts.tsx'
import type { FieldProblems } from '#contract/field-rules.ts'
import { asEntered, readText, useForm, type FormResult } from '../forms/form.ts'
import { verifiedFactors } from '../session/session.ts'
import { useSession } from '../session/use-session.ts'
import { useSendsMail } from '../shop.ts'
import { toast } from '../notices/toasts.tsx'
import { Button } from '../components/button.tsx'
import { PasswordField } from '../components/further-fields.tsx'
import { CancelButton, Dialog } from '../components/dialog.tsx'

type ProofFieldsProps = { hasPassword: boolean; problems: FieldProblems | undefined }

/** A code is mailed where the account has no password. */
function ProofFields({ hasPassword, problems }: ProofFieldsProps) {
  const session = useSession()
  const own = session ? verifiedFactors(session) : []
  const ways = useWays(own)
  const sendsMail = useSendsMail()
  const [isByMail, setIsByMail] = useState(!hasPassword)
  return (
    <>
      <div className="grid justify-items-start gap-1 *:w-full">
        {!hasPassword && !sendsMail ? (
          <NoMail />
        ) : isByMail ? (
          <MailedCode email={session?.user.email ?? ''} problem={problems?.['mailed_code']} />
        ) : (
          <PasswordField
            label={accountTexts.proof.password}
            name="current_password"
            autoComplete="current-password"
            maxLength={200}
            problem={problems?.['current_password']}
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
          <CodeField problem={problems?.['factor']} />
        </>
      ) : (
        ways.includes('recovery') && <RecoveryField name="recovery_code" problem={problems?.['factor']} />
      )}
    </>
  )
}

type PasskeyProofProps = { isBusy: boolean; onPress: (factorId: string) => void }

/** A passkey proves as much as the fields together. */
function PasskeyProof({ isBusy, onPress }: PasskeyProofProps) {
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

async function provePasskey(factorId: string): Promise<FormResult> {
  const { problem } = await givePasskey(factorId)
  if (!problem) return { isSaved: true }
  toast({ title: accountTexts.proof.failed, description: problem, destructive: true })
  return { isSaved: false }
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

const wrong = (problems?: FieldProblems): FormResult => ({ isSaved: false, problems })

async function sendProof(form: FormData): Promise<FormResult> {
  try {
    const factor = await factorProblem(form)
    if (factor) return wrong({ factor })
    if (form.has('mailed_code')) return await sendMailedCode(form)
    await responseOf(api.me.proof.$post({ json: { current_password: readText(form, 'current_password') } }))
    return { isSaved: true }
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'auth.invalid_credentials')
      return wrong({ current_password: accountTexts.proof.wrongPassword })
    if (error instanceof ProblemError && error.code === 'auth.otp_expired')
      return wrong({ mailed_code: error.message })
    toast(failure(accountTexts.proof.failed, error))
    return wrong()
  }
}

async function sendMailedCode(form: FormData): Promise<FormResult> {
  const code = readCode(form, 'mailed_code')
  if (!code) return wrong({ mailed_code: authTexts.codeProblem })
  const headers = { [deviceHeader]: deviceId() }
  await responseOf(api.me.proof.$post({ json: { code } }, { headers }))
  return { isSaved: true }
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

type Question = {
  action: string | undefined
  hasPassword: boolean
  answer: (isProven: boolean) => void
}

const questions: Question[] = []
const listeners = new Set<() => void>()

function change(edit: () => void): void {
  edit()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Asks for the proof that a refused call needs, and repeats the call. Without the proof it throws the refusal. */
export function sendWithProof(action?: string): typeof fetch {
  return async (input, init) => {
    try {
      return await send(input, init)
    } catch (error) {
      if (!isProofMissing(error) || !(await askForProof(action))) throw error
      return send(input, init)
    }
  }
}

export function isProofMissing(error: unknown): boolean {
  return error instanceof ProblemError && isProofNeeded(error.code)
}

/** `code` is the shop's own; GoTrue's has no prefix. */
export function isProofNeeded(code: string | undefined): boolean {
  return /^(auth\.)?(reauthentication_needed|insufficient_aal)$/.test(code ?? '')
}

/** False when the user canceled. One dialog serves all calls that wait for it. */
export async function askForProof(action?: string): Promise<boolean> {
  const me = await responseOf(api.me.$get()).catch(() => undefined)
  const hasPassword = me?.has_password ?? true
  return new Promise((answer) => change(() => questions.push({ action, hasPassword, answer })))
}

export function ProofDialog() {
  const question = useSyncExternalStore(
    subscribe,
    () => questions[0],
    () => undefined,
  )
  function end(isProven: boolean) {
    change(() => {
      for (const { answer } of questions.splice(0)) answer(isProven)
    })
  }
  return (
    question && (
      <ProofForm
        title={accountTexts.proof.title}
        action={question.action ?? accountTexts.proof.continue}
        hasPassword={question.hasPassword}
        onProven={() => end(true)}
        onClose={() => end(false)}
      >
        {accountTexts.proof.why}
      </ProofForm>
    )
  )
}

type ProofFormProps = {
  title: string
  action: string
  busyLabel?: string
  isDanger?: boolean
  hasPassword?: boolean
  onProven: () => void | Promise<void>
  onClose: () => void
  children: ReactNode
}

export function ProofForm(props: ProofFormProps) {
  const {
    title,
    action,
    busyLabel = accountTexts.proof.checking,
    isDanger,
    hasPassword = true,
    onProven,
    onClose,
    children,
  } = props
  const { form, isBusy, problems, run } = useForm(asEntered, (entered) => prove(sendProof(entered)))
  async function prove(sent: Promise<FormResult>): Promise<FormResult> {
    const result = await sent
    if (result.isSaved) await onProven()
    return result
  }
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">{children}</p>
      <form {...form} noValidate={false} className="mt-5">
        <fieldset disabled={isBusy} className="grid gap-5">
          <PasskeyProof isBusy={isBusy} onPress={(factor) => void run(() => prove(provePasskey(factor)))} />
          <ProofFields hasPassword={hasPassword} problems={problems} />
          <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <CancelButton />
            <Button type="submit" look={isDanger ? 'danger' : 'primary'}>
              {isBusy ? busyLabel : action}
            </Button>
          </p>
        </fieldset>
      </form>
    </Dialog>
  )
}
