import { tortureOutage } from '../outage.ts'
import { openProxiedDatabase } from '../proxied-database.ts'
import type { Scenario } from '../scenario.ts'

const fast = { latencyMs: 0, bytesPerSecond: Infinity }
const slow = { latencyMs: 150, bytesPerSecond: 50_000 }

export const scenario: Scenario = {
  fault: 'connection to the database slow for 20 s',
  rounds: 4,
  buyers: 8,
  async run(options) {
    await using database = await openProxiedDatabase(options.dataDir)
    const { proxy } = database
    return await tortureOutage(options, {
      ...database,
      seconds: 20,
      mostSeconds: 10,
      async begin() {
        Object.assign(proxy.link, slow)
        return () => void Object.assign(proxy.link, fast)
      },
    })
  },
}
