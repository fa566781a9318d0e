import { useLayoutEffect, type RefObject, useEffect, useRef, useState } from 'react'
import { siteTexts } from '#words/site.ts'
import { X } from './components/icons.tsx'
import { Link } from 'react-router'
import { toasts, useStore, type ShownToast, type Toast } from './page-state.ts'

export type Box = { left: number; top: number; right: number; bottom: number }
type Control = Box & { isSpare?: boolean }

/** Pixels kept free around a control and along the edges of the window. */
const gap = 8
const margin = 16

/**
 * The top left corner for a box of this size: as low as possible, first at the right side, then at the left. Where no
 * place is free, the one that covers the fewest controls, and rather those that can be spared.
 */
export function findPlace(
  window: { width: number; height: number },
  size: { width: number; height: number },
  controls: readonly Control[],
): { left: number; top: number } {
  const lowest = Math.max(margin, window.height - margin - size.height)
  const lefts = [...new Set([window.width - margin - size.width, margin])]
  const tops = [lowest, ...controls.map(({ top }) => top - gap - size.height), margin]
    .filter((top) => top >= margin && top <= lowest)
    .toSorted((a, b) => b - a)
  const places = lefts.flatMap((left) => tops.map((top) => ({ left, top })))
  const costs = places.map(({ left, top }) =>
    countCovered({ left, top, right: left + size.width, bottom: top + size.height }, controls),
  )
  return places[costs.indexOf(Math.min(...costs))] ?? { left: margin, top: margin }
}

function countCovered(box: Box, controls: readonly Control[]): number {
  const covered = controls.filter(
    ({ left, top, right, bottom }) =>
      left < box.right + gap && right > box.left - gap && top < box.bottom + gap && bottom > box.top - gap,
  )
  const spared = covered.filter(({ isSpare }) => isSpare).length
  return spared + (covered.length - spared) * (controls.length + 1)
}

const avoided = 'a[href], button, input, select, textarea, summary, label, [data-keep-clear]'
const pauseMs = 200
const events = ['scroll', 'focusin', 'focusout', 'transitionend'] as const

/** Moves the toasts away from what may be pressed next, whenever the page under them has changed. */
function useToastPlace(region: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const toasts = region.current
    if (!toasts || !isShown) return undefined
    // Not `:hover`, which also holds for a toast that appears under a pointer at rest.
    let isPointedAt = false
    const place = () => isPointedAt || placeBesideControls(toasts)
    place()
    const stop = watchPage(toasts, place)
    const onMove = () => (isPointedAt = true)
    const onLeave = () => {
      isPointedAt = false
      place()
    }
    toasts.addEventListener('pointermove', onMove)
    toasts.addEventListener('pointerleave', onLeave)
    return () => {
      stop()
      toasts.removeEventListener('pointermove', onMove)
      toasts.removeEventListener('pointerleave', onLeave)
    }
  }, [region, isShown])
}

function watchPage(toasts: HTMLElement, place: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const placeSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      place()
    }, pauseMs)
  }
  const ended = new AbortController()
  const how = { capture: true, passive: true, signal: ended.signal }
  for (const event of events) document.addEventListener(event, placeSoon, how)
  for (const target of [window, visualViewport]) target?.addEventListener('resize', placeSoon, how)
  const changes = new MutationObserver((records) => {
    if (records.some(({ target }) => !toasts.contains(target))) placeSoon()
  })
  changes.observe(document.documentElement, { subtree: true, childList: true, attributes: true })
  const sizes = new ResizeObserver((entries) =>
    entries.some(({ target }) => target === toasts) ? place() : placeSoon(),
  )
  sizes.observe(toasts)
  sizes.observe(document.body)
  return () => {
    clearTimeout(timer)
    ended.abort()
    changes.disconnect()
    sizes.disconnect()
  }
}

function placeBesideControls(toasts: HTMLElement): void {
  // A user whose focus is in a toast is about to press it.
  if (toasts.matches(':focus-within')) return
  const { width, height, left, top } = toasts.getBoundingClientRect()
  const window = {
    width: document.documentElement.clientWidth,
    height: visualViewport?.height ?? innerHeight,
  }
  const isInWindow = ({ left, right, top, bottom }: Control) =>
    right > left && bottom > 0 && top < window.height
  const controls = [...document.querySelectorAll(avoided)]
    .filter((control) => !toasts.contains(control))
    .map((control) => ({ control, box: boxOf(control) }))
    .filter(({ control, box }) => isInWindow(box) && getComputedStyle(control).visibility === 'visible')
    .map(({ box }) => box)
  const place = findPlace(window, { width, height }, controls)
  if (place.left === left && place.top === top) return
  toasts.style.left = `${place.left}px`
  toasts.style.top = `${place.top}px`
}

/** Covering an empty field or a note is better than covering a button or the focused element. */
function boxOf(control: Element): Control {
  const { left, top, right, bottom } = control.getBoundingClientRect()
  const isSpare =
    control !== document.activeElement && control.matches('input, select, textarea, label, [data-keep-clear]')
  return { left, top, right, bottom, isSpare }
}

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
