import { openFreeTrial } from '../free-trial.ts'
import { killShop } from '../kill-shop.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'PostgreSQL killed',
  rounds: 10,
  buyers: 8,
  run: (options) => killShop(options, openFreeTrial(options), ['PostgreSQL']),
}
