// What a buyer has to know of shipping, and where a purchase of one's own goes.
import type { WithAuth } from '../accounts/auth.ts'
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
import { purchase } from '../purchases/contract/purchases.ts'
import { address, shippingTerms } from './contract/shipments.ts'
import type { Services } from '../../services.ts'
import { getOwnPurchase } from '../purchases/purchases.ts'
import { correctAddress, readShippingTerms } from './address.ts'
import { limitPerAccount } from '#platform/http/limits.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'

export function shippingApi(services: Services & WithAuth) {
  const { requireUser } = services.auth
  const readTerms = createRoute({
    method: 'get',
    path: '/shipping',
    responses: { 200: json(shippingTerms, 'Whether an address is asked for, and the countries'), ...refusal },
  })
  const correct = createRoute({
    method: 'put',
    path: '/purchases/{id}/address',
    security: bearer,
    middleware: [
      requireUser,
      limitPerAccount(services, 'addresses', { limit: 30, windowSeconds: 600 }),
    ] as const,
    request: { params: z.object({ id }), ...body(address) },
    responses: { 200: json(purchase, 'The purchase, and where it goes now'), ...refusal },
  })
  return createApi()
    .openapi(readTerms, (c) => c.json(readShippingTerms(services), 200))
    .openapi(correct, async (c) => {
      const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
      await correctAddress(services, own, c.req.valid('json'))
      return c.json(await getOwnPurchase(services.db, own), 200)
    })
}
