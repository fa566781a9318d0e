// Several shops may use one account at the provider.
import { isLoopback } from '#platform/contract/network.ts'
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Services } from '../../services.ts'

/**
 * Whether this shop opened the checkout: it names the shop's id. One that names none leads back to an address that the shop
 * has, or had; those of this machine say nothing, as other shops have the same.
 */
export function isOwnCheckout(
  { settings }: Pick<Services, 'settings'>,
  { shop_id, success_url }: Pick<Checkout, 'shop_id' | 'success_url'>,
): boolean {
  const { id, site_url, former_site_urls } = settings.get().shop
  if (shop_id !== null) return shop_id === id
  const addresses = [site_url, ...former_site_urls].filter((address) => !isLoopback(address))
  return addresses.some((address) => success_url?.startsWith(`${address}/`))
}
