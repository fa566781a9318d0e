// Copies the data of a shop into a new cluster, with what a restore must not bring back: sessions, jobs and the list of backups.
import type { Client } from 'pg'
import { openClient } from '#platform/db/client.ts'
import { migrateTo, readSchemaVersion } from '#platform/db/migrate.ts'
import type { Log } from '#platform/log.ts'
import {
  readSums,
  isOfQueue,
  listAllTables,
  readRows,
  readSequences,
  writeRows,
  writeSequences,
  type CopiedTable,
  type Table,
} from './backup-tables.ts'
import { pipeline } from 'node:stream/promises'
import { createQueueTables } from '#platform/queue.ts'
import { createMeter } from './content-sums.ts'
import { compareWithManifest, fillTables } from './load-backup.ts'

/** No shop runs on either. */
export async function copyShop(from: string, to: string, log: Log): Promise<void> {
  const name = 'lectern copy'
  await using source = await openClient(from, name)
  await using target = await openClient(to, name)
  await source.query('begin isolation level repeatable read read only')
  const version = await readSchemaVersion(source)
  // A shop that was stopped before its first migration has no data.
  if (version === undefined) return
  await migrateTo(target, version)
  await createQueueTables(target)
  const tables = await copyTables(source, target, log)
  log.info('The copy is compared')
  const sums = await readSums(source)
  const differences = await compareWithManifest(target, { tables, sums })
  if (differences.length > 0) throw new Error(`The copy differs: ${differences.join('; ')}.`)
  // PostgreSQL is stopped next: all has to be on the disk.
  await target.query('checkpoint')
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

/** Both schemas are of one version; the job queue's columns may differ. */
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
