// The route that counts the checkouts which a new price would end.
import { createApi, idParam, ok, route } from '#platform/http/route.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { newPrice, openCheckouts } from '#contract/payments/needs-attention.ts'
import { countOpenCheckouts } from './old-prices.ts'

export type OldPricesApi = ReturnType<typeof oldPricesApi>

export function oldPricesApi(services: CommerceShop) {
  return createApi().openapi(
    route('get', '/products/{id}/open-checkouts', {
      params: idParam,
      query: newPrice,
      returns: ok(openCheckouts, 'How many are open at another price'),
    }),
    async (c) => {
      const { id: product_id } = c.req.valid('param')
      const count = await countOpenCheckouts(services, { product_id, price: c.req.valid('query').price })
      return c.json({ count }, 200)
    },
  )
}
