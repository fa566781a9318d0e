import { hasFakeClock } from '../../fake-clock.ts'
import { jumpClock } from '../jump-clock.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'shop’s clock jumps −1 h, +1 h, +31 days and back',
  rounds: 2,
  buyers: 4,
  needs: hasFakeClock ? '' : 'libfaketime: apt-get install faketime',
  run: jumpClock,
}
