import type { Settings } from '#platform/settings.ts'
import { paymentMode } from '#platform/stripe/payment-keys.ts'

/** Whether visitors buy with an address only. The sample's shop asks for an account first. */
export function hasGuestCheckout(
  { settings }: { settings: Pick<Settings, 'get'> },
  is_own: boolean,
): boolean {
  return is_own && settings.get().shop.has_guest_checkout && paymentMode(settings) !== 'none'
}
