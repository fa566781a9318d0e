import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { createApi, ok, route } from '#platform/http/route.ts'
import type { Services } from '#platform/services.ts'
import type { WithAuth } from '#domains/accounts/auth.ts'
import { ownErasure } from '#contract/operations/erasures.ts'
import { askForErasure, cancelErasure, getOwnErasure } from './erasures.ts'

export function erasuresApi(services: Services & WithAuth) {
  const { requireUser, requireOwnProof } = services.auth
  const perAccount = limitPerAccount(services, 'erasure', { limit: 10, windowSeconds: 3600 })
  const returns = ok(ownErasure, 'Whether and when the account of the signed-in person is erased')
  return createApi()
    .openapi(route('get', '/account/erasure', { middleware: requireUser, returns }), async (c) =>
      c.json(await getOwnErasure(services, c.var.user), 200),
    )
    .openapi(
      route('post', '/account/erasure', { middleware: [requireUser, requireOwnProof, perAccount], returns }),
      async (c) => {
        await askForErasure(services, c.var.user)
        return c.json(await getOwnErasure(services, c.var.user), 200)
      },
    )
    .openapi(
      route('delete', '/account/erasure', { middleware: [requireUser, perAccount], returns }),
      async (c) => {
        await cancelErasure(services, c.var.user)
        return c.json(await getOwnErasure(services, c.var.user), 200)
      },
    )
}
