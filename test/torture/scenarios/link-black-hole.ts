import { tortureLink } from '../outage-of-link.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'connection to the database swallows everything for 40 s',
  rounds: 3,
  buyers: 8,
  run: tortureLink({
    seconds: 40,
    maxSeconds: 10,
    async begin({ link }) {
      link.isBlackHole = true
      return () => void (link.isBlackHole = false)
    },
  }),
}
