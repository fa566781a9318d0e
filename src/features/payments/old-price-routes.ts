// Checkouts at the price that a product had before, for the admin area.
import { createApi, idParam, ok, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { endedAtOldPrice, oldPriceCheckouts } from './contract/old-prices.ts'
import { countAtOldPrice, endAtOldPrice } from './old-prices.ts'

export type OldPricesApi = ReturnType<typeof oldPricesApi>

const path = '/products/{id}/old-price-checkouts'
const request = { params: idParam }

export function oldPricesApi(services: Services & WithAuth) {
  return createApi()
    .openapi(
      route('get', path, { ...request, returns: ok(oldPriceCheckouts, 'Those that can still be paid') }),
      async (c) => c.json({ count: await countAtOldPrice(services, c.req.valid('param').id) }, 200),
    )
    .openapi(
      route('delete', path, {
        ...request,
        middleware: services.auth.requireRecentSignIn,
        returns: ok(endedAtOldPrice, 'What became of a batch of them'),
      }),
      async (c) => c.json(await endAtOldPrice(services, actorOf(c, services), c.req.valid('param').id), 200),
    )
}
