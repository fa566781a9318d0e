// Writes one backup, from a snapshot of the database and the stored files, to all given places.
import { failureReason } from '#platform/errors.ts'
import type { Storage } from '#platform/storage.ts'
import { type BackupStore, nameOf } from './backup-store.ts'
import { type StoreSet, createStoreSet } from './store-set.ts'
import { backupFormat, type Manifest, type TableEntry } from './manifest.ts'
import { measure, createMeter } from './content-sums.ts'
import { listShopFiles, listTables, readRows, readSequences, readSums, type Table } from './backup-tables.ts'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Client } from 'pg'
import { z } from 'zod'
import { queryRow } from '#platform/db/query.ts'
import { openClient } from '#platform/db/client.ts'
import about from '../../../package.json' with { type: 'json' }
import { findSecret, knownSecrets } from '#platform/secret.ts'
import type { Config } from '../../config.ts'
import { copyFiles } from './copy-files.ts'

export type Progress = (step: 'tables' | 'files', done: number, total: number) => void

type Course = {
  onProgress?: Progress
  checkLock?: () => Promise<void>
}

export type BackupSource = {
  databaseUrl: string
  storage: Storage
  version: string
  tmpDir: string
  /** Written into encrypted backups only. */
  secretOf: (fingerprint: Buffer) => string | undefined
}

export async function createBackup(
  source: BackupSource,
  stores: readonly BackupStore[],
  { onProgress = () => undefined, checkLock = async () => undefined }: Course = {},
) {
  const aside = join(source.tmpDir, 'tmp')
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { recursive: true })
  const set = createStoreSet(stores)
  await using client = await openClient(source.databaseUrl, 'lectern backup')
  // A large table could otherwise be read from its middle, and its hash would differ each night.
  await client.query('set synchronize_seqscans = off')
  await client.query('begin isolation level repeatable read read only')
  const snapshot = await readSnapshot(client)
  const tables = await listTables(client)
  const earlier = await readLastBackups(set)
  const written: TableEntry[] = []
  for (const table of tables) {
    onProgress('tables', written.length, tables.length)
    const last = earlier.flatMap((backup) => backup.tables).find(({ name }) => name === table.name)
    const unchanged = last && (await findUnchanged(client, table, last, set))
    written.push(unchanged ?? (await copyTable(client, table, aside, set)))
  }
  const shopFiles = await listShopFiles(client)
  const secret = await readSecret(client, source)
  const about = { sequences: await readSequences(client), sums: await readSums(client) }
  // Files outlive their rows by a day, so that they need not be read inside the snapshot.
  await client.query('commit')
  const { files, filesOf, problems, refusals } = await copyFiles(source.storage, shopFiles, {
    set,
    earlier: new Map(earlier.flatMap(({ files }) => files).map((file) => [file.name, file])),
    onFile: (done) => onProgress('files', done, shopFiles.length),
  })
  const manifest: Manifest = {
    format: backupFormat,
    version: source.version,
    ...snapshot,
    ...about,
    tables: written,
    files,
  }
  await set.each(async (store) => {
    await checkLock()
    const own = { ...manifest, files: filesOf(store) }
    await store.write(store.isEncrypted ? { ...own, secret } : own)
  })
  return { name: nameOf(manifest.created_at), manifest, problems, refusals, failures: set.failures }
}

async function readSnapshot(client: Client) {
  const snapshot = z.object({
    created_at: z.string(),
    postgres_version: z.string(),
    schema_version: z.number(),
  })
  return queryRow(
    client,
    snapshot,
    `select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
       current_setting('server_version') as postgres_version,
       (select max(created_at) from drizzle.__drizzle_migrations)::float8 as schema_version`,
  )
}

async function readSecret(client: Client, { secretOf }: BackupSource): Promise<string | undefined> {
  const { rows } = await client.query('select fingerprint from auth.secret_fingerprint')
  const [row] = z.array(z.object({ fingerprint: z.instanceof(Buffer) })).parse(rows)
  return row && secretOf(row.fingerprint)
}

/** Reading and hashing rows takes a fraction of the time that compressing them does. */
async function findUnchanged(
  client: Client,
  table: Table,
  last: TableEntry,
  set: StoreSet,
): Promise<TableEntry | undefined> {
  const { sha256, lines, size: bytes } = await measure(readRows(client, table))
  let isStored = sha256 === last.sha256
  await set.each(async (store) => {
    isStored &&= await store.hasObject(last.object, last.size)
  })
  return isStored ? { ...table, rows: lines, sha256, object: last.object, size: last.size, bytes } : undefined
}

async function copyTable(client: Client, table: Table, aside: string, set: StoreSet): Promise<TableEntry> {
  const path = join(aside, 'rows.gz')
  const [rows, compressed] = [createMeter(), createMeter()]
  await pipeline(
    readRows(client, table),
    rows.through,
    createGzip({ level: 1 }),
    compressed.through,
    createWriteStream(path),
  )
  const { sha256: object, size } = compressed.result()
  const { sha256, lines, size: bytes } = rows.result()
  await set.each(async (store) => {
    if (await store.hasObject(object, size)) return
    await store.writeObject(object, createReadStream(path)).catch((cause: unknown) => {
      throw new Error(`the rows of ${table.name} cannot be written: ${failureReason(cause)}`, { cause })
    })
  })
  await rm(path)
  return { ...table, rows: lines, sha256, object, size, bytes }
}

async function readLastBackups(set: StoreSet): Promise<Manifest[]> {
  const result: Manifest[] = []
  await set.each(async (store) => {
    const [newest] = await store.list()
    // All tables and files are read again where it cannot be read.
    const last = newest ? await store.read(newest).catch(() => undefined) : undefined
    if (last) result.push(last)
  })
  return result
}

export function shopSource(config: Config, databaseUrl: string, storage: Storage): BackupSource {
  return {
    databaseUrl,
    storage,
    version: about.version,
    tmpDir: join(config.dataDir, 'backups'),
    secretOf: (fingerprint) => findSecret(knownSecrets(config), fingerprint)?.text,
  }
}
