// Asks the admin to prove who asks, when the last proof is too old for what is to be changed.
import { useRef, type FormEvent } from 'react'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { useFocusBack, useFocusWrong } from '../../focus-back.ts'
import { ProofFields, type ProofProblem } from './proof-fields.tsx'

type ProofDialogProps = {
  wrong: ProofProblem | undefined
  isBusy: boolean
  /** On the button that sends it anew. */
  action?: string
  onSend: (proof: FormData) => void
  onClose: () => void
}

/** What is sent anew, together with the proof, stays on the screen. */
export function ProofDialog({ wrong, isBusy, action = 'Save', onSend, onClose }: ProofDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  useFocusBack(form, isBusy)
  useFocusWrong(form, wrong)
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onSend(new FormData(event.currentTarget))
  }
  return (
    <Dialog title="Is that you?" isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">
        Some time has passed since you signed in. This can be done only by someone who has just shown who they
        are. What you entered stays.
      </p>
      <form ref={form} method="post" className="mt-5" onSubmit={send}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <ProofFields wrong={wrong} />
          <p className="flex flex-wrap justify-end gap-3">
            <CancelButton />
            <Button type="submit">{isBusy ? 'One moment...' : action}</Button>
          </p>
        </fieldset>
      </form>
    </Dialog>
  )
}
