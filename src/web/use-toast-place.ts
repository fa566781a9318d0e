// Moves the toasts away from what may be pressed next, whenever the page under them has changed.
import { useLayoutEffect, type RefObject } from 'react'
import { findPlace, type Control } from './toast-place.ts'

const keepClear = 'a[href], button, input, select, textarea, summary, label, [data-keep-clear]'
/** Also the pause after scrolling: toasts that follow every pixel are no better to read. */
const everyMs = 200

export function useToastPlace(region: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const toasts = region.current
    if (!toasts || !isShown) return undefined
    // Not `:hover`, which also holds for a toast that appears under a pointer at rest.
    let isPointedAt = false
    const onMove = () => (isPointedAt = true)
    const onLeave = () => (isPointedAt = false)
    const place = () => isPointedAt || placeBesideControls(toasts)
    toasts.addEventListener('pointermove', onMove)
    toasts.addEventListener('pointerleave', onLeave)
    place()
    const timer = setInterval(place, everyMs)
    return () => {
      clearInterval(timer)
      toasts.removeEventListener('pointermove', onMove)
      toasts.removeEventListener('pointerleave', onLeave)
    }
  }, [region, isShown])
}

function placeBesideControls(toasts: HTMLElement): void {
  // A user whose focus is in a toast is about to press it.
  if (toasts.matches(':focus-within')) return
  const { width, height, left, top } = toasts.getBoundingClientRect()
  const window = {
    width: document.documentElement.clientWidth,
    height: visualViewport?.height ?? innerHeight,
  }
  const controls = [...document.querySelectorAll(keepClear)]
    .filter((control) => !toasts.contains(control) && getComputedStyle(control).visibility === 'visible')
    .map((control) => boxOf(control))
    .filter(({ left, right, top, bottom }) => right > left && bottom > 0 && top < window.height)
  const wanted = findPlace(window, { width, height }, controls)
  if (wanted.left === left && wanted.top === top) return
  toasts.style.left = `${wanted.left}px`
  toasts.style.top = `${wanted.top}px`
}

/** A field in which nobody writes can be spared, and so can a note; a button, and where the focus is, cannot. */
function boxOf(control: Element): Control {
  const { left, top, right, bottom } = control.getBoundingClientRect()
  const isSpare =
    control !== document.activeElement && control.matches('input, select, textarea, label, [data-keep-clear]')
  return { left, top, right, bottom, isSpare }
}
