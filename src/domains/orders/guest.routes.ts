// What the browser that bought without an account, or the link in a receipt, may do with the order.
import { limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { body, created, createApi, idParam, ok, route } from '#platform/http/route.ts'
import type { Services } from '#platform/services.ts'
import { accessLink, accessRequest } from '#contract/orders/guest-checkout.ts'
import { receipt } from '#contract/orders/receipts.ts'
import { makeOwnLink } from './order-link.ts'
import { orderProblem } from './problem.ts'
import { findAccess, hashOf } from './purchase-access.ts'
import { getGuestReceipt } from './receipts.ts'

export function guestOrdersApi(services: Services) {
  return createApi()
    .openapi(
      route('post', '/guest/purchases/{id}/receipt', {
        isPublic: true,
        params: idParam,
        ...body(accessRequest),
        middleware: limitPerAddress(services, 'guest-receipts', perNetwork),
        returns: ok(receipt, 'What was paid, and what of it went back; without the postal address'),
      }),
      async (c) => {
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(c.req.valid('json').proof) }
        const { is_over } = await findAccess(services, access)
        const found = await getGuestReceipt(services.db, access.purchase_id)
        if (is_over && !found.refund_right) throw orderProblem('guest_checkout.access_ended')
        return c.json(found, 200)
      },
    )
    .openapi(
      route('post', '/guest/purchases/{id}/link', {
        isPublic: true,
        params: idParam,
        ...body(accessRequest),
        middleware: limitPerAddress(services, 'guest-links', perNetwork),
        returns: created(accessLink, 'Opens the order elsewhere, as the link of the receipt does'),
      }),
      async (c) => {
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(c.req.valid('json').proof) }
        return c.json(await makeOwnLink(services, access), 201)
      },
    )
}
