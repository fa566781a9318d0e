import { tortureOutage } from '../outage.ts'
import { openProxiedDatabase } from '../proxied-database.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'connection to the database swallows everything for 40 s',
  rounds: 3,
  buyers: 8,
  async run(options) {
    await using database = await openProxiedDatabase(options.dataDir)
    const { proxy } = database
    return await tortureOutage(options, {
      ...database,
      seconds: 40,
      mostSeconds: 10,
      async begin() {
        proxy.link.isBlackHole = true
        return () => void (proxy.link.isBlackHole = false)
      },
    })
  },
}
