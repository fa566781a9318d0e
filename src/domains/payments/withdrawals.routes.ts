// The routes of withdrawals.
import { z } from '@hono/zod-openapi'
import { endedAtOldPrice } from '#contract/payments/needs-attention.ts'
import {
  refundProof,
  refusalRequest,
  acceptedDeclaration,
  declarationChoice,
  declarationEffect,
  declarationReceived,
  declarationRequest,
  declarationToken,
  provenDeclaration,
} from '#contract/orders/withdrawals.ts'
import { actorOf, body, createApi, idParam, ok, route, created } from '#platform/http/route.ts'
import type { BookShop } from '#domains/book/shop.ts'
import {
  acceptDeclaration,
  refundWithdrawal,
  refuseWithdrawal,
  proveDeclaration,
  receiveDeclaration,
} from './withdrawals.ts'
import { endAtOldPrice } from './open-checkout.ts'
import { clientIp, clientNetwork } from '#platform/http/client-ip.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { isMailLimit } from '#domains/accounts/limits.ts'
import { findDeclaration, readDeclaration } from '#domains/orders/withdrawals.ts'

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

const perNetwork = { limit: 20, windowSeconds: 3600 }
const looksPerNetwork = { limit: 120, windowSeconds: 600 }

export function declarationsApi(services: BookShop) {
  const { config, mail } = services
  const limit = limitPerAddress(services, 'withdrawal-links', looksPerNetwork)
  return createApi()
    .openapi(
      route('post', '/withdrawals', {
        isPublic: true,
        ...body(declarationRequest),
        middleware: limitPerAddress(services, 'withdrawals', perNetwork),
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
