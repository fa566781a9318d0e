// Codes: checked by buyers; made, resumed and ended by admins.
import { clientNetwork } from '#platform/http/client-ip.ts'
import { body, createApi, ok, route, created, idParam, actorOf } from '#platform/http/route.ts'
import { discount, discountCheck, adminDiscounts, newDiscount } from '#contract/orders/discounts.ts'
import {
  limitGuesses,
  getDiscount,
  addDiscount,
  endDiscount,
  listDiscounts,
  resumeDiscount,
} from './discounts.ts'
import type { BookShop } from '#domains/book/shop.ts'

export function discountsApi(services: BookShop) {
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

export type AdminDiscountsApi = ReturnType<typeof adminDiscountsApi>

const text = 'All codes, newest first'
const all = ok(adminDiscounts, text)

export function adminDiscountsApi(services: BookShop) {
  const { db } = services
  return createApi()
    .openapi(route('get', '/discounts', { returns: all }), async (c) => c.json(await listDiscounts(db), 200))
    .openapi(
      route('post', '/discounts', { ...body(newDiscount), returns: created(adminDiscounts, text) }),
      async (c) => {
        await addDiscount(services, actorOf(c, services), c.req.valid('json'))
        return c.json(await listDiscounts(db), 201)
      },
    )
    .openapi(route('put', '/discounts/{id}/resumed', { params: idParam, returns: all }), async (c) => {
      await resumeDiscount(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await listDiscounts(db), 200)
    })
    .openapi(route('put', '/discounts/{id}/ended', { params: idParam, returns: all }), async (c) => {
      await endDiscount(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await listDiscounts(db), 200)
    })
}
