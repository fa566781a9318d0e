import { useRouteLoaderData } from 'react-router'
import type { ShippingRange } from '#features/shipping/contract/shipping-price.ts'
import type { loader } from './root.tsx'

let changed: ShippingRange | undefined

export function rememberShipping(range: ShippingRange): void {
  changed = range
}

export function useShippingRange(): ShippingRange {
  const root = useRouteLoaderData<typeof loader>('root')
  if (!root) throw new Error('This is shown outside of the site.')
  return changed ?? root.shipping
}
