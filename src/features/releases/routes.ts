import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { actorOf } from '../audit/actor.ts'
import { getAdminProduct } from '../products/admin-products.ts'
import type { WithCatalogue } from '../products/catalogue.ts'
import { adminProduct } from '../products/contract/admin-products.ts'
import { releaseRequest } from './contract/releases.ts'
import { setRelease } from './set-release.ts'

export type ReleasesApi = ReturnType<typeof releasesApi>

/** A new day writes to all who have ordered, so it requires a recent proof. */
export function releasesApi(services: Services & WithAuth & WithCatalogue) {
  return createApi().openapi(
    route('put', '/products/{id}/release', {
      params: idParam,
      ...body(releaseRequest),
      returns: ok(adminProduct, 'The product as it is now'),
    }),
    async (c) => {
      await services.auth.requireRecentProof(c)
      const { id } = c.req.valid('param')
      await setRelease(services, actorOf(c, services), id, c.req.valid('json').release_on)
      return c.json(await getAdminProduct(services.db, id), 200)
    },
  )
}
