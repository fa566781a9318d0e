// The routes of an order without an account: for the browser that bought, for the link in a receipt, and for the owner of
// the mailbox.
import { z } from 'zod'
import { guestReceipt, receiptsRequest } from '#contract/orders/receipts.ts'
import { accessLink, accessRequest } from '#contract/orders/guest-purchases.ts'
import { getGuestReceipt } from './receipts.ts'
import { limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route, created } from '#platform/http/route.ts'
import { maxReceipts, requestReceipts } from './receipts-again.ts'
import { makeOwnLink } from './order-links.ts'
import { hashOf } from '#platform/mailed-token.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const receiptsPerNetwork = { limit: 100, windowSeconds: 600 }

export function guestOrdersApi(services: CommerceShop) {
  return createApi()
    .openapi(
      route('post', '/guest/purchases/{id}/receipt', {
        isPublic: true,
        params: idParam,
        ...body(accessRequest),
        middleware: limitPerAddress(services, 'guest-receipts', perNetwork),
        returns: ok(
          guestReceipt,
          'What was paid, and what of it went back; without the buyer’s postal address',
        ),
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
    .openapi(
      route('post', '/guest/receipts', {
        isPublic: true,
        ...body(receiptsRequest),
        middleware: limitPerAddress(services, 'guest-receipts-again', receiptsPerNetwork),
        returns: ok(
          z.object({ is_received: z.literal(true) }),
          'The receipts of the newest orders are mailed again, where the address has any',
        ),
      }),
      async (c) => {
        const { email } = c.req.valid('json')
        const request = { email, purpose: 'find_purchase', emails: maxReceipts } as const
        const { hours } = await services.auth.limitMail(c, request)
        await requestReceipts(services, { email, isLastOfDay: hours !== undefined })
        return c.json({ is_received: true as const }, 200)
      },
    )
}
