// What a buyer has to know of shipping before buying.
import { createRoute } from '@hono/zod-openapi'
import { createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import { currentSaleMode, type WithOwnBook } from '../products/sale-mode.ts'
import { readShippingTerms } from './address.ts'
import { shippingTerms } from './contract/shipments.ts'

export function shippingApi(services: Pick<Services, 'config' | 'settings'> & WithOwnBook) {
  const readTerms = createRoute({
    method: 'get',
    path: '/shipping',
    responses: { 200: json(shippingTerms, 'Whether an address is asked for, and the countries'), ...refusal },
  })
  return createApi().openapi(readTerms, async (c) =>
    c.json(readShippingTerms(services, await currentSaleMode(services)), 200),
  )
}
