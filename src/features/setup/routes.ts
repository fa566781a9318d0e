// What a new author looks at in the admin area.
import { firstSteps, siteAddress } from './contract.ts'
import type { WithBook } from '../book/published-book.ts'
import type { Services } from '../../services.ts'
import { readFirstSteps } from './first-steps.ts'
import { isProxyIgnored } from '#platform/http/client-ip.ts'
import { askOwnAddress } from '#platform/http/own-address.ts'
import { createApi, ok, route } from '#platform/http/route.ts'

export type FirstStepsApi = ReturnType<typeof firstStepsApi>

export function firstStepsApi(services: Services & WithBook) {
  const { config, settings, secrets } = services
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
        const { site_url: url } = settings.get().shop
        const { fault = null, ...found } = await askOwnAddress(url, secrets.known())
        const is_proxy_ignored = found.isProxyIgnored || isProxyIgnored(c, config.trustedProxies)
        return c.json({ url, is_https: url.startsWith('https:'), fault, is_proxy_ignored }, 200)
      },
    )
}
