// Money and dates as people read them.
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const day = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: '2-digit' })

export function formatDollars(amount: number): string {
  return dollars.format(amount)
}

/** "Nov 05, 2026": the specification's "MMM dd, yyyy", in the reader's time zone. */
export function formatDate(iso: string): string {
  return day.format(new Date(iso))
}
