// What a buyer has to know of shipping before buying.
import { createApi, ok, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import { currentSaleMode, type WithOwnBook } from '../products/sale-mode.ts'
import { readShippingTerms } from './address.ts'
import { shippingTerms } from './contract/shipments.ts'

export function shippingApi(services: Pick<Services, 'config' | 'settings'> & WithOwnBook) {
  return createApi().openapi(
    route('get', '/shipping', {
      returns: ok(shippingTerms, 'Whether an address is asked for, and the countries'),
      isPublic: true,
    }),
    async (c) => c.json(readShippingTerms(services, await currentSaleMode(services)), 200),
  )
}
