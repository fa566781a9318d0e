// The routes of what the author decides of withdrawals.
import { body, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import { z } from '@hono/zod-openapi'
import { refundProof, refusalRequest } from '#contract/orders/purchases.ts'
import { acceptedDeclaration } from '#contract/orders/declarations.ts'
import { acceptDeclaration } from './declarations.ts'
import { refundWithdrawal, refuseWithdrawal } from './withdrawals.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const done = ok(z.object({ is_done: z.boolean() }), 'It is done, and in the log')

export type WithdrawalsApi = ReturnType<typeof withdrawalsApi>

export function withdrawalsApi(services: CommerceShop) {
  return createApi()
    .openapi(
      route('post', '/payments/withdrawal/{id}/refund', {
        params: idParam,
        ...body(refundProof),
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
    .openapi(
      route('post', '/payments/unproven_withdrawal/{id}/accept', {
        params: idParam,
        ...body(acceptedDeclaration),
        returns: done,
      }),
      async (c) => {
        const { current_password, purchase_id } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await acceptDeclaration(services, actorOf(c, services), {
          id: c.req.valid('param').id,
          purchase_id,
        })
        return c.json({ is_done: true }, 200)
      },
    )
}
