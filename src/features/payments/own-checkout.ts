// Several shops may use one account at the provider.
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Services } from '../../services.ts'

/** Whether this shop opened the checkout: it leads back to an address that the shop has, or had. */
export function isOwnCheckout(
  { settings }: Pick<Services, 'settings'>,
  { success_url }: Pick<Checkout, 'success_url'>,
): boolean {
  const { site_url, former_site_urls } = settings.get().shop
  return [site_url, ...former_site_urls].some((address) => success_url?.startsWith(`${address}/`))
}
