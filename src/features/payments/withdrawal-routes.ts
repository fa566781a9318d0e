// The buyer's button for the money back, and what the author does with a declaration that waits.
import { z } from '@hono/zod-openapi'
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { purchase, refundRequest } from '../purchases/contract/purchases.ts'
import { getOwnPurchase } from '../purchases/purchases.ts'
import { givingBack, refusalRequest } from '../withdrawals/contract/withdrawals.ts'
import { declareWithdrawal, refundWithdrawal, refuseWithdrawal } from './withdrawals.ts'

export type WithdrawalsApi = ReturnType<typeof withdrawalsApi>

export function ownWithdrawalsApi(services: Services & WithAuth) {
  return createApi().openapi(
    route('post', '/purchases/{id}/refund', {
      params: idParam,
      ...body(refundRequest),
      middleware: [
        services.auth.requireUser,
        limitPerAccount(services, 'refunds', { limit: 10, windowSeconds: 3600 }),
      ],
      returns: ok(purchase, 'The purchase; the declaration is received'),
    }),
    async (c) => {
      const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
      const { reason } = c.req.valid('json')
      await declareWithdrawal(services, actorOf(c, services), { purchase_id: own.purchase_id, reason })
      return c.json(await getOwnPurchase(services.db, own), 200)
    },
  )
}

const done = ok(z.object({ is_done: z.boolean() }), 'It is done, and in the log')

export function withdrawalsApi(services: Services & WithAuth) {
  return createApi()
    .openapi(
      route('post', '/payments/withdrawal/{id}/refund', {
        params: idParam,
        ...body(givingBack),
        returns: done,
      }),
      async (c) => {
        const { current_password } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await refundWithdrawal(services, actorOf(c, services), c.req.valid('param').id)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/withdrawal/{id}/refuse', {
        params: idParam,
        ...body(refusalRequest),
        middleware: services.auth.requireRecentSignIn,
        returns: done,
      }),
      async (c) => {
        const refused = { purchase_id: c.req.valid('param').id, ...c.req.valid('json') }
        await refuseWithdrawal(services, actorOf(c, services), refused)
        return c.json({ is_done: true }, 200)
      },
    )
}
