import { join } from 'node:path'
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { processesIn, signalAll } from '../../postgres-owner.ts'
import { tortureOutage } from '../outage.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'PostgreSQL and its children stopped (SIGSTOP) for 30 s',
  rounds: 3,
  buyers: 8,
  async run(options) {
    const { dataDir } = options
    await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
    const folder = join(dataDir, 'postgres/cluster')
    return await tortureOutage(options, {
      databaseUrl: postgres.url,
      auditUrl: postgres.url,
      seconds: 30,
      maxSeconds: 10,
      async begin() {
        const stopped = processesIn(folder)
        signalAll(stopped, 'SIGSTOP')
        return () => signalAll(stopped, 'SIGCONT')
      },
    })
  },
}
