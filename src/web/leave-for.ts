// The way to an address outside the shop's pages, as that of a payment.

import { carryNotice } from './carried-notice.ts'

const leavingMs = 5000

/** The button that was pressed stays busy meanwhile. Ends when the browser shows the page again, or did not leave it. */
export function leaveFor(url: string): Promise<void> {
  carryNotice()
  location.assign(url)
  return new Promise((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    setTimeout(resolve, leavingMs)
  })
}
