// The facts that `lectern check` and the setup ask Stripe for: whether the key works, whether checkouts open, and where events
// go.
import { ok, type Verdict } from '#contract/checks.ts'
import type { SaleMode } from '#contract/catalog/products.ts'
import type { Db } from '#platform/db/client.ts'
import { Problem } from '#platform/problem.ts'
import type { Services } from '#platform/services.ts'
import { paymentKeys, unconfirmedCopyOf, webhookAt } from '#platform/stripe/payments.ts'
import {
  checkoutsVerdict,
  formerWebhookVerdict,
  keyVerdict,
  storedPaymentsVerdict,
  webhookVerdict,
} from './payment-verdicts.ts'

type StripeShop = Pick<Services, 'config'> & { settings: Pick<Services['settings'], 'get'> }

/** `mode` is how the shop sells, or will sell once it is open. */
export async function checkPayments(services: StripeShop, mode: SaleMode): Promise<Verdict> {
  const { settings } = services
  const key = findKey(services)
  if (mode !== 'paid' || !key || unconfirmedCopyOf(settings)) return storedPaymentsVerdict(settings, mode)
  const { inspectKey } = await import('#platform/stripe/account.ts')
  try {
    return keyVerdict(settings, await inspectKey(key))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return keyVerdict(settings, undefined)
  }
}

function findKey({ config, settings }: StripeShop) {
  const keys = paymentKeys(settings)
  return keys && { ...keys, apiBase: config.stripe.apiBase }
}

/** A buyer of each format would be refused as the shop is here. */
export async function checkCheckouts(services: StripeShop, db: Db): Promise<Verdict> {
  const key = findKey(services)
  if (!key) return ok('none is needed')
  const { tryCheckouts } = await import('#domains/payments/trial-checkouts.ts')
  return checkoutsVerdict(await tryCheckouts(db, key, services.settings.get()))
}

/** A lost event only delays a purchase: the shop also asks Stripe by itself. */
export async function checkWebhook(services: StripeShop): Promise<Verdict> {
  const key = findKey(services)
  if (!key) return ok('none is needed')
  const { readEndpoints } = await import('#platform/stripe/account.ts')
  const url = webhookAt(services.settings.get().shop.site_url)
  const endpoints = await readEndpoints(key, url)
  const former = endpoints?.length === 0 ? formerWebhookVerdict(services.settings) : undefined
  return former ?? webhookVerdict(url, key.webhookSecret, endpoints)
}
