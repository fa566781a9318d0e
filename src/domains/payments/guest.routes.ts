// Buying with an address only, and what the browser that bought, or the link in a receipt, may do with the purchase.
import { clientIp, clientNetwork } from '#platform/http/client-ip.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, created, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '#domains/accounts/auth.ts'
import type { WithBook } from '#domains/book/published-book.ts'
import { limitGuesses } from '#domains/orders/limit-guesses.ts'
import { callerOf } from '#domains/delivery/downloads.routes.ts'
import { requestDownload } from '#domains/delivery/downloads.ts'
import {
  accessRequest,
  guestDownloadRequest,
  guestPurchase,
  guestPurchaseMade,
  guestPurchaseRequest,
  guestRefundRequest,
  accessLink,
} from '#contract/orders/guest-checkout.ts'
import { makeOwnLink } from '#domains/orders/order-link.ts'
import { findAccess, hashOf } from '#domains/orders/purchase-access.ts'
import { download } from '#contract/orders/purchases.ts'
import { receipt } from '#contract/orders/receipts.ts'
import { getGuestReceipt } from '#domains/orders/receipts.ts'
import { checkOutGuest, settleGuestPurchase, withdrawAsGuest } from './guest-purchases.ts'

/** Generous: behind one address may stand a library, or a church after the service. */
const perNetwork = { limit: 120, windowSeconds: 600 }
/** The page asks every two seconds at first. */
const settlesPerNetwork = { limit: 1200, windowSeconds: 600 }

export function guestApi(services: Services & WithBook & WithAuth) {
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
        const { proof, ...wanted } = c.req.valid('json')
        const network = clientNetwork(c, services.config.trustedProxies)
        if (wanted.code) await limitGuesses(services, wanted.code, { network })
        const guest = { network, proof_hash: hashOf(proof) }
        const { purchase, isNew, checkout_url } = await checkOutGuest(services, guest, wanted)
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
      route('post', '/guest/purchases/{id}/download', {
        isPublic: true,
        params: idParam,
        ...body(guestDownloadRequest),
        middleware: limitPerAddress(services, 'guest-downloads', perNetwork),
        returns: ok(download, 'A link that works for some minutes'),
      }),
      async (c) => {
        const { proof, ...file } = c.req.valid('json')
        const access = { purchase_id: c.req.valid('param').id, access: hashOf(proof).toString('hex') }
        return c.json(await requestDownload(services, { ...access, ...file }, callerOf(c, services)), 200)
      },
    )
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
      route('post', '/guest/purchases/{id}/refund', {
        isPublic: true,
        params: idParam,
        ...body(guestRefundRequest),
        middleware: limitPerAddress(services, 'guest-refunds', perNetwork),
        returns: ok(guestPurchase, 'The purchase; the declaration is received'),
      }),
      async (c) => {
        const { proof, reason } = c.req.valid('json')
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(proof) }
        const ip = clientIp(c, services.config.trustedProxies)
        return c.json(await withdrawAsGuest(services, access, { reason, ip }), 200)
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
