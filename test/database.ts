// A database of one's own for a test: cloned in milliseconds from the migrated template, dropped afterwards.
import { randomUUID } from 'node:crypto'
import { Pool } from 'pg'

export const TEMPLATE = 'lectern_template'

export type TestDatabase = AsyncDisposable & { url: string }

/** `empty: true` gives one without tables. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const clusterUrl = process.env['TEST_CLUSTER_URL']
  if (!clusterUrl) throw new Error('the test run has no database cluster: see cluster.ts')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const template = empty ? 'template1' : TEMPLATE
  await onCluster(clusterUrl, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseUrl(clusterUrl, name),
    [Symbol.asyncDispose]: () => onCluster(clusterUrl, `drop database ${name} with (force)`),
  }
}

export function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl)
  url.pathname = name
  return url.href
}

let cluster: Pool | undefined

/** Over connections that stay open: two for each test would be a good part of what its database costs. */
async function onCluster(clusterUrl: string, statement: string) {
  cluster ??= new Pool({ connectionString: clusterUrl, max: 3, allowExitOnIdle: true }).on('error', () => {})
  await cluster.query(statement)
}
