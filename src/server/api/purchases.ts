// Buying, one's own purchases, and links to their files.
import { createRoute, z } from '@hono/zod-openapi'
import {
  download,
  downloadRequest,
  idempotencyKey,
  purchase,
  purchaseList,
  purchaseRequest,
} from '#contract/purchases.ts'
import { id } from '#contract/fields.ts'
import type { Services } from '../services.ts'
import { requestDownload } from '../shop/downloads.ts'
import { buy, listPurchases } from '../shop/purchases.ts'
import { limitPerAccount } from './limits.ts'
import { bearer, body, createApi, json, refusal } from './route.ts'

export function purchasesApi(services: Services) {
  const { requireUser } = services.auth

  const make = createRoute({
    method: 'post',
    path: '/purchases',
    security: bearer,
    middleware: [
      requireUser,
      limitPerAccount(services, 'purchases', { limit: 30, windowSeconds: 600 }),
    ] as const,
    request: {
      headers: z.object({ 'idempotency-key': idempotencyKey.optional() }),
      ...body(purchaseRequest),
    },
    responses: {
      201: json(purchase, 'The purchase'),
      200: json(purchase, 'The purchase this Idempotency-Key made before'),
      ...refusal,
    },
  })

  const list = createRoute({
    method: 'get',
    path: '/purchases',
    security: bearer,
    middleware: [requireUser] as const,
    responses: { 200: json(purchaseList, 'Own purchases, newest first'), ...refusal },
  })

  const requestFile = createRoute({
    method: 'post',
    path: '/purchases/{id}/download',
    security: bearer,
    middleware: [
      requireUser,
      limitPerAccount(services, 'downloads', { limit: 60, windowSeconds: 600 }),
    ] as const,
    request: { params: z.object({ id }), ...body(downloadRequest) },
    responses: { 200: json(download, 'A link that works for some minutes'), ...refusal },
  })

  return createApi()
    .openapi(make, async (c) => {
      const { product_id } = c.req.valid('json')
      const key = c.req.valid('header')['idempotency-key']
      const made = await buy(services, { user_id: c.var.user.id, product_id, key })
      return c.json(made.purchase, made.isNew ? 201 : 200)
    })
    .openapi(list, async (c) => c.json(await listPurchases(services.db, c.var.user.id), 200))
    .openapi(requestFile, async (c) => {
      const wanted = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id, ...c.req.valid('json') }
      return c.json(await requestDownload(services, wanted), 200)
    })
}
