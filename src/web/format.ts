// Money, counts and dates as people read them.
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const count = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: '2-digit' })
const universal = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

export function formatDollars(amount: number): string {
  return dollars.format(amount)
}

export function formatCount(amount: number): string {
  return count.format(amount)
}

/** "$12.34", or "12.34 EUR" for what is not in dollars. */
export function formatMoney(amount: number, currency: string): string {
  return currency === 'usd' ? formatDollars(amount) : `${amount.toFixed(2)} ${currency.toUpperCase()}`
}

/** "Nov 05, 2026": the specification's "MMM dd, yyyy", in the reader's time zone. */
export function formatDate(iso: string): string {
  return day.format(new Date(iso))
}

/** "Nov 5, 2026, 4:07 PM", in the reader's time zone. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso))
}

/** "Nov 5, 2026, 4:07 PM UTC": for papers, which are read elsewhere. */
export function formatUtc(iso: string): string {
  return `${universal.format(new Date(iso))} UTC`
}
