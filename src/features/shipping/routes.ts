// What a buyer has to know of shipping before buying.
import { createRoute } from '@hono/zod-openapi'
import { createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import { readShippingTerms } from './address.ts'
import { shippingTerms } from './contract/shipments.ts'

export function shippingApi(services: Pick<Services, 'config' | 'settings'>) {
  const readTerms = createRoute({
    method: 'get',
    path: '/shipping',
    responses: { 200: json(shippingTerms, 'Whether an address is asked for, and the countries'), ...refusal },
  })
  return createApi().openapi(readTerms, (c) => c.json(readShippingTerms(services), 200))
}
