import { claimSecret } from '#domains/accounts/secrets.ts'
import { loadEnvFile, readConfig } from '../config.ts'
import { openDatabase } from '#platform/db/client.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { upgradeDatabase } from '#domains/operations/upgrade.ts'
import { failureReason } from '#platform/errors.ts'
import { createLog } from '#platform/log.ts'
import { restrictDataFolder } from '#platform/private-data.ts'
import { closeShop, openShop, type Shop } from '../shop.ts'

export type Shell = AsyncDisposable & { services: Shop; url: string }

export async function openShell({ mayChangeSecret = false } = {}): Promise<Shell> {
  loadEnvFile()
  const config = readConfig()
  const log = createLog('error')
  restrictDataFolder(config.dataDir)
  await using undo = new AsyncDisposableStack()
  const url = config.databaseUrl ?? undo.use(await joinEmbeddedPostgres({ dataDir: config.dataDir, log })).url
  const database = undo.use(openDatabase(url))
  await upgradeDatabase(database, config, log)
  const services = undo.adopt(await openShop(config, database, { log }), closeShop)
  if (!mayChangeSecret) await claimSecret(services.db, services.secrets.known())
  const stack = undo.move()
  return { services, url, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export function fail(error: unknown): never {
  console.error(failureReason(error))
  process.exit(1)
}

export function sizeOf(bytes: number): string {
  const unit = bytes >= 1e9 ? 'GB' : bytes >= 1e6 ? 'MB' : 'kB'
  const size = bytes / { GB: 1e9, MB: 1e6, kB: 1e3 }[unit]
  return `${size >= 10 ? Math.round(size) : Math.round(size * 10) / 10} ${unit}`
}
