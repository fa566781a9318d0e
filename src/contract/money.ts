// Money as people read it, on the pages and in the mails.
let dollars: Intl.NumberFormat | undefined

export function formatDollars(amount: number): string {
  // Made at first use: it reads the world's currencies, which takes 10 ms of a start.
  dollars ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return dollars.format(amount)
}

/** "$12.34"; "12.34 EUR" for what is not in dollars, and "1234 JPY", since not all currencies have cents. */
export function formatMoney(amount: number, currency: string): string {
  if (currency === 'usd') return formatDollars(amount)
  return `${Number.isInteger(amount) ? amount : amount.toFixed(2)} ${currency.toUpperCase()}`
}
