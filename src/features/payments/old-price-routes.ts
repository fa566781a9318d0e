// Checkouts at the price that a product had before, for the admin area.
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
import { bearer, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { endedAtOldPrice, oldPriceCheckouts } from './contract/old-prices.ts'
import { countAtOldPrice, endAtOldPrice } from './old-prices.ts'

export type OldPricesApi = ReturnType<typeof oldPricesApi>

const path = '/products/{id}/old-price-checkouts'
const request = { params: z.object({ id }) }

export function oldPricesApi(services: Services & WithAuth) {
  const count = createRoute({
    method: 'get',
    path,
    security: bearer,
    request,
    responses: { 200: json(oldPriceCheckouts, 'Those that can still be paid'), ...refusal },
  })
  const end = createRoute({
    method: 'delete',
    path,
    security: bearer,
    middleware: services.auth.requireRecentSignIn,
    request,
    responses: { 200: json(endedAtOldPrice, 'What became of a batch of them'), ...refusal },
  })
  return createApi()
    .openapi(count, async (c) =>
      c.json({ count: await countAtOldPrice(services, c.req.valid('param').id) }, 200),
    )
    .openapi(end, async (c) =>
      c.json(await endAtOldPrice(services, actorOf(c, services), c.req.valid('param').id), 200),
    )
}
