import { controlsTexts } from '#words/controls.ts'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmProps = {
  title: string
  action: string
  isDanger?: boolean
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

export function Confirm({
  title,
  action,
  isDanger,
  isBusy = false,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) {
  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <div className="mt-3 text-pretty text-soft">{children}</div>
      <p className="mt-6 flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <Button look="outline" disabled={isBusy} onClick={onClose}>
          {controlsTexts.cancel}
        </Button>
        <Button look={isDanger ? 'danger' : 'primary'} disabled={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </p>
    </Dialog>
  )
}
