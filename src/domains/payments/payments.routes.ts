// The routes of payments, of users, of Stripe and of guests; and of withdrawals.
import { responsesTexts } from '#words/refusals.ts'
import { limitPerAccount, limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { body, created, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import { Problem, platformProblem } from '#platform/problem.ts'
import { z } from '@hono/zod-openapi'
import { limitGuesses } from '#domains/orders/discounts.ts'
import { buy } from '#domains/orders/buy.ts'
import {
  idempotencyKey,
  purchase,
  purchaseMade,
  purchaseRequest,
  refundRequest,
  accessRequest,
  guestPurchase,
  guestPurchaseMade,
  guestPurchaseRequest,
  guestRefundRequest,
  returnRequest,
  refundProof,
  refusalRequest,
  acceptedDeclaration,
  declarationChoice,
  declarationEffect,
  declarationReceived,
  declarationRequest,
  declarationToken,
  provenDeclaration,
} from '#contract/orders/purchases.ts'
import { getOwnPurchase } from '#domains/orders/purchases.ts'
import { checkOut, checkOutGuest, settleGuestPurchase, withdrawAsGuest } from './checkout.ts'
import { settlePurchase } from './settle.ts'
import {
  declareWithdrawal,
  acceptDeclaration,
  refundWithdrawal,
  refuseWithdrawal,
  proveDeclaration,
  receiveDeclaration,
} from './withdrawals.ts'
import { paymentProblem } from './problem.ts'
import { Hono } from 'hono'
import { limitBody } from '#platform/http/bodies.ts'
import type { Payments } from '#platform/stripe/payments.ts'
import { receiveEvents } from './events.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { clientIp, clientNetwork } from '#platform/http/client-ip.ts'
import { exchangeReturn, hashOf } from '#domains/orders/guest-orders.ts'
import { endedAtOldPrice } from '#contract/payments/needs-attention.ts'
import { endAtOldPrice } from './open-checkout.ts'
import { isMailLimit } from '#domains/accounts/mail-limits.ts'
import { findDeclaration, readDeclaration } from '#domains/orders/withdrawals.ts'

// Buying, settling a payment now, and wanting the money back.

export function paymentsApi(services: BookShop) {
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
        middleware: [requireUser, limitPerAccount(services, 'refunds', { limit: 10, windowSeconds: 3600 })],
        returns: ok(purchase, 'The purchase; the declaration is received'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        const { reason } = c.req.valid('json')
        await declareWithdrawal(services, actorOf(c, services), { ...own, reason })
        return c.json(await getOwnPurchase(services.db, own), 200)
      },
    )
}

/** A buyer who comes back from paying did not ask whether payments are available. */
function refuseUnchecked(error: unknown): never {
  const isDenied = error instanceof Problem && error.code === 'payments.not_available'
  if (!isDenied) throw error
  throw platformProblem('payments.not_available', { detail: responsesTexts.notChecked, cause: error })
}

// POST /api/stripe/webhook. Without a signature nothing is read; then it is checked on the raw bytes, before anything else.

/** In bytes. Stripe's largest events are a tenth of it. */
const maxBody = 256 * 1024
/** Of all that is read before its signature is checked. Stripe sends again what is refused. */
const maxTogether = 8 * 1024 * 1024
const warningPauseMs = 60_000

const notSigned =
  'a webhook is not signed with the secret of the endpoint (STRIPE_WEBHOOK_SECRET where the environment sets it), or the clock of this machine is wrong'
const thin = 'Stripe sends thin events, which are not read: its endpoint needs the payload style "snapshot"'

export function stripeApi(services: BookShop) {
  let warnedAt = -Infinity

  async function readEvent(payments: Payments, body: string, signature: string) {
    try {
      return await payments.readEvent(body, signature)
    } catch (error) {
      // Logged at intervals, since any client may post here. The usual cause is the secret of another endpoint.
      if (performance.now() - warnedAt > warningPauseMs) {
        warnedAt = performance.now()
        const isThin = error instanceof Problem && error.code === 'payments.thin_event'
        services.log.warn(isThin ? thin : notSigned)
      }
      throw error
    }
  }

  return new Hono().post('/stripe/webhook', limitBody(maxBody, { maxTogether }), async (c) => {
    const payments = services.payments.current()
    if (!payments) throw paymentProblem('payments.not_set')
    const signature = c.req.header('stripe-signature')
    if (!signature) throw platformProblem('payments.bad_signature')
    await receiveEvents(services, [await readEvent(payments, await c.req.text(), signature)])
    return c.json({ received: true }, 200)
  })
}

// Buying with an address only, and giving it back.

/** The page asks every two seconds at first. */
const settlesPerNetwork = { limit: 1200, windowSeconds: 600 }

export function guestApi(services: BookShop) {
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
        const { proof, reason } = c.req.valid('json')
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(proof) }
        const ip = clientIp(c, services.config.trustedProxies)
        return c.json(await withdrawAsGuest(services, access, { reason, ip }), 200)
      },
    )
}

// What the author decides of withdrawals, and the end of checkouts at old prices.

const done = ok(z.object({ is_done: z.boolean() }), 'It is done, and in the log')

export type WithdrawalsApi = ReturnType<typeof withdrawalsApi>

export function withdrawalsApi(services: BookShop) {
  return createApi()
    .openapi(
      route('post', '/payments/withdrawal/{id}/refund', {
        params: idParam,
        ...body(refundProof),
        returns: done,
      }),
      async (c) => {
        const { current_password } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await refundWithdrawal(services, actorOf(c, services), c.req.valid('param').id)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/withdrawal/{id}/refuse', {
        params: idParam,
        ...body(refusalRequest),
        middleware: services.auth.requireRecentSignIn,
        returns: done,
      }),
      async (c) => {
        const refused = { purchase_id: c.req.valid('param').id, ...c.req.valid('json') }
        await refuseWithdrawal(services, actorOf(c, services), refused)
        return c.json({ is_done: true }, 200)
      },
    )
    .openapi(
      route('post', '/payments/unproven_withdrawal/{id}/accept', {
        params: idParam,
        ...body(acceptedDeclaration),
        returns: done,
      }),
      async (c) => {
        const { current_password, purchase_id } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        await acceptDeclaration(services, actorOf(c, services), {
          id: c.req.valid('param').id,
          purchase_id,
        })
        return c.json({ is_done: true }, 200)
      },
    )
}

export type OldPricesApi = ReturnType<typeof oldPricesApi>

export function oldPricesApi(services: BookShop) {
  return createApi().openapi(
    route('delete', '/products/{id}/old-price-checkouts', {
      params: idParam,
      middleware: services.auth.requireRecentSignIn,
      returns: ok(endedAtOldPrice, 'What became of them'),
    }),
    async (c) => c.json(await endAtOldPrice(services, actorOf(c, services), c.req.valid('param').id), 200),
  )
}

// Withdrawing on a page, without an account: the declaration, and what the link of its acknowledgement does.

const withdrawalsPerNetwork = { limit: 20, windowSeconds: 3600 }
const looksPerNetwork = { limit: 120, windowSeconds: 600 }

export function declarationsApi(services: BookShop) {
  const { config, mail } = services
  const limit = limitPerAddress(services, 'withdrawal-links', looksPerNetwork)
  return createApi()
    .openapi(
      route('post', '/withdrawals', {
        isPublic: true,
        ...body(declarationRequest),
        middleware: limitPerAddress(services, 'withdrawals', withdrawalsPerNetwork),
        returns: created(declarationReceived, 'The declaration is received, whatever it names'),
      }),
      async (c) => {
        const declared = c.req.valid('json')
        const isRepeated = (await findDeclaration(services.db, declared)) !== undefined
        const isLimited =
          !isRepeated &&
          (await services.auth
            .limitMail(c, { email: declared.email, purpose: 'withdrawal' })
            .then(() => false, refuseOthers))
        const network = isLimited ? clientNetwork(c, config.trustedProxies) : undefined
        const received = await receiveDeclaration(services, { ...declared, network })
        return c.json({ ...received, is_mailed: !isLimited && !mail.isKept() }, 201)
      },
    )
    .openapi(
      route('post', '/withdrawals/look', {
        isPublic: true,
        ...body(declarationToken),
        middleware: limit,
        returns: ok(provenDeclaration, 'The declaration, and the orders that it can mean'),
      }),
      async (c) => c.json(await readDeclaration(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/withdrawals/proof', {
        isPublic: true,
        ...body(declarationChoice),
        middleware: limit,
        returns: ok(declarationEffect, 'The withdrawal from this order, which takes effect'),
      }),
      async (c) => {
        const ip = clientIp(c, config.trustedProxies)
        const withdrawal = await proveDeclaration(services, { ...c.req.valid('json'), ip })
        return c.json({ withdrawal }, 200)
      },
    )
}

/** It refuses no declaration: its acknowledgement is a file then, and is mailed later. */
function refuseOthers(error: unknown): true {
  if (isMailLimit(error)) return true
  throw error
}
