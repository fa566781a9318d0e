// Opens Stripe with the keys of the settings, and again when they change.
import type { Config } from '../../config.ts'
import { once } from '../cached.ts'
import { platformProblem } from '../problem.ts'
import { memoized, type Settings } from '../settings.ts'
import { sessionOf } from './objects.ts'
import {
  paymentKeys,
  paymentMode,
  unconfirmedCopyOf,
  type PaymentMode,
  type Payments,
  type PaymentSettings,
  type PaymentWatch,
} from './payments.ts'

export type PaymentProvider = {
  mode(): PaymentMode
  /** Undefined where no money is taken. Throws where a stored key cannot be opened, or this is an unconfirmed copy. */
  current(): Payments | undefined
}

type Dependencies = { config: Pick<Config, 'stripe'>; settings: Pick<Settings, 'get'> }

export function openPayments({ config, settings }: Dependencies, watch: PaymentWatch): PaymentProvider {
  const make = memoized(
    () => paymentKeys(settings),
    (keys) => keys && openLater({ ...config.stripe, ...keys }, settings, watch),
  )
  return {
    mode: () => paymentMode(settings),
    current() {
      const payments = make()
      const isBlocked = payments ? unconfirmedCopyOf(settings) : paymentMode(settings) !== 'none'
      if (isBlocked) throw platformProblem('payments.not_available')
      return payments
    },
  }
}

/** The library takes 35 MB, so it is loaded with the first call. */
function openLater(keys: PaymentSettings, settings: Dependencies['settings'], watch: PaymentWatch): Payments {
  const open = once(async () => (await import('./open-stripe.ts')).openStripe(keys, watch))
  return {
    isLive: keys.isLive,
    describe: (order) => sessionOf(order, settings.get().tax),
    openCheckout: async (order) => (await open()).openCheckout(order),
    listOpenCheckouts: async (created) => (await open()).listOpenCheckouts(created),
    listPaidCheckouts: async (request) => (await open()).listPaidCheckouts(request),
    readCheckout: async (id, options) => (await open()).readCheckout(id, options),
    endCheckout: async (id) => (await open()).endCheckout(id),
    findCheckout: async (intent) => (await open()).findCheckout(intent),
    refund: async (refund) => (await open()).refund(refund),
    listEvents: async (target) => (await open()).listEvents(target),
    listAdjustments: async (list, range) => (await open()).listAdjustments(list, range),
    readEvent: async (body, signature) => (await open()).readEvent(body, signature),
    missingForTax: async () => (await open()).missingForTax(),
  }
}
