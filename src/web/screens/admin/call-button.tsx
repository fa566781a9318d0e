import { useState, type ComponentProps, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import type { CallNotices } from './admin-action.ts'
import { useAdminCall } from './use-admin-call.ts'

type CallButtonProps<Body> = Omit<ComponentProps<typeof Button>, 'name' | 'onClick'> &
  CallNotices<Body> & {
    label: ReactNode
    busyLabel?: string
    /** For screen readers, where several buttons have the same label. */
    name?: string
    call: () => Promise<Body>
    /** Asked in a dialog before the call; the children say what follows from it. */
    question?: { title: string; action: string; isDanger?: boolean }
  }

export function CallButton<Body>(props: CallButtonProps<Body>) {
  const { label, busyLabel, name, call, done, failed, question, disabled, children, ...rest } = props
  const [isBusy, run] = useAdminCall()
  const [isAsking, setIsAsking] = useState(false)
  function start() {
    setIsAsking(false)
    void run(call, { done, failed })
  }
  return (
    <>
      <Button
        look="outline"
        aria-label={name}
        disabled={disabled || isBusy}
        onClick={() => (question ? setIsAsking(true) : start())}
        {...rest}
      >
        {isBusy && busyLabel ? busyLabel : label}
      </Button>
      {question && isAsking && (
        <Confirm {...question} onClose={() => setIsAsking(false)} onConfirm={start}>
          {children}
        </Confirm>
      )}
    </>
  )
}
