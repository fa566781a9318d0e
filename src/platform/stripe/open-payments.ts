// Chooses whether money is taken.
import type { Config } from '../../config.ts'
import type { Payments, PaymentWatch } from './payments.ts'

/** Undefined where no money is taken. The library is large, so it is loaded only when asked for. */
export async function openPayments(config: Config, watch: PaymentWatch): Promise<Payments | undefined> {
  const { payments, shippingCountries } = config
  if (!payments) return undefined
  const { openStripe } = await import('./open-stripe.ts')
  return openStripe(payments, shippingCountries, watch)
}
