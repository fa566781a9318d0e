// Money and dates as people read them.
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export function formatDollars(amount: number): string {
  return dollars.format(amount)
}
