import { victims } from '../../running-shop.ts'
import { killShop } from '../kill-shop.ts'
import { openPaidTrial } from '../paid-trial.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'any of them killed, and Stripe fails, loses webhooks, repeats and delays them',
  rounds: 20,
  buyers: 500,
  run: async (options) => killShop(options, await openPaidTrial(options), victims),
}
