// Who sells: as the author has filled it in for the legal pages.
import type { Legal } from '#contract/book/legal.ts'
import type { SellerDetails } from '#contract/orders/receipts.ts'

/** What is not filled in is empty. An address that begins with the name is without it, because it stands beside the name. */
export function sellerOf({ blanks: { seller, address, email } }: Pick<Legal, 'blanks'>): SellerDetails {
  return { name: seller, address: withoutName(address.trim(), seller), email }
}

function withoutName(address: string, name: string): string {
  const rest = address.slice(name.length)
  const isNamed = address.slice(0, name.length).toLowerCase() === name.toLowerCase()
  return name && isNamed && /^\s*([,\n]|$)/.test(rest) ? rest.replace(/^[\s,]+/, '') : address
}
