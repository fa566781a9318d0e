import { X } from './components/icons.tsx'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { useToastPlace } from './use-toast-place.ts'

export type Toast = {
  title: string
  description?: string
  destructive?: boolean
  isBrief?: boolean
  action?: { label: string; onPress: () => void }
  link?: { label: string; to: string }
}
type Shown = Toast & { id: number }

/** Error toasts stay longer. */
const shownMs = { good: 6_000, bad: 10_000 }
const swipePx = 80
const none: readonly Shown[] = []
const listeners = new Set<() => void>()
let toasts = none
let lastId = 0

export function toast(notice: Toast): void {
  lastId += 1
  const others = toasts.filter((shown) => {
    const isSame = shown.title === notice.title && shown.description === notice.description
    const isOver = shown.destructive && !notice.destructive
    return !isSame && !isOver && !shown.isBrief
  })
  change([...others, { ...notice, id: lastId }].slice(-3))
}

export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  )
  const region = useRef<HTMLDivElement>(null)
  useToastPlace(region, shown.length > 0)
  return (
    <div
      ref={region}
      role="status"
      className="pointer-events-none fixed top-4 left-4 z-50 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-3 print:hidden"
    >
      {shown.map((notice) => (
        <Notice key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function Notice({ notice: { id, title, description, destructive, action, link } }: { notice: Shown }) {
  const [isHeld, setIsHeld] = useState(false)
  const way = useRef<HTMLButtonElement>(null)
  const touchedAt = useRef(0)
  // What may be done about it is next at hand: by the keyboard it is too far for a few seconds. There it waits.
  useEffect(() => way.current?.focus(), [])
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
      onPointerDown={({ clientX }) => (touchedAt.current = clientX)}
      onPointerUp={({ clientX, pointerType }) => {
        const isSwipe = pointerType === 'touch' && Math.abs(clientX - touchedAt.current) > swipePx
        if (isSwipe) close(id)
      }}
      className={`pointer-events-auto flex touch-pan-y items-start gap-3 rounded-md border bg-raised p-4 shadow-lg ${destructive ? 'border-danger' : 'border-edge'}`}
    >
      <div className="min-w-0 grow break-words">
        <p className={`font-semibold ${destructive ? 'text-danger' : ''}`}>{title}</p>
        {description && <p className="mt-0.5 text-sm text-soft">{description}</p>}
      </div>
      {link && (
        <Link
          to={link.to}
          className="shrink-0 rounded-sm font-semibold underline underline-offset-4"
          onClick={() => close(id)}
        >
          {link.label}
        </Link>
      )}
      {action && (
        <button
          ref={way}
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
