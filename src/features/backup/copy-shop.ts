// Copies a shop from one database into another: what a backup holds, and sessions, jobs and the list of backups, which a
// restore must not bring back.
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { z } from 'zod'
import type { Log } from '#platform/log.ts'
import { migrateTo } from '#platform/db/migrate.ts'
import { WritableClient } from '#platform/db/writable-client.ts'
import { createQueueTables } from '#platform/queue-tables.ts'
import { createMeter } from './object-bytes.ts'
import { compareWithManifest, fillTables } from './load-backup.ts'
import {
  isOfQueue,
  listAllTables,
  readRows,
  readSequences,
  readSums,
  writeRows,
  writeSequences,
  type CopiedTable,
  type Table,
} from './tables.ts'

/**
 * `to` is the address of an empty database, which gets the schema version of `from`; no shop runs on either. `from` is
 * only read. Throws an Error in plain words where the copy is not equal.
 */
export async function copyShop(from: string, to: string, log: Log): Promise<void> {
  await using source = await connect(from)
  await using target = await connect(to)
  await source.client.query('begin isolation level repeatable read read only')
  const version = await readSchemaVersion(source.client)
  // A shop that was stopped before its first migration has no data.
  if (version === undefined) return
  await migrateTo(target.client, version)
  await createQueueTables(target.client)
  const tables = await copyTables(source.client, target.client, log)
  log.info('The copy is compared')
  const sums = await readSums(source.client)
  const differences = await compareWithManifest(target.client, { tables, sums })
  if (differences.length > 0) throw new Error(`The copy differs: ${differences.join('; ')}.`)
  // All of it is then on the disk, before the server is stopped.
  await target.client.query('checkpoint')
}

async function connect(url: string) {
  const client = new WritableClient({ connectionString: url, application_name: 'lectern copy' })
  client.on('error', () => undefined)
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

async function readSchemaVersion(client: Client): Promise<number | undefined> {
  const found = await client.query(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as is_made`,
  )
  if (!z.tuple([z.object({ is_made: z.boolean() })]).parse(found.rows)[0].is_made) return undefined
  const { rows } = await client.query(
    'select max(created_at)::float8 as version from drizzle.__drizzle_migrations',
  )
  return z.tuple([z.object({ version: z.number().nullable() })]).parse(rows)[0].version ?? undefined
}

async function copyTables(source: Client, target: Client, log: Log): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = []
  const sourceTables = await listAllTables(source)
  await fillTables(target, await listAllTables(target), async (here) => {
    for (const [nth, table] of sourceTables.entries()) {
      log.info(`Copying table ${nth + 1} of ${sourceTables.length}, ${table.name}`)
      copied.push(await copyTable(source, target, commonColumns(table, here)))
    }
    await writeSequences(target, await readSequences(source))
  })
  return copied
}

/** All columns of a table of ours: both schemas are of one version. Those of the job queue may not be. */
function commonColumns(table: Table, here: readonly Table[]): Table {
  const counterpart = here.find(({ name }) => name === table.name)
  if (!isOfQueue(table) || !counterpart) return table
  return { ...table, columns: table.columns.filter((column) => counterpart.columns.includes(column)) }
}

async function copyTable(source: Client, target: Client, table: Table): Promise<CopiedTable> {
  const content = createMeter()
  await pipeline(readRows(source, table), content.through, writeRows(target, table))
  const { sha256, lines } = content.result()
  return { ...table, rows: lines, sha256 }
}
