// Opens the shop or its data for a command, and ends the command with an error message.
import { loadEnvFile, readConfig, type Config } from '../config.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { upgradeDatabase } from '#domains/backup/upgrade-database.ts'
import { failureReason } from '#platform/errors.ts'
import { createLog, type Log } from '#platform/log.ts'
import { restrictDataFolder } from '#platform/data-folders.ts'
import { closeShop, openShop, type Shop } from '../shop.ts'

export type Shell = AsyncDisposable & { services: Shop; url: string }
type ShopData = AsyncDisposable & { config: Config; database: Database; log: Log }

export async function openShell(): Promise<Shell> {
  await using undo = new AsyncDisposableStack()
  const { config, database, log } = undo.use(await openData())
  const services = undo.adopt(await openShop(config, database, { log }), closeShop)
  const stack = undo.move()
  return { services, url: database.url, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** It opens data whose secret is lost, too. */
export async function openData(): Promise<ShopData> {
  loadEnvFile()
  const config = readConfig()
  const log = createLog('error')
  restrictDataFolder(config.dataDir)
  await using undo = new AsyncDisposableStack()
  const url = config.databaseUrl ?? undo.use(await joinEmbeddedPostgres({ dataDir: config.dataDir, log })).url
  const database = undo.use(openDatabase(url))
  await upgradeDatabase(database, config, log)
  const stack = undo.move()
  return { config, database, log, [Symbol.asyncDispose]: () => stack.disposeAsync() }
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
