// The shops behind nginx are restarted in turn.
import { hasNginx } from '../../nginx.ts'
import { rollShops } from '../rolling-shops.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'two shops behind nginx restarted in turn',
  rounds: 8,
  buyers: 8,
  needs: hasNginx ? '' : 'nginx: apt-get install nginx-light',
  run: (options) => rollShops(options),
}
