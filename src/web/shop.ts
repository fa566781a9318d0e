// The shop's facts that every page has from the root's loader.
import { useRouteLoaderData } from 'react-router'
import type { ShownBook } from '#contract/book/shown-book.ts'
import type { SaleMode } from '#contract/catalog/sale-mode.ts'
import type { ShippingRange } from '#contract/orders/prices.ts'
import { changedSaleMode, changedShipping, useStore } from './page-state.ts'
import type { loader } from './root.tsx'

function useShop() {
  const shop = useRouteLoaderData<typeof loader>('root')
  if (!shop) throw new Error('This is shown outside of the site.')
  return shop
}

export function useBook(): ShownBook {
  return useShop().book
}

export function useHasGuestCheckout(): boolean {
  return useShop().hasGuestCheckout
}

export function useHasWithdrawal(): boolean {
  return useShop().hasWithdrawal
}

/** ISO code in lower case. */
export function useCurrency(): string {
  return useShop().currency
}

export function useSaleMode(): SaleMode {
  const { saleMode } = useShop()
  return useStore(changedSaleMode) ?? saleMode
}

export function useShippingRange(): ShippingRange {
  const { shipping } = useShop()
  return useStore(changedShipping) ?? shipping
}

export function useSendsMail(): boolean {
  return useShop().sendsMail
}
