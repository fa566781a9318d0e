// Payments of the caller's own purchases: settling one now, and asking for the money back.
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
import { limitPerAccount } from '#platform/http/limits.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import { Refusal } from '#platform/refusal.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { purchase, refundRequest } from '../purchases/contract/purchases.ts'
import { getOwnPurchase } from '../purchases/purchases.ts'
import { requestRefund } from './refunds.ts'
import { settlePurchase } from './settle.ts'

export function paymentsApi(services: Services & WithAuth) {
  const { requireUser } = services.auth

  const settle = createRoute({
    method: 'post',
    path: '/purchases/{id}/settle',
    security: bearer,
    middleware: [
      requireUser,
      limitPerAccount(services, 'settle', { limit: 60, windowSeconds: 600 }),
    ] as const,
    request: { params: z.object({ id }) },
    responses: { 200: json(purchase, 'The purchase, as its payment has it now'), ...refusal },
  })

  const refund = createRoute({
    method: 'post',
    path: '/purchases/{id}/refund',
    security: bearer,
    middleware: [
      requireUser,
      limitPerAccount(services, 'refunds', { limit: 10, windowSeconds: 3600 }),
    ] as const,
    request: { params: z.object({ id }), ...body(refundRequest) },
    responses: { 202: json(purchase, 'The purchase; the money is on its way back'), ...refusal },
  })

  return createApi()
    .openapi(settle, async (c) => {
      const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
      await getOwnPurchase(services.db, own)
      await settlePurchase(services, own.purchase_id).catch(sayNotChecked)
      return c.json(await getOwnPurchase(services.db, own), 200)
    })
    .openapi(refund, async (c) => {
      const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
      const { reason } = c.req.valid('json')
      await requestRefund(services, actorOf(c, services), { purchase_id: own.purchase_id, reason })
      return c.json(await getOwnPurchase(services.db, own), 202)
    })
}

/** A buyer who comes back from paying did not ask whether payments are available. */
function sayNotChecked(error: unknown): never {
  const isDenied = error instanceof Refusal && error.code === 'payments.not_available'
  if (!isDenied) throw error
  throw new Problem(error.code, { detail: notChecked, cause: error })
}

const notChecked = 'Your payment could not be checked yet. Please look here again later.'
