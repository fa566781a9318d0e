// The routes of an order without an account: for the browser that bought, and for the link in a receipt.
import { guestReceipt } from '#contract/orders/receipts.ts'
import { accessLink, accessRequest } from '#contract/orders/guest-purchases.ts'
import { getGuestReceipt } from './receipts.ts'
import { limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route, created } from '#platform/http/route.ts'
import { makeOwnLink } from './order-links.ts'
import { hashOf } from '#platform/mailed-token.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export function guestOrdersApi(services: CommerceShop) {
  return createApi()
    .openapi(
      route('post', '/guest/purchases/{id}/receipt', {
        isPublic: true,
        params: idParam,
        ...body(accessRequest),
        middleware: limitPerAddress(services, 'guest-receipts', perNetwork),
        returns: ok(guestReceipt, 'What was paid, and what of it went back; without the postal address'),
      }),
      async (c) => {
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(c.req.valid('json').proof) }
        return c.json(await getGuestReceipt(services, access), 200)
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
