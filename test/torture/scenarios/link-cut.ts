import { tortureOutage } from '../outage.ts'
import { openProxiedDatabase } from '../proxied-database.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'connection to the database cut, and refused for 10 s',
  rounds: 5,
  buyers: 8,
  async run(options) {
    await using database = await openProxiedDatabase(options.dataDir)
    const { proxy } = database
    return await tortureOutage(options, {
      ...database,
      seconds: 10,
      mostSeconds: 10,
      begin: () => proxy.refuse(),
    })
  },
}
