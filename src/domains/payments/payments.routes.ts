// The routes of buying with an account, of settling a payment now, and of refunds that a buyer asks for.
import { responsesTexts } from '#words/refusals.ts'
import { limitPerAccount, limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, created, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import { Problem, platformProblem } from '#platform/problem.ts'
import { z } from '@hono/zod-openapi'
import { limitGuesses } from '#domains/orders/code-guesses.ts'
import { buy } from '#domains/orders/buy.ts'
import {
  idempotencyKey,
  purchase,
  purchaseMade,
  purchaseRequest,
  refundRequest,
  requestTakenBack,
} from '#contract/orders/purchases.ts'
import { getOwnPurchase } from '#domains/orders/purchases.ts'
import { checkOut } from './checkout.ts'
import { settlePurchase } from './settle.ts'
import { declareWithdrawal, takeRequestBack } from './withdrawals.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const refundsPerAccount = { limit: 10, windowSeconds: 3600 }

export function paymentsApi(services: CommerceShop) {
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
        const result = provider
          ? await checkOut({ ...services, provider }, { id: user_id, email }, intent)
          : { ...(await buy(services, { ...intent, user_id })), checkout_url: null }
        return c.json({ ...result.purchase, checkout_url: result.checkout_url }, result.isNew ? 201 : 200)
      },
    )
    .openapi(
      route('post', '/purchases/{id}/settle', {
        params: idParam,
        middleware: [requireUser, limitPerAccount(services, 'settle', { limit: 60, windowSeconds: 600 })],
        returns: ok(purchase, 'The purchase, as its payment has it now'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        await getOwnPurchase(services.db, own)
        await settlePurchase(services, own.purchase_id).catch(refuseUnchecked)
        return c.json(await getOwnPurchase(services.db, own), 200)
      },
    )
    .openapi(
      route('post', '/purchases/{id}/refund', {
        params: idParam,
        ...body(refundRequest),
        middleware: [requireUser, limitPerAccount(services, 'refunds', refundsPerAccount)],
        returns: ok(purchase, 'The purchase; the declaration is received'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        const { reason, is_request } = c.req.valid('json')
        // Asked only where the dashboard offers it.
        const mayAsk = is_request && (await getOwnPurchase(services.db, own)).ended_right !== null
        const request = { ...own, reason, is_request: mayAsk }
        await declareWithdrawal(services, actorOf(c, services), request)
        return c.json(await getOwnPurchase(services.db, own), 200)
      },
    )
    .openapi(
      route('delete', '/purchases/{id}/refund', {
        params: idParam,
        middleware: [requireUser, limitPerAccount(services, 'refunds', refundsPerAccount)],
        returns: ok(requestTakenBack, 'Whether the request is taken back'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id, isSignedIn: true }
        return c.json({ is_done: await takeRequestBack(services, actorOf(c, services), own) }, 200)
      },
    )
}

/** A buyer who comes back from paying did not ask whether payments are available. */
function refuseUnchecked(error: unknown): never {
  const isDenied = error instanceof Problem && error.code === 'payments.not_available'
  if (!isDenied) throw error
  throw platformProblem('payments.not_available', { detail: responsesTexts.notChecked, cause: error })
}
