import { useRef, useState, useSyncExternalStore, type FormEvent } from 'react'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { useFocusBack, useFocusWrong } from '../../focus-back.ts'
import { giveProof, ProofFields, type ProofProblem } from './proof-fields.tsx'

type Question = { action: string; answer: (isProven: boolean) => void }

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

/** False when the admin canceled. One dialog serves all calls that wait for it. */
export function askForProof(action: string): Promise<boolean> {
  return new Promise((answer) => change(() => questions.push({ action, answer })))
}

export function ProofDialog() {
  const action = useSyncExternalStore(
    subscribe,
    () => questions[0]?.action,
    () => undefined,
  )
  return action && <ProofForm action={action} />
}

function ProofForm({ action }: { action: string }) {
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [wrong, setWrong] = useState<ProofProblem>()
  useFocusBack(form, isBusy)
  useFocusWrong(form, wrong)
  function end(isProven: boolean) {
    change(() => {
      for (const { answer } of questions.splice(0)) answer(isProven)
    })
  }
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsBusy(true)
    const problem = await giveProof(new FormData(event.currentTarget))
    setIsBusy(false)
    setWrong(problem)
    if (!problem) end(true)
  }
  return (
    <Dialog title="Confirm it’s you" isBusy={isBusy} onClose={() => end(false)}>
      <p className="mt-3 text-pretty text-soft">
        You signed in a while ago. Please enter your password again to continue. Nothing you have typed is
        lost.
      </p>
      <form ref={form} method="post" className="mt-5" onSubmit={(event) => void send(event)}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <ProofFields wrong={wrong} />
          <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
            <CancelButton />
            <Button type="submit">{isBusy ? 'One moment...' : action}</Button>
          </p>
        </fieldset>
      </form>
    </Dialog>
  )
}
