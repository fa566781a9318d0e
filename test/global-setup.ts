// One PostgreSQL for the whole test run, in memory where there is room, with a migrated database to clone.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { openQueue } from '#platform/queue.ts'
import { openDatabase } from '#platform/db/client.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { databaseUrl, TEMPLATE } from './database.ts'
import { memoryFolder } from './memory-folder.ts'
import { prepareSwift } from './swift.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string
  }
}

export default async function setup(project: TestProject) {
  prepareSwift()
  const dataDir = mkdtempSync(join(memoryFolder(), 'lectern-test-'))
  const log = pino({ level: 'error' })
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings })
  await prepareTemplate(postgres.url, log)
  project.provide('clusterUrl', postgres.url)

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
