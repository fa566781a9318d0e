// What a discount code takes off a price.
import { clientNetwork } from '#platform/http/client-ip.ts'
import { body, createApi, ok, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import { discount, discountCheck } from './contract/discounts.ts'
import { limitGuesses } from './limit-guesses.ts'
import { getDiscount } from './apply-discount.ts'

export function discountsApi(services: Services) {
  return createApi().openapi(
    route('post', '/discounts/check', {
      ...body(discountCheck),
      returns: ok(discount, 'What it takes off, and of what'),
      isPublic: true,
    }),
    async (c) => {
      const network = clientNetwork(c, services.config.trustedProxies)
      const { code } = c.req.valid('json')
      await limitGuesses(services, code, { network })
      return c.json(await getDiscount(services.db, code), 200)
    },
  )
}
