// All purchases, for the admin area.
import { z } from '@hono/zod-openapi'
import { adminRefundRequest } from '#contract/orders/purchases.ts'
import { accessLink } from '#contract/orders/guest-purchases.ts'
import { orderDetail, orderList, orderListRequest, evidence } from '#contract/orders/admin-orders.ts'
import { listOrders } from '#domains/orders/purchases.ts'
import { getEvidence, endLinks, getOrder, makeBuyersLink, sendReceiptByAdmin } from './order-page.ts'
import { refundPurchase } from '#domains/payments/refunds.ts'
import { actorOf, accepted, body, created, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { limitAdminMails } from '#platform/http/rate-limits.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export type OrdersApi = ReturnType<typeof ordersApi>

export function ordersApi(services: CommerceShop) {
  return createApi()
    .openapi(
      route('get', '/purchases', { query: orderListRequest, returns: ok(orderList, 'A page of purchases') }),
      async (c) => c.json(await listOrders(services, c.req.valid('query')), 200),
    )
    .openapi(
      route('get', '/purchases/{id}', {
        params: idParam,
        returns: ok(orderDetail, 'One purchase, and what became of it'),
      }),
      async (c) => c.json(await getOrder(services.db, c.req.valid('param').id), 200),
    )
    .openapi(
      route('get', '/purchases/{id}/evidence', {
        params: idParam,
        returns: ok(evidence, 'All that speaks for it when a bank asks'),
      }),
      async (c) => c.json(await getEvidence(services.db, c.req.valid('param').id), 200),
    )
    .openapi(
      route('post', '/purchases/{id}/refund', {
        params: idParam,
        ...body(adminRefundRequest),
        returns: accepted(orderDetail, 'Asked of Stripe; where Stripe was not paid, only recorded'),
      }),
      async (c) => {
        await services.auth.requireRecentProof(c)
        const { id: purchase_id } = c.req.valid('param')
        const request = { purchase_id, ...c.req.valid('json') }
        await services.db.transaction((tx) => refundPurchase(tx, services, actorOf(c, services), request))
        return c.json(await getOrder(services.db, purchase_id), 202)
      },
    )
    .openapi(
      route('post', '/purchases/{id}/receipt', {
        params: idParam,
        middleware: limitAdminMails(services),
        returns: ok(z.object({ is_on_its_way: z.boolean() }), 'False when one was sent a moment ago'),
      }),
      async (c) => {
        const { id: purchase_id } = c.req.valid('param')
        const { isOnItsWay } = await sendReceiptByAdmin(services, actorOf(c, services), purchase_id)
        return c.json({ is_on_its_way: isOnItsWay }, 200)
      },
    )
    .openapi(
      route('post', '/purchases/{id}/links', {
        params: idParam,
        returns: created(
          accessLink,
          'Opens the order of a buyer without an account, as the link of a receipt does',
        ),
      }),
      async (c) => {
        await services.auth.requireRecentProof(c)
        return c.json(await makeBuyersLink(services, actorOf(c, services), c.req.valid('param').id), 201)
      },
    )
    .openapi(
      route('delete', '/purchases/{id}/links', {
        params: idParam,
        returns: ok(orderDetail, 'No link opens it any more'),
      }),
      async (c) => {
        const { id } = c.req.valid('param')
        await services.auth.requireRecentProof(c)
        await endLinks(services, actorOf(c, services), id)
        return c.json(await getOrder(services.db, id), 200)
      },
    )
}
