// Short notices in the corner: spoken to screen readers, gone by themselves, held while read.
import { X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'

export type Toast = { title: string; description?: string; destructive?: boolean }
type Shown = Toast & { id: number }

const shownMs = 6000
const none: readonly Shown[] = []
const listeners = new Set<() => void>()
let toasts = none
let lastId = 0

export function toast(notice: Toast): void {
  lastId += 1
  change([...toasts, { ...notice, id: lastId }].slice(-3))
}

export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  )
  return (
    <div role="status" className="fixed inset-x-4 bottom-4 z-50 flex flex-col gap-3 sm:left-auto sm:w-96">
      {shown.map((notice) => (
        <Notice key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function Notice({ notice: { id, title, description, destructive } }: { notice: Shown }) {
  useEffect(() => {
    const timer = setTimeout(() => close(id), shownMs)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div
      className={`flex items-start gap-3 rounded-md border bg-surface p-4 shadow-lg ${destructive ? 'border-danger' : 'border-line'}`}
    >
      <div className="grow">
        <p className={`font-semibold ${destructive ? 'text-danger' : ''}`}>{title}</p>
        {description && <p className="mt-0.5 text-sm text-soft">{description}</p>}
      </div>
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
