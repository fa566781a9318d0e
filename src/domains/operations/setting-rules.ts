import { isIP } from 'node:net'
import type { FieldProblems } from '#contract/field-problems.ts'
import { withoutDecimals } from '#contract/money.ts'
import { mailPorts } from '#contract/network.ts'
import { isLiveKey } from '#contract/stripe-key.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isPublicAddress } from '#platform/public-connection.ts'
import type { SettingValues } from '../../config.ts'
import { platformProblem } from '#platform/problem.ts'
import { operationProblem } from './problem.ts'
import { isThisMachine } from '#contract/mail/mail-settings.ts'
import { isCurrencyFixed, setCurrency, setDayZone, stopCountingTests } from './sums-settings.ts'
import { stripeCountries } from '#contract/orders/countries.ts'
import { countryName } from '#contract/orders/postal.ts'
import type { SettingGroupName } from '#contract/operations/setting-groups.ts'
import { findFractions, roundForCurrency } from './fit-currency.ts'

export function findConflicts(
  name: SettingGroupName,
  { shop, mail, shipping, payments }: SettingValues,
): FieldProblems | undefined {
  const isUnsafe = isLiveKey(payments.secret_key) && !shop.site_url.startsWith('https:')
  const fractions = findFractions({ shop, shipping })
  if (name === 'shop' && fractions)
    return {
      currency: `${withoutDecimals(shop.currency)} Change the prices of shipping first, under Shipping.`,
    }
  if (name === 'shipping' && fractions) return fractions
  if (name === 'shop' && isUnsafe)
    return { site_url: 'Live payments are taken over https only: the address must begin with https://.' }
  if (name === 'payments' && isUnsafe)
    return {
      secret_key: 'Live payments are taken over https only. Set the address of the shop first, under Shop.',
    }
  const unserved = payments.secret_key ? shipping.countries.filter((code) => !stripeCountries.has(code)) : []
  const refused = `Stripe takes no addresses in ${unserved.map(countryName).join(', ')}.`
  if (name === 'shipping' && unserved.length > 0) return { countries: refused }
  if (name === 'payments' && unserved.length > 0)
    return { secret_key: `${refused} Take them out first, under Shipping.` }
  if (name === 'payments' && payments.had_key && payments.without_key === 'free')
    return { without_key: 'This shop has had a key of Stripe: without one it sells nothing.' }
  return name === 'mail' && mail.host ? findMailConflicts(mail) : undefined
}

function findMailConflicts({
  host,
  port,
  encryption,
  is_public_only,
}: SettingValues['mail']): FieldProblems | undefined {
  if (is_public_only && isInside(host))
    return {
      host: 'This is the shop’s own machine, or its network. A mail server there is set with SMTP_URL, where the shop is started.',
    }
  if (is_public_only && !mailPorts.includes(port))
    return {
      port: `Enter one of ${mailPorts.join(', ')}. Another port is set with SMTP_URL.`,
    }
  if (encryption === 'none' && !isThisMachine(host))
    return {
      encryption:
        'Without encryption, others could read mails and password on their way: only a server on this machine can do without.',
    }
  return undefined
}

/** A name is looked up, and checked, at each connection. */
function isInside(host: string): boolean {
  const address = host.replace(/^\[(.+)\]$/, '$1')
  return isThisMachine(host) || (isIP(address) > 0 && !isPublicAddress(address))
}

export async function findLocked(
  db: Db,
  name: SettingGroupName,
  { shop: { currency } }: SettingValues,
): Promise<FieldProblems> {
  if (name !== 'shop' || !(await isCurrencyFixed(db, currency))) return {}
  return { currency: `The shop has sold in it, so it cannot be changed any more: sums have one currency.` }
}

export function internalFields(
  name: SettingGroupName,
  { shop }: SettingValues,
  changed: Record<string, unknown>,
): Record<string, unknown> {
  if (name === 'mail' && ('host' in changed || 'port' in changed)) return { is_public_only: true }
  if (name !== 'shop' || !('site_url' in changed)) return {}
  const former_site_urls = [...new Set([...shop.former_site_urls, shop.site_url])]
  return { former_site_urls, confirmed_site_url: changed['site_url'] }
}

/** The secrets that are for what was there before the change: removed, unless they are entered anew with it. */
export function outdatedSecrets(name: SettingGroupName, changed: Record<string, unknown>): string[] {
  const isOtherServer = ['host', 'port', 'user'].some((field) => field in changed)
  return name === 'mail' && isOtherServer ? ['password'] : []
}

/** Whether applySettings may compute all sums again: seconds, or more, where there are millions of orders. */
export function mayTakeLong(changed: Record<string, unknown>): boolean {
  return 'time_zone' in changed || 'currency' in changed || 'secret_key' in changed
}

export async function applySettings(
  tx: Transaction,
  before: SettingValues,
  next: SettingValues,
): Promise<void> {
  if (next.shop.time_zone !== before.shop.time_zone && !(await setDayZone(tx, next.shop.time_zone)))
    throw platformProblem('request.invalid', {
      fields: { time_zone: 'The database does not know this time zone. Please choose another one.' },
    })
  if (next.shop.currency !== before.shop.currency && !(await setCurrency(tx, next.shop.currency)))
    throw operationProblem('settings.currency_fixed', {
      fields: { currency: 'It can be changed until the first sale.' },
    })
  if (next.shop.currency !== before.shop.currency) await roundForCurrency(tx, next.shop.currency)
  if (isLiveKey(next.payments.secret_key) && !isLiveKey(before.payments.secret_key))
    await stopCountingTests(tx)
}
