// Outages of the connection between the shop and its database.
import type { TcpProxy } from '../tcp-proxy.ts'
import { tortureOutage, type Outage } from './outage.ts'
import { openProxiedDatabase } from './proxied-database.ts'
import type { Findings, ScenarioOptions } from './scenario.ts'

type OutageOfLink = Pick<Outage, 'seconds' | 'maxSeconds' | 'leavesConnections'> & {
  /** Begins the outage, and returns what ends it. */
  begin: (proxy: TcpProxy) => ReturnType<Outage['begin']>
}

export function tortureLink({ begin, ...outage }: OutageOfLink) {
  return async (options: ScenarioOptions): Promise<Findings> => {
    await using database = await openProxiedDatabase(options.dataDir)
    return await tortureOutage(options, { ...database, ...outage, begin: () => begin(database.proxy) })
  }
}
