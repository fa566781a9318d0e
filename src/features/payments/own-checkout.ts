// Several shops may use one account at the provider.
import type { Checkout } from '#platform/stripe/payments.ts'
import type { Config } from '../../config.ts'

/** Whether this shop opened the checkout: it leads back to SITE_URL. */
export function isOwnCheckout(
  { siteUrl }: Pick<Config, 'siteUrl'>,
  { success_url }: Pick<Checkout, 'success_url'>,
): boolean {
  return success_url?.startsWith(`${siteUrl}/`) ?? false
}
