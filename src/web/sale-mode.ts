// An admin who has just changed it sees it without loading the page again.
import { useRouteLoaderData } from 'react-router'
import type { SaleMode } from '#features/products/contract/sale-mode.ts'
import type { loader } from './root.tsx'

let changed: SaleMode | undefined

export function rememberSaleMode(mode: SaleMode): void {
  changed = mode
}

export function useSaleMode(): SaleMode {
  const root = useRouteLoaderData<typeof loader>('root')
  if (!root) throw new Error('This is shown outside of the site.')
  return changed ?? root.saleMode
}
