// A question over the page: the rest is inert until it is answered, and Escape answers no.
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'

type DialogProps = {
  title: string
  isOpen?: boolean
  /** While something is under way, Escape does nothing. */
  isBusy?: boolean
  onClose: () => void
  children: ReactNode
}

export function Dialog({ title, isOpen = true, isBusy = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  useLayoutEffect(() => {
    const here = dialog.current
    // Only what is closed gives the focus back; what is merely taken away loses it.
    return () => here?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="m-auto w-[min(28rem,calc(100vw-2.5rem))] rounded-lg border border-line bg-surface p-7 break-words text-ink shadow-2xl backdrop:bg-black/60"
      onCancel={(event) => (isBusy ? event.preventDefault() : onClose())}
    >
      <h2 id={id} className="font-display text-2xl">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
