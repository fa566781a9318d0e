// The routes of discount codes: checked by buyers; made, resumed and ended by admins.
import { body, createApi, idParam, ok, route, created, actorOf } from '#platform/http/route.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { discount, discountCheck, adminDiscounts, newDiscount } from '#contract/orders/discounts.ts'
import { limitGuesses } from './code-guesses.ts'
import {
  getDiscount,
  addDiscount,
  endDiscount,
  isLargeDiscount,
  listDiscounts,
  resumeDiscount,
} from './discounts.ts'

export function discountsApi(services: CommerceShop) {
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
      return c.json(await getDiscount(services, code), 200)
    },
  )
}

export type AdminDiscountsApi = ReturnType<typeof adminDiscountsApi>

const text = 'All codes, newest first'
const all = ok(adminDiscounts, text)

export function adminDiscountsApi(services: CommerceShop) {
  const { db, auth } = services
  return createApi()
    .openapi(route('get', '/discounts', { returns: all }), async (c) => c.json(await listDiscounts(db), 200))
    .openapi(
      route('post', '/discounts', { ...body(newDiscount), returns: created(adminDiscounts, text) }),
      async (c) => {
        const discount = c.req.valid('json')
        if (await isLargeDiscount(db, discount)) await auth.requireRecentProof(c)
        await addDiscount(services, actorOf(c, services), discount)
        return c.json(await listDiscounts(db), 201)
      },
    )
    .openapi(route('put', '/discounts/{id}/resumed', { params: idParam, returns: all }), async (c) => {
      const { id } = c.req.valid('param')
      if (await isLargeDiscount(db, { id })) await auth.requireRecentProof(c)
      await resumeDiscount(services, actorOf(c, services), id)
      return c.json(await listDiscounts(db), 200)
    })
    .openapi(route('put', '/discounts/{id}/ended', { params: idParam, returns: all }), async (c) => {
      await endDiscount(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await listDiscounts(db), 200)
    })
}
