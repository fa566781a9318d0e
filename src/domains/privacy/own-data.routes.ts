// The routes of a user's own data, of erasing an account, and of buyers who are locked away.
import { limitPerAccount } from '#platform/http/rate-limits.ts'
import { createApi, ok, route, body, idParam, actorOf } from '#platform/http/route.ts'
import { ownData } from '#contract/privacy/own-data.ts'
import { ownErasure, lockedBuyer } from '#contract/privacy/erasures.ts'
import { takeOwnData } from './own-data.ts'
import type { BackupShop } from '#domains/backup/shop.ts'
import { askForErasure, cancelErasure, getOwnErasure } from './erasures.ts'
import { readLockedBuyer } from './locked-buyers.ts'
import { proofGiven } from '#contract/accounts/users.ts'

export function ownDataApi(services: BackupShop) {
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

export function erasuresApi(services: BackupShop) {
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

export type LockedBuyersApi = ReturnType<typeof lockedBuyersApi>

export function lockedBuyersApi(services: BackupShop) {
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
