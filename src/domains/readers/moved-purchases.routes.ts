import { z } from 'zod'
import { id } from '#contract/fields.ts'
import { clientIp } from '#platform/http/client-ip.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import { hashOf } from '#domains/orders/guest-orders.ts'
import { addressCorrection } from '#contract/orders/purchases.ts'
import { moveRequest, objection } from '#contract/readers/moves.ts'
import { correctOwnAddress, movePurchase, objectToMove } from './moved-purchases.ts'
import type { BookShop } from '#domains/book/shop.ts'

export type PurchaseMovesApi = ReturnType<typeof purchaseMovesApi>

export function purchaseMovesApi(services: BookShop) {
  return createApi().openapi(
    route('put', '/purchases/{id}/moves/{move_id}', {
      params: z.object({ id, move_id: id }),
      ...body(moveRequest),
      returns: ok(z.object({ id }), 'The move, also where it was made before'),
    }),
    async (c) => {
      await services.auth.requireRecentProof(c)
      const { id: purchase_id, move_id } = c.req.valid('param')
      const move = { id: move_id, purchase_id, ...c.req.valid('json') }
      await movePurchase(services, actorOf(c, services), move)
      return c.json({ id: move_id }, 200)
    },
  )
}

export function movesApi(services: BookShop) {
  const limit = limitPerAddress(services, 'address-corrections', { limit: 20, windowSeconds: 600 })
  return createApi()
    .openapi(
      route('post', '/guest/purchases/{id}/address', {
        isPublic: true,
        params: idParam,
        ...body(addressCorrection),
        middleware: limit,
        returns: ok(z.object({ is_corrected: z.literal(true) }), 'The order is under this address'),
      }),
      async (c) => {
        const { proof, ...wanted } = c.req.valid('json')
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(proof) }
        await correctOwnAddress(services, access, {
          ...wanted,
          ip: clientIp(c, services.config.trustedProxies),
        })
        return c.json({ is_corrected: true as const }, 200)
      },
    )
    .openapi(
      route('post', '/moved-purchases/objection', {
        isPublic: true,
        ...body(objection),
        middleware: limitPerAddress(services, 'objections', { limit: 20, windowSeconds: 600 }),
        returns: ok(z.object({ is_sent: z.literal(true) }), 'The author has the objection'),
      }),
      async (c) => {
        await objectToMove(services, c.req.valid('json'))
        return c.json({ is_sent: true as const }, 200)
      },
    )
}
