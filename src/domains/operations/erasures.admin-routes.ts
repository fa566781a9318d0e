import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import type { Services } from '#platform/services.ts'
import type { WithAuth } from '#domains/accounts/auth.ts'
import { actorOf } from '#platform/http/actor.ts'
import { proofGiven } from '#contract/accounts/users.ts'
import { lockedBuyer } from '#contract/operations/erasures.ts'
import { readLockedBuyer } from './locked-buyers.ts'

export type LockedBuyersApi = ReturnType<typeof lockedBuyersApi>

export function lockedBuyersApi(services: Services & WithAuth) {
  return createApi().openapi(
    route('post', '/purchases/{id}/locked-buyer', {
      params: idParam,
      ...body(proofGiven),
      returns: ok(lockedBuyer, 'Who paid, where the account was erased since'),
    }),
    async (c) => {
      await services.auth.requireRecentProof(c, c.req.valid('json').current_password)
      const { id } = c.req.valid('param')
      return c.json(await readLockedBuyer(services, actorOf(c, services), id), 200)
    },
  )
}
