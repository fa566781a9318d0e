import { tortureOutage } from '../outage.ts'
import { openProxiedDatabase } from '../proxied-database.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'nothing comes any more on the open connections to the database, for ever',
  rounds: 3,
  buyers: 8,
  async run(options) {
    await using database = await openProxiedDatabase(options.dataDir)
    return await tortureOutage(options, {
      ...database,
      seconds: 0,
      mostSeconds: 25,
      leavesConnections: true,
      async begin() {
        database.proxy.abandon()
        return () => undefined
      },
    })
  },
}
