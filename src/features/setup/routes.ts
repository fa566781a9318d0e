// What a new author looks at in the admin area:
//   GET /api/admin/first-steps  what is still to be done before the shop is the author's own
//   GET /api/admin/address      whether the shop's address leads to it, asked anew each time
import { createRoute } from '@hono/zod-openapi'
import { firstSteps, siteAddress } from './contract.ts'
import type { WithBook } from '../book/published-book.ts'
import type { Services } from '../../services.ts'
import { readFirstSteps } from './first-steps.ts'
import { isProxyIgnored } from '#platform/http/client-ip.ts'
import { askOwnAddress } from '#platform/http/own-address.ts'
import { bearer, createApi, json, refusal } from '#platform/http/route.ts'

export type FirstStepsApi = ReturnType<typeof firstStepsApi>

export function firstStepsApi(services: Services & WithBook) {
  const { config, settings, secrets } = services
  const read = createRoute({
    method: 'get',
    path: '/first-steps',
    security: bearer,
    responses: { 200: json(firstSteps, 'Each step, and whether it is done'), ...refusal },
  })
  const readAddress = createRoute({
    method: 'get',
    path: '/address',
    security: bearer,
    responses: { 200: json(siteAddress, 'How visitors reach the shop, as far as it can tell'), ...refusal },
  })
  return createApi()
    .openapi(read, async (c) => c.json(await readFirstSteps(services), 200))
    .openapi(readAddress, async (c) => {
      const { site_url: url } = settings.get().shop
      const { fault = null, ...found } = await askOwnAddress(url, secrets.known())
      const is_proxy_ignored = found.isProxyIgnored || isProxyIgnored(c, config.trustedProxies)
      return c.json({ url, is_https: url.startsWith('https:'), fault, is_proxy_ignored }, 200)
    })
}
