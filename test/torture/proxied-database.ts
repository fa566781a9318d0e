// A PostgreSQL that the shop reaches through a proxy, for faults of the connection between the two.
import { createLog } from '#platform/log.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { openDatabaseProxy } from '../database-proxy.ts'
import type { TcpProxy } from '../tcp-proxy.ts'

export type ProxiedDatabase = AsyncDisposable & { proxy: TcpProxy; databaseUrl: string; auditUrl: string }

export async function openProxiedDatabase(dataDir: string): Promise<ProxiedDatabase> {
  await using undo = new AsyncDisposableStack()
  const postgres = undo.use(await startEmbeddedPostgres({ dataDir, log: createLog('error') }))
  const { url, proxy } = undo.use(await openDatabaseProxy(postgres.url))
  const stack = undo.move()
  return {
    proxy,
    databaseUrl: url,
    auditUrl: postgres.url,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
