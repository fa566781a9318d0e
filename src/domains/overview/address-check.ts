// The check of the shop's address: who can open it, and whether the proxy in front is trusted.
import { unknown, ok, warn, wrong, type Verdict } from '#contract/checks.ts'
import { manualPath } from '#contract/overview/manual.ts'
import type { Reach } from '#contract/setup/setup.ts'
import { askOwnAddress } from '#platform/http/health.ts'
import { scopeOf } from '#platform/public-connection.ts'
import type { Secret } from '#platform/secret.ts'
import type { SettingValues } from '../../config.ts'

type Shop = Pick<SettingValues['shop'], 'site_url' | 'reached' | 'time_zone'>

type AddressCheck = { reach: Reach; check: Verdict; proxy: Verdict | null }

/** Asks the shop at its own address, which may take seconds. */
export async function checkAddress(
  shop: Shop,
  known: readonly Secret[],
  now = new Date(),
): Promise<AddressCheck> {
  const { fault, isProxyIgnored } = await askOwnAddress(shop.site_url, known)
  return {
    reach: reachOf(shop, fault),
    check: addressVerdict(shop, fault, now),
    proxy: isProxyIgnored ? proxyVerdict : null,
  }
}

function reachOf({ site_url, reached }: Shop, fault: string | undefined): Reach {
  const scope = scopeOf(site_url)
  if (scope !== 'internet') return scope
  if (fault) return 'fault'
  if (!site_url.startsWith('https:')) return 'no_https'
  return reached?.site_url === site_url ? 'reached' : 'answers'
}

const toManual = { label: 'Put it on the internet', to: manualPath('internet') }
const toSettings = { label: 'Set the address', to: '/admin/settings' }
const actions = [toManual, toSettings]

const scopes = {
  computer: { says: 'opens on this computer only', effect: 'only you see your page, on this computer' },
  network: { says: 'opens in your own network only', effect: 'only your own network sees your page' },
}

/** The verdict without a `fault` is what the address itself says, and the first visit that was stored. */
export function addressVerdict(shop: Shop, fault: string | undefined, now: Date): Verdict {
  const { site_url, reached, time_zone } = shop
  const reach = reachOf(shop, fault)
  const advice =
    'If the shop runs, let the name lead to this machine, look at its proxy and its firewall, or correct the address under Settings.'
  if (reach === 'fault')
    return wrong(fault ?? '', advice, { effect: 'nobody sees your page at its address yet', actions })
  if (reach === 'no_https')
    return warn(
      `${site_url} has no https, so what visitors type there, passwords included, can be read on its way, and Stripe takes no live payments`,
      'Put a proxy with https in front.',
      { actions },
    )
  if (reach === 'answers')
    return unknown(
      `${site_url} answers from this machine, and was not opened from another network yet`,
      'Open it once on your phone, without Wi-Fi. The first visit from another network is noted by itself.',
    )
  if (reach === 'reached')
    return ok(`${site_url} was reached from outside ${momentIn(time_zone, new Date(reached?.at ?? 0), now)}`)
  const { says, effect } = scopes[reach]
  const clause = `${site_url} ${says}`
  if (fault) return wrong(`${clause}; ${fault}`, advice, { effect, actions })
  return warn(clause, 'All that you have set up moves along to an address on the internet.', {
    effect,
    actions,
  })
}

/** "at 20:14", with its day where that is not today. */
function momentIn(timeZone: string, at: Date, now: Date): string {
  const format = (options: Intl.DateTimeFormatOptions, moment: Date) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(moment)
  const dayOf = (moment: Date) => format({ year: 'numeric', month: 'short', day: '2-digit' }, moment)
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, at)
  return dayOf(at) === dayOf(now) ? `at ${time}` : `on ${dayOf(at)} at ${time}`
}

export const proxyVerdict = warn(
  'visitors reach the shop through a proxy that it does not trust, so its limits count all visitors as one: one person guessing passwords keeps everybody else from signing in',
  'Set TRUST_PROXY=1 where the shop is started (with several proxies in a row, their number), and have the proxy send X-Forwarded-For. Until then no visit from outside is noted.',
)
