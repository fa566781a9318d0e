import { siteTexts } from '#words/site.ts'
import { X } from './components/icons.tsx'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { toasts, useStore, type ShownToast, type Toast } from './page-state.ts'
import { useToastPlace } from './toast-place.ts'

export type { Toast }

/** Error toasts stay longer. */
const shownMs = { good: 6_000, bad: 10_000 }
const swipePx = 80

export function toast(notice: Toast): void {
  const { shown, lastId } = toasts.get()
  const id = lastId + 1
  const others = shown.filter((other) => {
    const isSame = other.title === notice.title && other.description === notice.description
    const isOver = other.destructive && !notice.destructive
    return !isSame && !isOver && !other.isBrief
  })
  toasts.set({ shown: [...others, { ...notice, id }].slice(-3), lastId: id })
}

export function Toasts() {
  const { shown } = useStore(toasts)
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

function Notice({ notice: { id, title, description, destructive, action, link } }: { notice: ShownToast }) {
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
      <button
        type="button"
        aria-label={siteTexts.close}
        className="-m-1 cursor-pointer p-1"
        onClick={() => close(id)}
      >
        <X aria-hidden className="size-5" />
      </button>
    </div>
  )
}

function close(id: number): void {
  const { shown, lastId } = toasts.get()
  toasts.set({ shown: shown.filter((notice) => notice.id !== id), lastId })
}
