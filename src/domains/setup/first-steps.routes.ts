// The routes of the first steps and of the shop’s address, and the visit that proves it.
import { clientIp, isProxyIgnored, comesAsExpected } from '#platform/http/client-ip.ts'
import type { Context } from 'hono'
import { createApi, ok, route } from '#platform/http/route.ts'
import { readAddress, watchFirstVisit } from './reach.ts'
import { proxyVerdict } from '#domains/overview/address-check.ts'
import { readFirstSteps } from './first-steps.ts'
import { firstSteps, siteAddress } from '#contract/setup/setup.ts'
import type { SetupShop } from './shop.ts'

export type FirstStepsApi = ReturnType<typeof firstStepsApi>

export function firstStepsApi(services: SetupShop) {
  return createApi()
    .openapi(
      route('get', '/first-steps', { returns: ok(firstSteps, 'Each step, and whether it is done') }),
      async (c) => c.json(await readFirstSteps(services), 200),
    )
    .openapi(
      route('get', '/address', {
        returns: ok(siteAddress, 'How visitors reach the shop, as far as it can tell'),
      }),
      async (c) => {
        const address = await readAddress(services)
        const isIgnored = address.proxy !== null || isProxyIgnored(c, services.config.trustedProxies)
        return c.json({ ...address, proxy: isIgnored ? proxyVerdict : null }, 200)
      },
    )
}

/** Called with each request for the home page; after the first visit from another network it only compares. */
export function noteFirstVisit(services: SetupShop): (c: Context) => void {
  const { trustedProxies } = services.config
  const visit = watchFirstVisit(services)
  return (c) => {
    const host = visit.host()
    if (!host || c.req.header('host') !== host || c.req.method !== 'GET') return
    if (comesAsExpected(c, trustedProxies)) visit.note(clientIp(c, trustedProxies))
  }
}
