// Dialogs, and the question before an action.
import { controlsTexts } from '#words/site.ts'
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { Toasts } from '../notices/toasts.tsx'
import { Button } from './button.tsx'

type DialogProps = {
  title: string
  isBusy?: boolean
  onClose: () => void
  children: ReactNode
}

const Cancel = createContext(() => {})

export function Dialog({ title, isBusy = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isChanged = useRef(false)
  const [place, setPlace] = useState<HTMLElement>()
  useEffect(() => dialog.current?.showModal(), [])
  useLayoutEffect(() => {
    const here = dialog.current
    // A dialog gives the focus back only when it is closed; one that is merely taken away loses it.
    return () => here?.close()
  }, [])
  useEffect(() => () => place?.focus(), [place])

  const cancel = useCallback(() => {
    if (isBusy) return
    const { activeElement } = document
    if (place) setPlace(undefined)
    else if (isChanged.current && activeElement instanceof HTMLElement) setPlace(activeElement)
    else onClose()
  }, [isBusy, place, onClose])
  // The `cancel` event is not enough: browsers let the second Escape in a row close the dialog whatever it says.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.preventDefault()
    cancel()
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="m-auto w-[min(28rem,calc(100vw-2.5rem))] rounded-lg border border-line bg-surface p-7 text-start break-words text-ink shadow-2xl backdrop:bg-black/60"
      onInput={() => (isChanged.current = true)}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        cancel()
      }}
    >
      <h2 id={id} className="font-display text-2xl">
        {place ? controlsTexts.discardQuestion : title}
      </h2>
      {place && <Discard onDiscard={onClose} onKeep={() => setPlace(undefined)} />}
      <div hidden={place !== undefined}>
        <Cancel value={cancel}>{children}</Cancel>
      </div>
      <Toasts isInDialog />
    </dialog>
  )
}

export function CancelButton({ children = controlsTexts.cancel, ...rest }: ComponentProps<typeof Button>) {
  return (
    <Button look="outline" onClick={useContext(Cancel)} {...rest}>
      {children}
    </Button>
  )
}

function Discard({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  const cancelButton = useRef<HTMLButtonElement>(null)
  useEffect(() => cancelButton.current?.focus(), [])
  return (
    <p className="mt-6 flex flex-wrap justify-end gap-3 max-sm:*:grow">
      <Button look="outline" onClick={onDiscard}>
        {controlsTexts.discard}
      </Button>
      <Button ref={cancelButton} onClick={onKeep}>
        {controlsTexts.keepEditing}
      </Button>
    </p>
  )
}

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
