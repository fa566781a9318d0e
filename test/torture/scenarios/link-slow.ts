import { tortureLink } from '../outage-of-link.ts'
import type { Scenario } from '../scenario.ts'

const fast = { latencyMs: 0, bytesPerSecond: Infinity }
const slow = { latencyMs: 150, bytesPerSecond: 50_000 }

export const scenario: Scenario = {
  fault: 'connection to the database slow for 20 s',
  rounds: 4,
  buyers: 8,
  run: tortureLink({
    seconds: 20,
    maxSeconds: 10,
    async begin({ link }) {
      Object.assign(link, slow)
      return () => void Object.assign(link, fast)
    },
  }),
}
