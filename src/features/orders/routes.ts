// All purchases, for the admin area.
import type { WithAuth } from '../accounts/auth.ts'
import { createRoute, z } from '@hono/zod-openapi'
import { evidence } from './contract/evidence.ts'
import { id } from '#platform/contract/fields.ts'
import { adminRefundRequest } from '../purchases/contract/purchases.ts'
import { orderDetail, orderList, orderListRequest } from './contract/orders.ts'
import type { Services } from '../../services.ts'
import { getEvidence } from './evidence.ts'
import { refundPurchase } from '../payments/refunds.ts'
import { getOrder, listOrders, sendReceiptByAdmin } from './orders.ts'
import { actorOf } from '../audit/actor.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'

export type OrdersApi = ReturnType<typeof ordersApi>

const one = z.object({ id })

export function ordersApi(services: Services & WithAuth) {
  const list = createRoute({
    method: 'get',
    path: '/purchases',
    security: bearer,
    request: { query: orderListRequest },
    responses: { 200: json(orderList, 'A page of purchases'), ...refusal },
  })
  const read = createRoute({
    method: 'get',
    path: '/purchases/{id}',
    security: bearer,
    request: { params: one },
    responses: { 200: json(orderDetail, 'One purchase, and what became of it'), ...refusal },
  })
  const prove = createRoute({
    method: 'get',
    path: '/purchases/{id}/evidence',
    security: bearer,
    request: { params: one },
    responses: { 200: json(evidence, 'All that speaks for it when a bank asks'), ...refusal },
  })
  const sendReceipt = createRoute({
    method: 'post',
    path: '/purchases/{id}/receipt',
    security: bearer,
    request: { params: one },
    responses: {
      200: json(z.object({ is_on_its_way: z.boolean() }), 'False when one was sent a moment ago'),
      ...refusal,
    },
  })
  const refund = createRoute({
    method: 'post',
    path: '/purchases/{id}/refund',
    security: bearer,
    middleware: services.auth.requireRecentSignIn,
    request: { params: one, ...body(adminRefundRequest) },
    responses: {
      202: json(orderDetail, 'Asked of Stripe; where Stripe was not paid, only recorded'),
      ...refusal,
    },
  })
  return createApi()
    .openapi(list, async (c) => c.json(await listOrders(services, c.req.valid('query')), 200))
    .openapi(read, async (c) => c.json(await getOrder(services.db, c.req.valid('param').id), 200))
    .openapi(prove, async (c) => c.json(await getEvidence(services.db, c.req.valid('param').id), 200))
    .openapi(refund, async (c) => {
      const { id: purchase_id } = c.req.valid('param')
      await refundPurchase(services, actorOf(c, services), { purchase_id, ...c.req.valid('json') })
      return c.json(await getOrder(services.db, purchase_id), 202)
    })
    .openapi(sendReceipt, async (c) => {
      const { id: purchase_id } = c.req.valid('param')
      const { isOnItsWay } = await sendReceiptByAdmin(services, actorOf(c, services), purchase_id)
      return c.json({ is_on_its_way: isOnItsWay }, 200)
    })
}
