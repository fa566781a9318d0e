// Discount codes, for the admin area.
import { body, created, createApi, idParam, ok, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { addDiscount, endDiscount, listDiscounts, resumeDiscount } from './admin-discounts.ts'
import { adminDiscounts, discountResumption, newDiscountRequest } from './contract/discounts.ts'

export type AdminDiscountsApi = ReturnType<typeof adminDiscountsApi>

const text = 'All codes, newest first'
const all = ok(adminDiscounts, text)

export function adminDiscountsApi(services: Services & WithAuth) {
  const { db } = services
  return createApi()
    .openapi(route('get', '/discounts', { returns: all }), async (c) => c.json(await listDiscounts(db), 200))
    .openapi(
      route('post', '/discounts', { ...body(newDiscountRequest), returns: created(adminDiscounts, text) }),
      async (c) => {
        const { current_password, ...wanted } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await addDiscount(services, actorOf(c, services), wanted)
        return c.json(await listDiscounts(db), 201)
      },
    )
    .openapi(
      route('put', '/discounts/{id}/resumed', { params: idParam, ...body(discountResumption), returns: all }),
      async (c) => {
        const { current_password } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await resumeDiscount(services, actorOf(c, services), c.req.valid('param').id)
        return c.json(await listDiscounts(db), 200)
      },
    )
    .openapi(route('put', '/discounts/{id}/ended', { params: idParam, returns: all }), async (c) => {
      await endDiscount(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await listDiscounts(db), 200)
    })
}
