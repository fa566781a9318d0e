// The buyer's button for the money back, and what the author does with a declaration that waits.
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { limitPerAccount } from '#platform/http/limits.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { purchase, refundRequest } from '../purchases/contract/purchases.ts'
import { getOwnPurchase } from '../purchases/purchases.ts'
import { givingBack, refusalRequest } from '../withdrawals/contract/withdrawals.ts'
import { declareWithdrawal } from './declare-withdrawal.ts'
import { giveBack, refuseWithdrawal } from './decide-withdrawal.ts'

export type WithdrawalsApi = ReturnType<typeof withdrawalsApi>

const one = z.object({ id })

export function ownWithdrawalsApi(services: Services & WithAuth) {
  const declare = createRoute({
    method: 'post',
    path: '/purchases/{id}/refund',
    security: bearer,
    middleware: [
      services.auth.requireUser,
      limitPerAccount(services, 'refunds', { limit: 10, windowSeconds: 3600 }),
    ] as const,
    request: { params: one, ...body(refundRequest) },
    responses: { 200: json(purchase, 'The purchase; the declaration is received'), ...refusal },
  })
  return createApi().openapi(declare, async (c) => {
    const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
    const { reason } = c.req.valid('json')
    await declareWithdrawal(services, actorOf(c, services), { purchase_id: own.purchase_id, reason })
    return c.json(await getOwnPurchase(services.db, own), 200)
  })
}

const done = json(z.object({ is_done: z.boolean() }), 'It is done, and in the log')

export function withdrawalsApi(services: Services & WithAuth) {
  const give = createRoute({
    method: 'post',
    path: '/payments/withdrawal/{id}/refund',
    security: bearer,
    request: { params: one, ...body(givingBack) },
    responses: { 200: done, ...refusal },
  })
  const refuse = createRoute({
    method: 'post',
    path: '/payments/withdrawal/{id}/refuse',
    security: bearer,
    middleware: services.auth.requireRecentSignIn,
    request: { params: one, ...body(refusalRequest) },
    responses: { 200: done, ...refusal },
  })
  return createApi()
    .openapi(give, async (c) => {
      const { current_password } = c.req.valid('json')
      const network = clientNetwork(c, services.config.trustedProxies)
      await services.auth.requireRecentProof(c.var.user, { current_password, network })
      await giveBack(services, actorOf(c, services), c.req.valid('param').id)
      return c.json({ is_done: true }, 200)
    })
    .openapi(refuse, async (c) => {
      const refused = { purchase_id: c.req.valid('param').id, ...c.req.valid('json') }
      await refuseWithdrawal(services, actorOf(c, services), refused)
      return c.json({ is_done: true }, 200)
    })
}
