import { isLoopback } from '#contract/network.ts'
import { isLiveKey } from '#contract/stripe.ts'
import type { Settings } from '../settings.ts'

export type PaymentKeys = { secretKey: string; webhookSecret: string | undefined; isLive: boolean }
export type PaymentMode = 'none' | 'test' | 'live'

export function paymentKeys({ get }: Pick<Settings, 'get'>): PaymentKeys | undefined {
  const { secret_key: secretKey, webhook_secret: webhookSecret } = get().payments
  if (!secretKey) return undefined
  return { secretKey, webhookSecret, isLive: isLiveKey(secretKey) }
}

export function formerWebhookSite({ get }: Pick<Settings, 'get'>): string | undefined {
  const { shop, payments } = get()
  const { webhook_secret, webhook_site } = payments
  return webhook_secret && webhook_site && webhook_site !== shop.site_url ? webhook_site : undefined
}

/** After a restore under another address: no payments until an admin confirms that this is the shop now. */
export function unconfirmedCopyOf({ get }: Pick<Settings, 'get'>): string | undefined {
  const { site_url, confirmed_site_url } = get().shop
  const isOther = confirmed_site_url && confirmed_site_url !== site_url && !isLoopback(confirmed_site_url)
  return isOther ? confirmed_site_url : undefined
}

export function paymentMode(settings: Pick<Settings, 'get'>): PaymentMode {
  const keys = paymentKeys(settings) ?? storedAccount(settings)
  if (!keys) return 'none'
  return keys.isLive ? 'live' : 'test'
}

/** With a key that was lost together with AUTH_SECRET, nothing may be given away for nothing. */
function storedAccount({ get }: Pick<Settings, 'get'>): { isLive: boolean } | undefined {
  const { account } = get().payments
  return account ? { isLive: account.is_live } : undefined
}

/** In Stripe's Dashboard, where test objects have pages of their own. */
export function pageAtStripe(isLive: boolean | null, path: string): string {
  return `https://dashboard.stripe.com/${isLive ? '' : 'test/'}${path}`
}
