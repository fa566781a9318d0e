// From the settings to a database at work. A start is mostly loading, so each part is loaded while the one before it
// gets ready: the driver while PostgreSQL starts, the shop while the database is asked.
import { setImmediate as turn } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { Log } from '../log.ts'
import type { Database } from './client.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../packages/postgres/src/embedded.ts'

export type BegunDatabase = {
  database: Database
  /** Nothing else may be asked before. */
  migrated: Promise<void>
  /** To be stopped once the database is closed; undefined when it runs elsewhere. */
  postgres: EmbeddedPostgres | undefined
}

/** On the database at DATABASE_URL, else on one started in DATA_DIR. */
export async function beginDatabase(
  { dataDir, databaseUrl, timeZone }: Pick<Config, 'dataDir' | 'databaseUrl' | 'timeZone'>,
  log: Log,
): Promise<BegunDatabase> {
  const starting = databaseUrl ? undefined : startEmbeddedPostgres({ dataDir, log })
  starting?.catch(() => {})
  // Loading leaves the loop no turn, neither to launch a process nor to send a first word.
  await turn()
  const [{ openDatabase }, { migrateDatabase }] = await Promise.all([
    import('./client.ts'),
    import('./migrate.ts'),
  ])
  const postgres = await starting
  const database = openDatabase(databaseUrl ?? postgres!.url)
  const migrated = migrateDatabase(database, timeZone)
  migrated.catch(() => {})
  await turn()
  return { database, migrated, postgres }
}
