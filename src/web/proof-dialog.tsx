import { accountTexts } from '#words/account.ts'
import { Button } from './components/button.tsx'
import { CancelButton, Dialog } from './components/dialog.tsx'
import { api, ProblemError, responseOf, send } from './api.ts'
import { useFocusBack, useFocusWrong } from './focus-back.ts'
import { useRef, useState, useSyncExternalStore, type FormEvent, type ReactNode } from 'react'
import { PasskeyProof, ProofFields, provePasskey, sendProof, type ProofProblem } from './proof-fields.tsx'

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
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [wrong, setWrong] = useState<ProofProblem>()
  useFocusBack(form, isBusy)
  useFocusWrong(form, wrong)
  async function prove(send: () => Promise<ProofProblem | undefined>) {
    setIsBusy(true)
    const problem = await send()
    if (!problem) await onProven()
    setIsBusy(false)
    setWrong(problem)
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const written = new FormData(event.currentTarget)
    void prove(() => sendProof(written))
  }
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">{children}</p>
      <form ref={form} method="post" className="mt-5" onSubmit={submit}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <PasskeyProof isBusy={isBusy} onPress={(factor) => void prove(() => provePasskey(factor))} />
          <ProofFields hasPassword={hasPassword} wrong={wrong} />
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
