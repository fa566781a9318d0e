// A button for what asks for a recent proof: a question first, the proof where the last one is too old, then the call.
import { useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { toast, type Toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { leaveIfRefused } from './load.ts'
import { giveOwnCode, proofAskedBy, type AskedProof } from './proof-fields.tsx'
import { ProofDialog } from './proof-dialog.tsx'

export type GivenProof = { current_password?: string }

type ProvenButtonProps = {
  label: string
  /** Names the button where its label alone does not say what it is for. */
  name?: string
  title: string
  /** The verb, on the button that does it. */
  action: string
  /** What will be done. */
  children: ReactNode
  call: (proof: GivenProof) => Promise<unknown>
  done: Toast
  /** The title of the notice when it was refused. */
  failed: string
}

export function ProvenButton({ label, name, title, action, children, ...sending }: ProvenButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [proof, setProof] = useState<AskedProof>()
  const [isBusy, setIsBusy] = useState(false)
  const revalidator = useRevalidator()

  async function send(given?: FormData) {
    setIsBusy(true)
    const { isDone, asked } = await sendWith(sending, given)
    setIsBusy(false)
    setIsAsking(false)
    setProof(asked)
    if (isDone) void revalidator.revalidate()
  }
  return (
    <>
      <Button look="outline" disabled={isBusy} aria-label={name} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <Confirm
          title={title}
          action={action}
          isBusy={isBusy}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void send()}
        >
          {children}
        </Confirm>
      )}
      {proof && (
        <ProofDialog
          wrong={proof.wrong}
          isBusy={isBusy}
          action={action}
          onSend={(given) => void send(given)}
          onClose={() => setProof(undefined)}
        />
      )}
    </>
  )
}

async function sendWith(
  { call, done, failed }: Pick<ProvenButtonProps, 'call' | 'done' | 'failed'>,
  given: FormData | undefined,
): Promise<{ isDone: boolean; asked?: AskedProof }> {
  const current_password = (given && readText(given, 'current_password')) || undefined
  try {
    const wrong = given && (await giveOwnCode(given))
    if (wrong) return { isDone: false, asked: { wrong } }
    await call(current_password ? { current_password } : {})
    toast(done)
    return { isDone: true }
  } catch (error) {
    leaveIfRefused(error)
    const asked = proofAskedBy(error)
    if (asked) return { isDone: false, asked }
    toast(failure(failed, error))
    return { isDone: false }
  }
}
