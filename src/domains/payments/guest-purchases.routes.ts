// The routes of buying with an address only, and of giving such a purchase back.
import { limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { body, created, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { limitGuesses } from '#domains/orders/code-guesses.ts'
import {
  accessRequest,
  guestPurchase,
  guestPurchaseMade,
  guestPurchaseRequest,
  guestRefundRequest,
  returnRequest,
} from '#contract/orders/guest-purchases.ts'
import { requestTakenBack } from '#contract/orders/purchases.ts'
import { checkOutGuest, settleGuestPurchase, takeBackAsGuest, withdrawAsGuest } from './checkout.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { clientIp, clientNetwork } from '#platform/http/client-ip.ts'
import { exchangeReturn } from '#domains/orders/guest-orders.ts'
import { hashOf } from '#platform/mailed-token.ts'

/** The page asks every two seconds at first. */
const settlesPerNetwork = { limit: 1200, windowSeconds: 600 }

export function guestApi(services: CommerceShop) {
  return createApi()
    .openapi(
      route('post', '/guest/purchases', {
        isPublic: true,
        ...body(guestPurchaseRequest),
        middleware: limitPerAddress(services, 'guest-purchases', perNetwork),
        returns: {
          ...created(guestPurchaseMade, 'The purchase, and where it is paid'),
          ...ok(guestPurchaseMade, 'The purchase that this proof has already'),
        },
      }),
      async (c) => {
        const { proof, ...request } = c.req.valid('json')
        const network = clientNetwork(c, services.config.trustedProxies)
        if (request.code) await limitGuesses(services, request.code, { network })
        const guest = { network, proof_hash: hashOf(proof) }
        const { purchase, isNew, checkout_url } = await checkOutGuest(services, guest, request)
        return c.json({ id: purchase.id, checkout_url }, isNew ? 201 : 200)
      },
    )
    .openapi(
      route('post', '/guest/purchases/{id}/settle', {
        isPublic: true,
        params: idParam,
        ...body(accessRequest),
        middleware: limitPerAddress(services, 'guest-settle', settlesPerNetwork),
        returns: ok(guestPurchase, 'The purchase, as its payment has it now'),
      }),
      async (c) => {
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(c.req.valid('json').proof) }
        return c.json(await settleGuestPurchase(services, access), 200)
      },
    )
    .openapi(
      route('post', '/guest/purchases/{id}/return', {
        isPublic: true,
        params: idParam,
        ...body(returnRequest),
        middleware: limitPerAddress(services, 'guest-returns', perNetwork),
        returns: ok(guestPurchase, 'The purchase, which the new proof opens instead of the checkout’s id'),
      }),
      async (c) => {
        const { proof, new_proof } = c.req.valid('json')
        const { id: purchase_id } = c.req.valid('param')
        const access = { purchase_id, hash: hashOf(new_proof) }
        await exchangeReturn(services, { purchase_id, hash: hashOf(proof) }, access.hash)
        return c.json(await settleGuestPurchase(services, access), 200)
      },
    )
    .openapi(
      route('post', '/guest/purchases/{id}/refund', {
        isPublic: true,
        params: idParam,
        ...body(guestRefundRequest),
        middleware: limitPerAddress(services, 'guest-refunds', perNetwork),
        returns: ok(guestPurchase, 'The purchase; the declaration is received'),
      }),
      async (c) => {
        const { proof, ...request } = c.req.valid('json')
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(proof) }
        const ip = clientIp(c, services.config.trustedProxies)
        return c.json(await withdrawAsGuest(services, access, { ...request, ip }), 200)
      },
    )
    .openapi(
      route('post', '/guest/purchases/{id}/refund/end', {
        isPublic: true,
        params: idParam,
        ...body(accessRequest),
        middleware: limitPerAddress(services, 'guest-refunds', perNetwork),
        returns: ok(requestTakenBack, 'Whether the request is taken back'),
      }),
      async (c) => {
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(c.req.valid('json').proof) }
        const ip = clientIp(c, services.config.trustedProxies)
        return c.json({ is_done: await takeBackAsGuest(services, access, ip) }, 200)
      },
    )
}
