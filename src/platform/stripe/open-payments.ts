// Chooses whether money is taken.
import type { Config } from '../../config.ts'
import type { Settings } from '../settings.ts'
import type { Payments, PaymentWatch } from './payments.ts'

type Needs = { config: Config; settings: Settings }

/** Undefined where no money is taken. The library is large, so it is loaded only when asked for. */
export async function openPayments(
  { config: { payments }, settings }: Needs,
  watch: PaymentWatch,
): Promise<Payments | undefined> {
  if (!payments) return undefined
  const { openStripe } = await import('./open-stripe.ts')
  return openStripe(payments, settings, watch)
}
