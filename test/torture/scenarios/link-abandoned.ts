import { tortureLink } from '../outage-of-link.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'nothing comes any more on the open connections to the database, for ever',
  rounds: 3,
  buyers: 8,
  run: tortureLink({
    seconds: 0,
    maxSeconds: 25,
    leavesConnections: true,
    async begin(proxy) {
      proxy.abandon()
      return () => undefined
    },
  }),
}
