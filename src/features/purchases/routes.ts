// Buying, one's own purchases, and links to their files.
import type { WithAuth } from '../accounts/auth.ts'
import type { WithBook } from '../book/published-book.ts'
import { createRoute, z } from '@hono/zod-openapi'
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
import { id } from '#platform/contract/fields.ts'
import { receipt } from './contract/receipts.ts'
import type { Services } from '../../services.ts'
import { requestDownload } from '../downloads/downloads.ts'
import { listOwnPurchases } from './own-purchases.ts'
import { buy, type CheckOut } from './buy.ts'
import { getOwnPurchase } from './purchases.ts'
import { address } from '../shipping/contract/shipments.ts'
import { correctAddress } from '../shipping/address.ts'
import { getOwnReceipt } from './receipts.ts'
import { callerOf } from '../downloads/caller.ts'
import { limitGuesses } from '../discounts/limit-guesses.ts'
import { limitPerAccount, limitPerAddress } from '#platform/http/limits.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'

/** `checkOut` makes a purchase that is to be paid, where payments are set. */
export function purchasesApi(services: Services & WithAuth & WithBook, checkOut: CheckOut) {
  const { requireUser } = services.auth

  const make = createRoute({
    method: 'post',
    path: '/purchases',
    security: bearer,
    middleware: [
      requireUser,
      limitPerAccount(services, 'purchases', { limit: 30, windowSeconds: 600 }),
      // Generous, and for the signed in only: behind one address may stand a library, or a church after the service.
      limitPerAddress(services, 'purchases', { limit: 600, windowSeconds: 600 }),
    ] as const,
    request: {
      headers: z.object({ 'idempotency-key': idempotencyKey.optional() }),
      ...body(purchaseRequest),
    },
    responses: {
      201: json(purchaseMade, 'The purchase'),
      200: json(purchaseMade, 'The purchase this Idempotency-Key made before, or whose checkout is open'),
      ...refusal,
    },
  })

  const list = createRoute({
    method: 'get',
    path: '/purchases',
    security: bearer,
    middleware: [requireUser] as const,
    request: { query: ownPurchasesRequest },
    responses: { 200: json(ownPurchases, 'A page of own purchases, newest first'), ...refusal },
  })

  const readReceipt = createRoute({
    method: 'get',
    path: '/purchases/{id}/receipt',
    security: bearer,
    middleware: [requireUser] as const,
    request: { params: z.object({ id }) },
    responses: { 200: json(receipt, 'What was paid, and what of it went back'), ...refusal },
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

  const correct = createRoute({
    method: 'put',
    path: '/purchases/{id}/address',
    security: bearer,
    middleware: [
      requireUser,
      limitPerAccount(services, 'addresses', { limit: 30, windowSeconds: 600 }),
    ] as const,
    request: { params: z.object({ id }), ...body(address) },
    responses: { 200: json(purchase, 'The purchase, and where it goes now'), ...refusal },
  })

  return createApi()
    .openapi(make, async (c) => {
      const provider = services.payments.current()
      const { id: user_id, email } = c.var.user
      const intent = { ...c.req.valid('json'), key: c.req.valid('header')['idempotency-key'] }
      if (intent.code) await limitGuesses(services, intent.code, { buying: { ...intent, user_id } })
      const made = provider
        ? await checkOut({ ...services, provider }, { id: user_id, email }, intent)
        : { ...(await buy(services, { ...intent, user_id })), checkout_url: null }
      return c.json({ ...made.purchase, checkout_url: made.checkout_url }, made.isNew ? 201 : 200)
    })
    .openapi(correct, async (c) => {
      const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
      await correctAddress(services, own, c.req.valid('json'))
      return c.json(await getOwnPurchase(services.db, own), 200)
    })
    .openapi(list, async (c) =>
      c.json(await listOwnPurchases(services.db, c.var.user.id, c.req.valid('query')), 200),
    )
    .openapi(readReceipt, async (c) => {
      const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
      return c.json(await getOwnReceipt(services.db, own), 200)
    })
    .openapi(requestFile, async (c) => {
      const { id: user_id, session_id } = c.var.user
      const wanted = { user_id, session_id, purchase_id: c.req.valid('param').id, ...c.req.valid('json') }
      return c.json(await requestDownload(services, wanted, callerOf(c, services)), 200)
    })
}
