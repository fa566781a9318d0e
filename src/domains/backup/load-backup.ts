// Loads the rows of a backup into an empty database, and compares them with what the backup says.
import { failureReason } from '#platform/errors.ts'
import type { BackupStore } from './backup-store.ts'
import type { Manifest, TableEntry, Sums } from './manifest.ts'
import { measure, createMeter } from './content-sums.ts'
import type { Progress } from './create-backup.ts'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Client } from 'pg'
import { migrateTo } from '#platform/db/migrate.ts'
import { openClient } from '#platform/db/client.ts'
import {
  listShopFiles,
  listTables,
  quoteName,
  readRows,
  readSums,
  writeRows,
  writeSequences,
  type CopiedTable,
  type ShopFile,
  type Table,
} from './backup-tables.ts'
import { limitRows } from './row-limits.ts'

/** One transaction, without the shop's triggers; foreign keys are checked. */
export async function loadBackup(
  url: string,
  store: Pick<BackupStore, 'readObject'>,
  manifest: Manifest,
  onProgress: Progress,
  requireRoom?: () => Promise<void>,
): Promise<{ differences: string[]; shopFiles: ShopFile[] }> {
  const { tables, sequences, schema_version } = manifest
  await using client = await openClient(url, 'lectern restore')
  await migrateTo(client, schema_version)
  await fillTables(client, await listTables(client), async (here) => {
    for (const [nth, table] of tables.entries()) {
      onProgress('tables', nth, tables.length)
      if (!here.some(({ name }) => name === table.name))
        throw new Error(`The backup has a table ${table.name} that this version does not know.`)
      await loadTable(client, store, table, requireRoom)
    }
    await writeSequences(client, sequences)
  })
  const differences = await compareWithManifest(client, manifest)
  return { differences, shopFiles: await listShopFiles(client) }
}

export async function fillTables(
  client: Client,
  tables: readonly Table[],
  fill: (tables: readonly Table[]) => Promise<void>,
): Promise<void> {
  const names = tables.map(({ name }) => quoteName(name))
  await client.query('begin')
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  await client.query(`truncate ${names.join(', ')} cascade`)
  await fill(tables)
  // A table whose deferred checks are open cannot be altered.
  await client.query('set constraints all immediate')
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
  await client.query('commit')
  await client.query('analyze')
}

async function loadTable(
  client: Client,
  store: Pick<BackupStore, 'readObject'>,
  table: TableEntry,
  requireRoom?: () => Promise<void>,
): Promise<void> {
  const content = createMeter()
  try {
    await pipeline(
      await store.readObject(table.object),
      createGunzip(),
      limitRows(table, requireRoom),
      content.through,
      writeRows(client, table),
    )
  } catch (cause) {
    throw new Error(`The rows of ${table.name} cannot be loaded: ${failureReason(cause)}`, { cause })
  }
  const { sha256, lines } = content.result()
  if (sha256 !== table.sha256 || lines !== table.rows)
    throw new Error(`The rows of ${table.name} are damaged in the backup.`)
}

export async function compareWithManifest(
  client: Client,
  manifest: { tables: readonly CopiedTable[]; sums: Sums },
): Promise<string[]> {
  const differences: string[] = []
  for (const table of manifest.tables) {
    const { sha256, lines } = await measure(readRows(client, table))
    if (lines !== table.rows) differences.push(`${table.name} has ${lines} rows instead of ${table.rows}`)
    else if (sha256 !== table.sha256) differences.push(`${table.name} has other rows than the backup`)
  }
  const sums = Object.entries(await readSums(client))
  for (const [name, restored] of sums) {
    const expected = Object.entries(manifest.sums).find(([key]) => key === name)?.[1]
    if (restored !== expected) differences.push(`${name} is ${restored} instead of ${expected}`)
  }
  return differences
}
