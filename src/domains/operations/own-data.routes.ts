import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { createApi, ok, route } from '#platform/http/route.ts'
import { ownData } from '#contract/operations/own-data.ts'
import { takeOwnData } from './own-data.ts'
import type { OperationsShop } from './shop.ts'

export function ownDataApi(services: OperationsShop) {
  const { requireUser, requireOwnProof } = services.auth
  const perAccount = limitPerAccount(services, 'own-data', { limit: 10, windowSeconds: 3600 })
  return createApi().openapi(
    route('post', '/account/data', {
      middleware: [requireUser, requireOwnProof, perAccount],
      returns: ok(ownData, 'All that the shop has of the signed-in person'),
    }),
    async (c) => c.json(await takeOwnData(services, c.var.user), 200, { 'cache-control': 'no-store' }),
  )
}
