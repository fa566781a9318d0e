import { useState, type ReactNode } from 'react'
import type { Toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { useAdminCall } from './use-admin-call.ts'

type ConfirmedButtonProps = {
  label: string
  name?: string
  title: string
  action: string
  children: ReactNode
  call: () => Promise<unknown>
  done: Toast
  failed: string
}

export function ConfirmedButton({ label, name, title, action, children, ...rest }: ConfirmedButtonProps) {
  const { call, done, failed } = rest
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, run] = useAdminCall()
  return (
    <>
      <Button look="outline" disabled={isBusy} aria-label={name} onClick={() => setIsAsking(true)}>
        {isBusy ? 'One moment...' : label}
      </Button>
      {isAsking && (
        <Confirm
          title={title}
          action={action}
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false)
            void run(call, { done, failed })
          }}
        >
          {children}
        </Confirm>
      )}
    </>
  )
}
