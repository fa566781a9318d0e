// One PostgreSQL for a whole test run, in memory where there is room, with a migrated database to clone.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { openQueue } from '#platform/queue.ts'
import { openDatabase } from '#platform/db/client.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { databaseUrl, TEMPLATE } from './database.ts'
import { memoryFolder } from './memory-folder.ts'

const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}

/** For `createTestDatabase` in the workers that this process starts afterwards. Returns what stops it. */
export async function startTestCluster(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(memoryFolder(), 'lectern-test-'))
  const log = pino({ level: 'error' })
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings })
  await prepareTemplate(postgres.url, log)
  process.env['TEST_CLUSTER_URL'] = postgres.url
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true })
  }
}

async function prepareTemplate(clusterUrl: string, log: pino.Logger) {
  await using cluster = openDatabase(clusterUrl)
  await cluster.pool.query(`create database ${TEMPLATE}`)
  await using template = openDatabase(databaseUrl(clusterUrl, TEMPLATE))
  await migrateDatabase(template)
  const queue = openQueue(template.url, log)
  await queue.start([])
  await queue.stop()
}
