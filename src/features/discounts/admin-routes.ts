// Discount codes, for the admin area:
//   GET  /api/admin/discounts             all codes
//   POST /api/admin/discounts             makes one; asks for a recent proof
//   PUT  /api/admin/discounts/{id}/resumed  resumes one that a restore has paused; asks for a recent proof
//   PUT  /api/admin/discounts/{id}/ended  ends one
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { addDiscount, endDiscount, listDiscounts, resumeDiscount } from './admin-discounts.ts'
import { adminDiscounts, discountResumption, newDiscountRequest } from './contract/discounts.ts'

export type AdminDiscountsApi = ReturnType<typeof adminDiscountsApi>

const all = json(adminDiscounts, 'All codes, newest first')

export function adminDiscountsApi(services: Services & WithAuth) {
  const { db } = services
  const list = createRoute({
    method: 'get',
    path: '/discounts',
    security: bearer,
    responses: { 200: all, ...refusal },
  })
  const add = createRoute({
    method: 'post',
    path: '/discounts',
    security: bearer,
    request: body(newDiscountRequest),
    responses: { 201: all, ...refusal },
  })
  const resume = createRoute({
    method: 'put',
    path: '/discounts/{id}/resumed',
    security: bearer,
    request: { params: z.object({ id }), ...body(discountResumption) },
    responses: { 200: all, ...refusal },
  })
  const end = createRoute({
    method: 'put',
    path: '/discounts/{id}/ended',
    security: bearer,
    request: { params: z.object({ id }) },
    responses: { 200: all, ...refusal },
  })
  return createApi()
    .openapi(list, async (c) => c.json(await listDiscounts(db), 200))
    .openapi(add, async (c) => {
      const { current_password, ...wanted } = c.req.valid('json')
      const network = clientNetwork(c, services.config.trustedProxies)
      await services.auth.requireRecentProof(c.var.user, { current_password, network })
      await addDiscount(services, actorOf(c, services), wanted)
      return c.json(await listDiscounts(db), 201)
    })
    .openapi(resume, async (c) => {
      const { current_password } = c.req.valid('json')
      const network = clientNetwork(c, services.config.trustedProxies)
      await services.auth.requireRecentProof(c.var.user, { current_password, network })
      await resumeDiscount(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await listDiscounts(db), 200)
    })
    .openapi(end, async (c) => {
      await endDiscount(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await listDiscounts(db), 200)
    })
}
