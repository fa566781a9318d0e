import type { Settings } from '#platform/settings.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { SaleMode } from '#contract/catalog/sale-mode.ts'
import { lawfulCountries } from '#contract/orders/lawful-countries.ts'

/** Whether the law can give buyers of this shop a right of withdrawal. A file may be bought from anywhere. */
export function offersWithdrawal(
  { settings }: { settings: Pick<Settings, 'get'> },
  mode: SaleMode,
  products: readonly Product[] | undefined,
): boolean {
  if (mode !== 'paid' && mode !== 'key_missing') return false
  const { countries } = settings.get().shipping
  // Where nothing is for sale any more, what was sold is not known here.
  const sellsFiles = !products?.length || products.some(({ is_digital }) => is_digital)
  return sellsFiles || countries.some((country) => lawfulCountries.includes(country))
}
