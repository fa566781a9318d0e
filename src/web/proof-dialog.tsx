import { accountTexts } from '#words/account.ts'
import { authTexts } from '#words/auth.ts'
import { Button } from './components/button.tsx'
import { CancelButton, Dialog } from './components/dialog.tsx'
import { CodeField, FactorChoice, readCode } from './code-form.tsx'
import { PasswordField } from './components/password-field.tsx'
import { api, ProblemError, responseOf, send } from './api.ts'
import { failure } from './copy.ts'
import { giveCode } from './accounts.ts'
import { readText } from './form.ts'
import { toast } from './toasts.tsx'
import { useFocusBack, useFocusWrong } from './focus-back.ts'
import { useRef, useState, useSyncExternalStore, type FormEvent, type ReactNode } from 'react'
import { useSession } from './session.ts'
import { verifiedFactors } from './stored-session.ts'

type Question = { action: string | undefined; answer: (isProven: boolean) => void }

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
export function askForProof(action?: string): Promise<boolean> {
  return new Promise((answer) => change(() => questions.push({ action, answer })))
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
    onProven,
    onClose,
    children,
  } = props
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [wrong, setWrong] = useState<ProofProblem>()
  useFocusBack(form, isBusy)
  useFocusWrong(form, wrong)
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsBusy(true)
    const problem = await sendProof(new FormData(event.currentTarget))
    if (!problem) await onProven()
    setIsBusy(false)
    setWrong(problem)
  }
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">{children}</p>
      <form ref={form} method="post" className="mt-5" onSubmit={(event) => void send(event)}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <ProofFields wrong={wrong} />
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

/** `field` is undefined where a toast has shown the failure. */
type ProofProblem = { field: 'password' | 'code' | undefined; problem: string }

function ProofFields({ wrong }: { wrong: ProofProblem | undefined }) {
  const session = useSession()
  const own = session ? verifiedFactors(session) : []
  return (
    <>
      <PasswordField
        label={accountTexts.proof.password}
        name="current_password"
        autoComplete="current-password"
        maxLength={200}
        problem={wrong?.field === 'password' ? wrong.problem : undefined}
      />
      {own.length > 0 && (
        <>
          <FactorChoice factors={own} />
          <CodeField problem={wrong?.field === 'code' ? wrong.problem : undefined} />
        </>
      )}
    </>
  )
}

async function sendProof(form: FormData): Promise<ProofProblem | undefined> {
  try {
    const problem = form.has('code') ? await codeProblem(form) : undefined
    if (problem) return { field: 'code', problem }
    await responseOf(api.me.proof.$post({ json: { current_password: readText(form, 'current_password') } }))
    return undefined
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'auth.invalid_credentials')
      return { field: 'password', problem: accountTexts.proof.wrongPassword }
    const notice = failure(accountTexts.proof.failed, error)
    toast(notice)
    return { field: undefined, problem: notice.title }
  }
}

async function codeProblem(form: FormData): Promise<string | undefined> {
  const code = readCode(form)
  return code ? (await giveCode(readText(form, 'factor'), code)).problem : authTexts.codeProblem
}
