import { tortureLink } from '../outage-of-link.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'connection to the database cut, and refused for 10 s',
  rounds: 5,
  buyers: 8,
  run: tortureLink({
    seconds: 10,
    maxSeconds: 10,
    begin: (proxy) => proxy.refuse(),
  }),
}
