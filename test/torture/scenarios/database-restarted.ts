import { join } from 'node:path'
import { createCluster, hasDebianPostgres, openServerFolder, startCluster } from '../../debian-postgres.ts'
import { findFreePort } from '../../find-free-port.ts'
import { tortureOutage } from '../outage.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'PostgreSQL elsewhere shut down, and started 30 s later',
  rounds: 3,
  buyers: 8,
  needs: hasDebianPostgres ? '' : 'PostgreSQL 15: apt-get install postgresql',
  async run(options) {
    await using folder = await openServerFolder()
    const dir = join(folder.path, 'cluster')
    await createCluster(folder, dir)
    const port = await findFreePort()
    const url = `postgres://shop@127.0.0.1:${port}/postgres`
    const flags = ['listen_addresses=127.0.0.1', `port=${port}`]
    const start = () => startCluster(folder, dir, { url, flags })
    let server = await start()
    await using undo = new AsyncDisposableStack()
    undo.defer(async () => void (await server.stop('SIGINT')))
    return await tortureOutage(options, {
      databaseUrl: url,
      auditUrl: url,
      seconds: 30,
      maxSeconds: 10,
      async begin() {
        await server.stop('SIGINT')
        return async () => {
          server = await start()
        }
      },
    })
  },
}
