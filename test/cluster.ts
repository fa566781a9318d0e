// One PostgreSQL for a whole test run, in memory where there is room, with a migrated database to clone.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { escapeLiteral } from 'pg'
import pino from 'pino'
import { openQueue } from '#platform/queue.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { databaseUrl, TEMPLATE } from './database.ts'
import { cleanEnvironment } from './environment.ts'
import { memoryFolder } from './memory-folder.ts'

const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}

/** For `createTestDatabase` in the processes that this one starts afterwards. Returns what stops it. One that was started by the process before is used. */
export async function startTestCluster(): Promise<() => Promise<void>> {
  if (process.env['TEST_CLUSTER_URL']) return async () => {}
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
  await using cluster = openDatabase(clusterUrl, { max: 1 })
  await cluster.pool.query(`create database ${TEMPLATE}`)
  await hashOnce(cluster, decodeURIComponent(new URL(clusterUrl).password))
  await using template = openDatabase(databaseUrl(clusterUrl, TEMPLATE))
  await migrateDatabase(template)
  const queue = openQueue(template.url, log)
  const noRun = async () => {}
  await queue.start(readJobNames().map((name) => ({ name, isSequential: false, run: noRun })))
  await queue.stop()
}

function readJobNames(): string[] {
  const program = join(import.meta.dirname, 'job-names.ts')
  const printed = execFileSync(process.execPath, [program], { env: cleanEnvironment(), encoding: 'utf8' })
  return printed.trim().split('\n')
}

/** Of the password that every connection proves to know: 4096 times, as is usual, costs both sides milliseconds. */
async function hashOnce({ pool }: Database, password: string) {
  await pool.query('set scram_iterations = 1')
  await pool.query(`alter role current_user password ${escapeLiteral(password)}`)
}
