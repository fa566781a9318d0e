// Asks who it is when a call needs it, and makes the call again: what was entered for it stays where it is.
import { useState, useSyncExternalStore } from 'react'
import { hc } from 'hono/client'
import type { Hono } from 'hono'
import { api, ProblemError, send } from '../../api.ts'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { toast } from '../../toasts.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { giveOwnCode, proofAskedBy, type ProofProblem } from './proof-fields.tsx'

type Question = { answer: (isProven: boolean) => void }

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

/** False when the admin gave up. One dialog answers all calls that wait for it. */
export function askForProof(): Promise<boolean> {
  return new Promise((answer) => change(() => questions.push({ answer })))
}

/** As adminClient, for calls that need a recent sign-in or proof: where one is missing, it is asked for. */
// oxlint-disable-next-line typescript/no-explicit-any -- hc's own bound
export function provenClient<Part extends Hono<any, any, any>>() {
  return hc<Part>('/api/admin', { fetch: sendProven })
}

async function sendProven(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await send(input, init)
  } catch (error) {
    if (!proofAskedBy(error) || !(await askForProof())) throw error
    return send(input, init)
  }
}

/** Shown once, by the frame of the admin area. */
export function AskedProof() {
  const isAsked = useSyncExternalStore(
    subscribe,
    () => questions.length > 0,
    () => false,
  )
  return isAsked && <Asked />
}

function Asked() {
  const [isBusy, setIsBusy] = useState(false)
  const [wrong, setWrong] = useState<ProofProblem>()
  function end(isProven: boolean) {
    change(() => {
      for (const { answer } of questions.splice(0)) answer(isProven)
    })
  }
  async function prove(form: FormData) {
    setIsBusy(true)
    const problem = await giveProof(form)
    setIsBusy(false)
    setWrong(problem === 'failed' ? undefined : problem)
    if (!problem) end(true)
  }
  return (
    <ProofDialog
      wrong={wrong}
      isBusy={isBusy}
      action="Go on"
      onSend={(form) => void prove(form)}
      onClose={() => end(false)}
    />
  )
}

/** Undefined when all was right. */
async function giveProof(form: FormData): Promise<ProofProblem | 'failed' | undefined> {
  try {
    const wrong = await giveOwnCode(form)
    if (wrong) return wrong
    await api.me.proof.$post({ json: { current_password: readText(form, 'current_password') } })
    return undefined
  } catch (error) {
    const asked = error instanceof ProblemError ? proofAskedBy(error) : undefined
    if (asked?.wrong) return asked.wrong
    toast(failure('Not Confirmed', error))
    return 'failed'
  }
}
