// The routes of one’s own account. Name, password, address and second factors change by GoTrue’s calls (accounts.routes.ts).
import { z } from '@hono/zod-openapi'
import { limitPerAddress, perNetwork } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { me, ownProof } from '#contract/accounts/accounts.ts'
import { addressLink, addressLinkRequest, ownAccount, ownSession } from '#contract/accounts/own-account.ts'
import type { AccountsShop } from './shop.ts'
import { deviceOf } from './gotrue.ts'

const proven = z.object({ success: z.literal(true) })

export function accountsApi({ auth, mail }: AccountsShop) {
  return createApi()
    .openapi(
      route('get', '/me', { middleware: auth.requireUser, returns: ok(me, 'The signed-in person') }),
      (c) => {
        const { id, email, display_name, is_admin, has_password, has_factor } = c.var.user
        const reads_mails = is_admin && !mail.sendsMail()
        return c.json({ id, email, display_name, is_admin, has_password, has_factor, reads_mails }, 200)
      },
    )
    .openapi(
      route('post', '/me/proof', {
        ...body(ownProof),
        middleware: auth.requireUser,
        returns: ok(proven, 'It counts for the next ten minutes'),
      }),
      async (c) => {
        await auth.renewProof(c, c.req.valid('json'))
        return c.json({ success: true as const }, 200)
      },
    )
}

const ownSessions = z.object({ items: z.array(ownSession) })

export function ownAccountApi(services: AccountsShop) {
  const { auth, config } = services
  const { own, requireUser: middleware } = auth
  const living = ok(ownSessions, 'Where the account is signed in')
  return createApi()
    .openapi(
      route('get', '/account', { middleware, returns: ok(ownAccount, 'One’s own account') }),
      async (c) => c.json(await own.get(c.var.user.id), 200),
    )
    .openapi(
      route('delete', '/account/new-address', { middleware, returns: ok(ownAccount, 'One’s own account') }),
      async (c) => {
        await own.cancelAddressChange(c.var.user)
        return c.json(await own.get(c.var.user.id), 200)
      },
    )
    .openapi(
      route('post', '/account/address-link', {
        isPublic: true,
        ...body(addressLinkRequest),
        middleware: limitPerAddress(services, 'address-links', perNetwork),
        returns: ok(addressLink, 'What the link does; it stays unused'),
      }),
      async (c) => {
        const { token_hash } = c.req.valid('json')
        return c.json(await own.findAddressLink(token_hash, deviceOf(c, config)), 200)
      },
    )
    .openapi(route('get', '/account/sessions', { middleware, returns: living }), async (c) =>
      c.json({ items: await own.listSessions(c.var.user) }, 200),
    )
    .openapi(
      route('delete', '/account/sessions/{id}', { params: idParam, middleware, returns: living }),
      async (c) => {
        await own.endSession(c.var.user, c.req.valid('param').id)
        return c.json({ items: await own.listSessions(c.var.user) }, 200)
      },
    )
}
