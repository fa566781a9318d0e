// Shows toasts, and moves them into an open dialog.
import { useEffect, useId, useRef, useState } from 'react'
import { siteTexts } from '#words/site.ts'
import { X } from '../components/icons.tsx'
import { Link } from '../components/button.tsx'
import { toastRegions, toasts, type ShownToast, type Toast } from '../page/page-state.ts'
import { useStore } from '../page/use-page.ts'
import { isRead, readMs } from './stored-notice.ts'

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
  const since = Date.now()
  toasts.set({ shown: [...others, { at: since, ...notice, id, since }].slice(-3), lastId: id })
}

/** For a failure that has succeeded since. */
export function dropFailures(): void {
  const { shown, lastId } = toasts.get()
  toasts.set({ shown: shown.filter(({ destructive }) => !destructive), lastId })
}

/** For a notice whose link leads to what was done there. */
export function closeNoticesTo(path: string): void {
  const { shown, lastId } = toasts.get()
  toasts.set({ shown: shown.filter(({ link }) => link?.to !== path), lastId })
}

/** Good news, before a dialog hides it. What stays until it is closed, or can be undone, is shown again after the dialog. */
export function dropRead(): void {
  const { shown, lastId } = toasts.get()
  const now = Date.now()
  const isKept = (notice: ShownToast) =>
    notice.destructive || notice.stays || notice.action || !isRead(notice, now)
  const kept = shown.filter(isKept)
  toasts.set({ shown: kept, lastId })
}

/**
 * Stands in the lower corner. Each dialog has its own, since the page under it can neither be pressed nor read. Good news from
 * before it opened waits until it closes, so that nothing of the dialog is covered, or is over where it was read.
 */
export function Toasts({ isInDialog = false }: { isInDialog?: boolean }) {
  const { shown } = useStore(toasts)
  const regions = useStore(toastRegions)
  const region = useRef<HTMLDivElement>(null)
  const id = useId()
  const [lastBefore] = useState(() => (isInDialog ? toasts.get().lastId : 0))
  const news = shown.filter((notice) => notice.destructive || notice.id > lastBefore)
  useEffect(() => {
    toastRegions.set([...toastRegions.get(), id])
    return () => toastRegions.set(toastRegions.get().filter((other) => other !== id))
  }, [id])
  useEffect(() => {
    if (isInDialog) dropRead()
  }, [isInDialog])
  useEffect(() => {
    if (region.current && shown.length > 0) uncoverFocus(region.current)
  }, [shown])
  return (
    <div
      ref={region}
      role="status"
      className={`toasts pointer-events-none fixed right-4 z-50 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-3 print:hidden ${isInDialog ? 'bottom-4 max-sm:top-4 max-sm:bottom-auto' : ''}`}
    >
      {regions.at(-1) === id && news.map((notice) => <Notice key={notice.id} notice={notice} />)}
    </div>
  )
}

function uncoverFocus(region: HTMLElement): void {
  const { activeElement } = document
  if (!activeElement || activeElement === document.body || region.contains(activeElement)) return
  const [focus, box] = [activeElement, region].map((each) => each.getBoundingClientRect())
  if (focus && box && focus.bottom > box.top && focus.right > box.left)
    activeElement.scrollIntoView({ block: 'nearest' })
}

/** A toast that moves into a dialog does not take its focus. */
let lastFocused = 0

function Notice({ notice }: { notice: ShownToast }) {
  const { id, at, title, description, destructive, stays, action, link } = notice
  const [isHeld, setIsHeld] = useState(false)
  const way = useRef<HTMLButtonElement>(null)
  const touchedAt = useRef(0)
  // The focus moves to what may be done about it: by the keyboard it is too far for a few seconds. The toast waits then.
  useEffect(() => {
    if (id <= lastFocused) return
    lastFocused = id
    way.current?.focus()
  }, [id])
  useEffect(() => {
    if (isHeld || stays) return undefined
    const rest = at + (destructive ? shownMs.bad : shownMs.good) - Date.now()
    const timer = setTimeout(() => close(id), Math.max(rest, readMs))
    return () => clearTimeout(timer)
  }, [id, at, destructive, stays, isHeld])
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
