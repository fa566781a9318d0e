// Short notices in the corner: spoken to screen readers, gone by themselves, held while read.
import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'

export type Toast = {
  title: string
  description?: string
  destructive?: boolean
  /** What may still be done about it, as "Undo". */
  action?: { label: string; onPress: () => void }
}
type Shown = Toast & { id: number }

/** Bad news is read twice. */
const shownMs = { good: 6_000, bad: 10_000 }
const none: readonly Shown[] = []
const listeners = new Set<() => void>()
let toasts = none
let lastId = 0

/** The same notice again takes the place of the first, and good news that of trouble: it went well after all. */
export function toast(notice: Toast): void {
  lastId += 1
  const others = toasts.filter((shown) => {
    const isSame = shown.title === notice.title && shown.description === notice.description
    const isOver = shown.destructive && !notice.destructive
    return !isSame && !isOver
  })
  change([...others, { ...notice, id: lastId }].slice(-3))
}

export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  )
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-4 z-50 flex flex-col gap-3 sm:left-auto sm:w-96 print:hidden"
    >
      {shown.map((notice) => (
        <Notice key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function Notice({ notice: { id, title, description, destructive, action } }: { notice: Shown }) {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => close(id), destructive ? shownMs.bad : shownMs.good)
    return () => clearTimeout(timer)
  }, [id, destructive, isHeld])
  return (
    <div
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={`flex items-start gap-3 rounded-md border bg-surface p-4 shadow-lg ${destructive ? 'border-danger' : 'border-line'}`}
    >
      <div className="min-w-0 grow break-words">
        <p className={`font-semibold ${destructive ? 'text-danger' : ''}`}>{title}</p>
        {description && <p className="mt-0.5 text-sm text-soft">{description}</p>}
      </div>
      {action && (
        <button
          type="button"
          className="cursor-pointer rounded-sm font-semibold underline underline-offset-4"
          onClick={() => {
            close(id)
            action.onPress()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" aria-label="Close" className="-m-1 cursor-pointer p-1" onClick={() => close(id)}>
        <X aria-hidden className="size-5" />
      </button>
    </div>
  )
}

function close(id: number): void {
  change(toasts.filter((notice) => notice.id !== id))
}

function change(next: readonly Shown[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
