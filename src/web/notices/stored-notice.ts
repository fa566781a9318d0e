// A notice outlives the document that shows it: what was said before a change of page is still said after it. Without
// React, for pages that have no other use for it.
import { parseObject, textIn, toasts, type ShownToast, type Toast } from '../page/page-state.ts'

const key = 'notice'
/** On a slow line the next page takes longer than a notice is shown. */
const maxAgeMs = 30_000

type Carried = Pick<Toast, 'title' | 'description' | 'destructive' | 'at' | 'name'>

export function storeNotice({ title, description, destructive, at = Date.now(), name }: Carried): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ title, description, destructive, at, name }))
  } catch {
    // The address names it where the browser forbids storage.
  }
}

/** A notice that was shown so long is read: neither the next page nor a dialog that closes shows it again. */
export const readMs = 2_000

export const isRead = ({ since }: ShownToast, now: number): boolean => now - since >= readMs

/**
 * Stores, before a page of ours leads to another document, the newest that is shown when this one ends, unless it is read by
 * now. The page that is left keeps only notices that stay until they are closed: the browser may show that page again.
 */
export function carryNotice(): void {
  const leftAt = Date.now()
  const carry = () => {
    const last = toasts.get().shown.at(-1)
    if (last && !isRead(last, leftAt)) storeNotice(last)
    toasts.set({ ...toasts.get(), shown: toasts.get().shown.filter(({ stays }) => stays) })
  }
  addEventListener('pagehide', carry, { once: true })
}

function dropNotices(): void {
  toasts.set({ ...toasts.get(), shown: [] })
}

/** Returns the notice of the page before, once. */
export function takeNotice(): Toast | undefined {
  const stored = parseObject(sessionStorage.getItem(key) ?? '')
  sessionStorage.removeItem(key)
  const title = textIn(stored, 'title')
  const at = Number(stored['at'])
  if (!title || !(Date.now() - at < maxAgeMs)) return undefined
  const description = textIn(stored, 'description')
  const name = textIn(stored, 'name')
  const destructive = stored['destructive'] === true
  return { title, at, destructive, ...(description && { description }), ...(name && { name }) }
}

const leavingMs = 5000

/** The button that was pressed stays busy meanwhile. Ends when the browser shows the page again, or did not leave it. */
export function leaveFor(url: string): Promise<void> {
  location.assign(url)
  return new Promise((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    setTimeout(resolve, leavingMs)
  })
}

/** The way to a payment, or to the order that it is for. What was said before is not true of the page after it. */
export function leaveToPay(url: string): Promise<void> {
  dropNotices()
  return leaveFor(url)
}
