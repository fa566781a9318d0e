// Buying, one's own purchases, and links to their files.
import type { WithAuth } from '../accounts/auth.ts'
import type { WithBook } from '../book/published-book.ts'
import { z } from '@hono/zod-openapi'
import {
  download,
  downloadRequest,
  idempotencyKey,
  ownPurchases,
  ownPurchasesRequest,
  purchase,
  purchaseMade,
  purchaseRequest,
} from './contract/purchases.ts'
import { receipt } from './contract/receipts.ts'
import type { Services } from '../../services.ts'
import { requestDownload } from '../downloads/downloads.ts'
import { buy, type CheckOut } from './buy.ts'
import { getOwnPurchase, listOwnPurchases } from './purchases.ts'
import { address } from '../shipping/contract/shipments.ts'
import { correctAddress } from '../shipping/address.ts'
import { getOwnReceipt } from './receipts.ts'
import { callerOf } from '../downloads/caller.ts'
import { limitGuesses } from '../discounts/limit-guesses.ts'
import { limitPerAccount, limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, created, createApi, idParam, ok, route } from '#platform/http/route.ts'

/** `checkOut` makes a purchase that is to be paid, where payments are set. */
export function purchasesApi(services: Services & WithAuth & WithBook, checkOut: CheckOut) {
  const { requireUser } = services.auth

  return createApi()
    .openapi(
      route('post', '/purchases', {
        headers: z.object({ 'idempotency-key': idempotencyKey.optional() }),
        ...body(purchaseRequest),
        middleware: [
          requireUser,
          limitPerAccount(services, 'purchases', { limit: 30, windowSeconds: 600 }),
          // Generous, and for the signed in only: behind one address may stand a library, or a church after the service.
          limitPerAddress(services, 'purchases', { limit: 600, windowSeconds: 600 }),
        ],
        returns: {
          ...created(purchaseMade, 'The purchase'),
          ...ok(purchaseMade, 'The purchase this Idempotency-Key made before, or whose checkout is open'),
        },
      }),
      async (c) => {
        const provider = services.payments.current()
        const { id: user_id, email } = c.var.user
        const intent = { ...c.req.valid('json'), key: c.req.valid('header')['idempotency-key'] }
        if (intent.code) await limitGuesses(services, intent.code, { buying: { ...intent, user_id } })
        const made = provider
          ? await checkOut({ ...services, provider }, { id: user_id, email }, intent)
          : { ...(await buy(services, { ...intent, user_id })), checkout_url: null }
        return c.json({ ...made.purchase, checkout_url: made.checkout_url }, made.isNew ? 201 : 200)
      },
    )
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
        return c.json(await getOwnReceipt(services.db, own), 200)
      },
    )
    .openapi(
      route('post', '/purchases/{id}/download', {
        params: idParam,
        ...body(downloadRequest),
        middleware: [requireUser, limitPerAccount(services, 'downloads', { limit: 60, windowSeconds: 600 })],
        returns: ok(download, 'A link that works for some minutes'),
      }),
      async (c) => {
        const { id: user_id, session_id } = c.var.user
        const wanted = { user_id, session_id, purchase_id: c.req.valid('param').id, ...c.req.valid('json') }
        return c.json(await requestDownload(services, wanted, callerOf(c, services)), 200)
      },
    )
}
