// A notice outlives the document that shows it: what was said before a change of page is still said after it. Without
// React, for pages that have no other use for it.
import { parseObject, textIn, toasts, type Toast } from '../page/page-state.ts'

const key = 'notice'
/** On a slow line the next page takes longer than a notice is shown. */
const maxAgeMs = 30_000

type Carried = Pick<Toast, 'title' | 'description' | 'destructive' | 'at'>

export function storeNotice({ title, description, destructive, at = Date.now() }: Carried): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ title, description, destructive, at }))
  } catch {
    // The address names it where the browser forbids storage.
  }
}

/** Stores, before a page of ours leads to another document, the newest that is shown when this one ends. */
export function carryNotice(): void {
  const carry = () => {
    const last = toasts.get().shown.at(-1)
    if (last) storeNotice(last)
  }
  addEventListener('pagehide', carry, { once: true })
}

/** Returns the notice of the page before, once. */
export function takeNotice(): Toast | undefined {
  const stored = parseObject(sessionStorage.getItem(key) ?? '')
  sessionStorage.removeItem(key)
  const title = textIn(stored, 'title')
  const at = Number(stored['at'])
  if (!title || !(Date.now() - at < maxAgeMs)) return undefined
  const description = textIn(stored, 'description')
  return { title, at, destructive: stored['destructive'] === true, ...(description && { description }) }
}

const leavingMs = 5000

/** The way to an address outside the shop's pages, as that of a payment. The button that was pressed stays busy meanwhile. Ends when the browser shows the page again, or did not leave it. */
export function leaveFor(url: string): Promise<void> {
  carryNotice()
  location.assign(url)
  return new Promise((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    setTimeout(resolve, leavingMs)
  })
}
