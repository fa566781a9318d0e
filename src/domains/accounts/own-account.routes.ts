// One's own account. Name, password, address and second factors change by GoTrue's calls (routes.ts).
import { z } from 'zod'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { addressLink, addressLinkRequest, ownAccount, ownSession } from '#contract/accounts/accounts.ts'
import { deviceOf } from './gotrue.ts'
import type { AccountsShop } from './shop.ts'

const ownSessions = z.object({ items: z.array(ownSession) })

export function ownAccountApi({ auth: { own, requireUser: middleware }, config }: AccountsShop) {
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
