// The routes of withdrawing on a page, without an account: the declaration, and what the link of its acknowledgement does.
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, created, createApi, ok, route } from '#platform/http/route.ts'
import {
  declarationChoice,
  declarationEffect,
  declarationReceived,
  declarationRequest,
  declarationToken,
  provenDeclaration,
} from '#contract/orders/declarations.ts'
import { lookAtDeclaration, proveDeclaration, receiveDeclaration } from './declarations.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { clientIp, clientNetwork } from '#platform/http/client-ip.ts'
import { isMailLimit } from '#domains/accounts/mail-limits.ts'
import { findDeclaration } from '#domains/orders/withdrawal-declarations.ts'

const withdrawalsPerNetwork = { limit: 20, windowSeconds: 3600 }
const looksPerNetwork = { limit: 120, windowSeconds: 600 }

export function declarationsApi(services: CommerceShop) {
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
        return c.json({ ...received, is_mailed: !isLimited && mail.sendsMail() }, 201)
      },
    )
    .openapi(
      route('post', '/withdrawals/look', {
        isPublic: true,
        ...body(declarationToken),
        middleware: limit,
        returns: ok(provenDeclaration, 'The declaration, and the orders that it can mean'),
      }),
      async (c) => c.json(await lookAtDeclaration(services, c.req.valid('json').token), 200),
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
