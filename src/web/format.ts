// Money, counts and dates as people read them.
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const count = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: '2-digit' })
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

export function formatDollars(amount: number): string {
  return dollars.format(amount)
}

export function formatCount(amount: number): string {
  return count.format(amount)
}

/** "Nov 05, 2026": the specification's "MMM dd, yyyy", in the reader's time zone. */
export function formatDate(iso: string): string {
  return day.format(new Date(iso))
}

/** "Nov 5, 2026, 4:07 PM", in the reader's time zone. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso))
}
