// The route that ends checkouts at old prices.
import { createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { endedAtOldPrice } from '#contract/payments/needs-attention.ts'
import { endAtOldPrice } from './open-checkout.ts'

export type OldPricesApi = ReturnType<typeof oldPricesApi>

export function oldPricesApi(services: CommerceShop) {
  return createApi().openapi(
    route('delete', '/products/{id}/old-price-checkouts', {
      params: idParam,
      middleware: services.auth.requireRecentSignIn,
      returns: ok(endedAtOldPrice, 'What became of them'),
    }),
    async (c) => c.json(await endAtOldPrice(services, actorOf(c, services), c.req.valid('param').id), 200),
  )
}
