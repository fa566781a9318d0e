// The routes of one’s own purchases, their receipts, and links to their files.
import { responsesTexts } from '#words/refusals.ts'
import { ownPurchases, ownPurchasesRequest, purchase } from '#contract/orders/purchases.ts'
import { receipt } from '#contract/orders/receipts.ts'
import { getOwnPurchase, listOwnPurchases } from './purchases.ts'
import { address } from '#contract/orders/shipments.ts'
import { correctAddress } from './shipping.ts'
import { getOwnReceipt, sendReceipt } from './receipts.ts'
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route, type ApiEnv } from '#platform/http/route.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { id } from '#contract/fields.ts'
import { functionRefusals, readFunctionRequest } from '#platform/http/errors.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export function purchasesApi(services: CommerceShop) {
  const { requireUser } = services.auth

  return createApi()
    .openapi(
      route('put', '/purchases/{id}/address', {
        params: idParam,
        ...body(address),
        middleware: [requireUser, limitPerAccount(services, 'addresses', { limit: 30, windowSeconds: 600 })],
        returns: ok(purchase, 'The purchase, and where it goes now'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        await correctAddress(services, own, c.req.valid('json'))
        return c.json(await getOwnPurchase(services.db, own), 200)
      },
    )
    .openapi(
      route('get', '/purchases', {
        query: ownPurchasesRequest,
        middleware: requireUser,
        returns: ok(ownPurchases, 'A page of own purchases, newest first'),
      }),
      async (c) => c.json(await listOwnPurchases(services.db, c.var.user.id, c.req.valid('query')), 200),
    )
    .openapi(
      route('get', '/purchases/{id}/receipt', {
        params: idParam,
        middleware: requireUser,
        returns: ok(receipt, 'What was paid, and what of it went back'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        return c.json(await getOwnReceipt(services, own), 200)
      },
    )
}

/** The other fields of the call (addresses, names, prices) are read from the database instead. */
const purchaseEmailRequest = z.object({ purchaseId: id })

export function receiptFunction(services: CommerceShop) {
  const limit = limitPerAccount(services, 'receipts', { limit: 20, windowSeconds: 3600 })
  const guard = [functionRefusals, services.auth.requireUser, limit] as const
  return new Hono<ApiEnv>().post('/send-purchase-email', ...guard, async (c) => {
    const { purchaseId } = await readFunctionRequest(c, purchaseEmailRequest)
    const { isOnItsWay } = await sendReceipt(services, { user_id: c.var.user.id, purchase_id: purchaseId })
    const message = isOnItsWay ? responsesTexts.receiptOnItsWay : responsesTexts.receiptSentBefore
    return c.json({ success: true, message })
  })
}
