// One PostgreSQL for the whole test run, in memory where there is room, with a migrated database to clone.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { openQueue } from '#platform/queue.ts'
import { openDatabase } from '#platform/db/client.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { databaseUrl, TEMPLATE } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string
  }
}

const ROOM_BYTES = 1_000_000_000

export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'lectern-test-'))
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

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ROOM_BYTES
}
