// The routes of free copies for addresses, for the admin area.
import { body, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import { grantCheck, grantList, grantRequest, grantSending, grantsSent } from '#contract/delivery/gifts.ts'
import { takeGiftBack } from './taken-back-copies.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { checkGrants, listGrants, sendGrants } from './grants.ts'

export type GrantsApi = ReturnType<typeof grantsApi>

export function grantsApi(services: CommerceShop) {
  return createApi()
    .openapi(route('get', '/gifts', { returns: ok(grantList, 'What was given, newest first') }), async (c) =>
      c.json(await listGrants(services.db), 200),
    )
    .openapi(
      route('post', '/gifts/check', {
        ...body(grantRequest),
        returns: ok(grantCheck, 'Who would get it, and the mail; nothing is sent'),
      }),
      async (c) => c.json(await checkGrants(services, c.var.user, c.req.valid('json')), 200),
    )
    .openapi(
      route('post', '/gifts', {
        ...body(grantSending),
        returns: ok(grantsSent, 'Who gets it, and who does not'),
      }),
      async (c) => {
        const { current_password, ...sending } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        return c.json(await sendGrants(services, actorOf(c, services), sending), 200)
      },
    )
    .openapi(
      route('delete', '/gifts/{id}', { params: idParam, returns: ok(grantList, 'What is given') }),
      async (c) => {
        await services.auth.requireRecentProof(c)
        await takeGiftBack(services, actorOf(c, services), c.req.valid('param').id)
        return c.json(await listGrants(services.db), 200)
      },
    )
}
