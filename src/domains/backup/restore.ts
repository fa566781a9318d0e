// The data before a restore stay under another name until the author drops them.
import { type BucketAccess, StorageUnavailableError, type Storage, isIntact } from '#platform/storage.ts'
import { failureReason } from '#platform/errors.ts'
import { type BackupStore, momentOf } from './backup-store.ts'
import type { Manifest, FileEntry, TableEntry, Sums } from './manifest.ts'
import { measure, createMeter, canDecrypt, type EncryptionKeys } from './encryption.ts'
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
  createScratchDatabase,
  databaseName,
  dropUnfinishedDatabases,
  restoredName,
  swapDatabases,
  describeFile,
} from './backup-tables.ts'
import { limitRows } from './row-limits.ts'
import { tryBackupLock } from './backup-runs.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openPlaceAt } from './backup-targets.ts'

type BackupObject = { sha256: string; size: number }

function objectsWithSizes({ tables, files }: Pick<Manifest, 'tables' | 'files'>): BackupObject[] {
  const sizes = new Map<string, number>()
  for (const { object, size } of tables) sizes.set(object, size)
  for (const { sha256, size } of files) sizes.set(sha256, size)
  return [...sizes].map(([sha256, size]) => ({ sha256, size }))
}

export async function findMissingObjects(store: BackupStore, manifest: Manifest): Promise<string[]> {
  const missing: string[] = []
  for (const { sha256, size } of objectsWithSizes(manifest))
    if (!(await store.canRead(sha256, size))) missing.push(sha256)
  return missing
}

async function findDamage(
  store: Pick<BackupStore, 'canRead' | 'readObject'>,
  { sha256, size }: BackupObject,
): Promise<Error | undefined> {
  try {
    if (!(await store.canRead(sha256, size))) return new Error(`the object ${sha256} is missing or cut off`)
    await measure(await store.readObject(sha256))
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

export async function checkObjects(
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress,
): Promise<Map<string, string>> {
  const result = new Map<string, string>()
  const objects = objectsWithSizes(manifest)
  for (const [nth, object] of objects.entries()) {
    onProgress('files', nth, objects.length)
    const damage = await findDamage(store, object)
    if (!damage) continue
    result.set(object.sha256, failureReason(damage))
    if (!isUnavailable(damage)) await store.addDamage(object.sha256)
  }
  return result
}

/** A place that does not respond now has not lost anything. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error instanceof StorageUnavailableError || isUnavailable(error.cause)
}

type ObjectSource = Pick<BackupStore, 'canRead' | 'readObject'>

type ObjectSources = readonly [ObjectSource, ...ObjectSource[]]

export type DamagedFile = FileEntry & { reason: string }

type ObjectLookup = { source: ObjectSource } | { reason: string }

async function findIntact([own, ...others]: ObjectSources, object: BackupObject): Promise<ObjectLookup> {
  const damage = await findLasting(own, object)
  if (!damage) return { source: own }
  for (const source of others) if (!(await findLasting(source, object))) return { source }
  return { reason: failureReason(damage) }
}

/** Throws where a place does not respond: that is no damage. */
async function findLasting(source: ObjectSource, object: BackupObject): Promise<Error | undefined> {
  const damage = await findDamage(source, object)
  if (!damage || !isUnavailable(damage)) return damage
  const again = await findDamage(source, object)
  if (!again || !isUnavailable(again)) return again
  await source.canRead(object.sha256, object.size).catch((cause: unknown) => {
    throw new Error(
      `A place of backups does not respond: ${failureReason(cause)}. Nothing was changed: try again.`,
      { cause },
    )
  })
  return again
}

async function readIntactTables(
  sources: ObjectSources,
  tables: readonly TableEntry[],
): Promise<ObjectSource> {
  const chosen = new Map<string, ObjectSource>()
  const damaged: string[] = []
  for (const { name, object, size } of tables) {
    const intact = await findIntact(sources, { sha256: object, size })
    if ('source' in intact) chosen.set(object, intact.source)
    else damaged.push(`the rows of ${name} (${intact.reason})`)
  }
  if (damaged.length > 0)
    throw new Error(
      `The backup cannot be restored, because it is damaged: ${damaged.join('; ')}. Nothing was changed: choose another backup, or another place.`,
    )
  const sourceOf = (sha256: string) => chosen.get(sha256) ?? sources[0]
  return {
    canRead: (sha256, size) => sourceOf(sha256).canRead(sha256, size),
    readObject: (sha256) => sourceOf(sha256).readObject(sha256),
  }
}

type FilePlan = { missing: (FileEntry & { source: ObjectSource })[]; damaged: DamagedFile[] }

async function planFiles(
  storage: Storage,
  sources: ObjectSources,
  { files }: Pick<Manifest, 'files'>,
  onFile: (done: number) => void,
): Promise<FilePlan> {
  const plan: FilePlan = { missing: [], damaged: [] }
  for (const [nth, file] of files.entries()) {
    onFile(nth)
    if (await isStored(storage, file)) continue
    const intact = await findIntact(sources, file)
    if ('source' in intact) plan.missing.push({ ...file, source: intact.source })
    else plan.damaged.push({ ...file, reason: intact.reason })
  }
  return plan
}

async function isStored(storage: Storage, file: FileEntry): Promise<boolean> {
  try {
    return await isIntact(storage, file)
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    return false
  }
}

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

export type RestoreTarget = {
  databaseUrl: string
  storage: Storage
  clock: () => Date
  prepare?: (url: string, lost: readonly DamagedFile[]) => Promise<void>
  otherStores?: readonly ObjectSource[]
  withoutDamagedFiles?: boolean
  /** Throws where the disk of the database is nearly full. */
  requireRoom?: () => Promise<void>
}

export type RestoreProgress = (step: 'tables' | 'files' | 'copies', done: number, total: number) => void

/** What is left to do is `swap`, which takes the place of the shop's database; without it nothing was changed. */
export type PreparedRestore = AsyncDisposable & {
  /** No process of the shop may run. */
  swap: () => Promise<{ old: string; filesWritten: number; lost: string[] }>
}

/** Changes nothing before the backup was restored beside the shop's database, compared and prepared. The shop must not run. */
export async function restore(
  target: RestoreTarget,
  store: ObjectSource,
  manifest: Manifest,
  onProgress: RestoreProgress = () => undefined,
) {
  await using prepared = await prepareRestore(target, store, manifest, onProgress)
  return await prepared.swap()
}

/** The shop may run meanwhile. */
export async function prepareRestore(
  target: RestoreTarget,
  store: ObjectSource,
  manifest: Manifest,
  onProgress: RestoreProgress = () => undefined,
): Promise<PreparedRestore> {
  const { databaseUrl, storage, clock, prepare, otherStores = [] } = target
  // A backup made meanwhile would drop the unfinished database, and could remove the objects that are read.
  await using undo = new AsyncDisposableStack()
  const lock = await tryBackupLock(databaseUrl)
  if (!lock)
    throw new Error(
      'A backup, a rehearsal or another restore is under way: wait for its end. Nothing was changed.',
    )
  undo.use(lock)
  const sources: ObjectSources = [store, ...otherStores]
  const tables = await readIntactTables(sources, manifest.tables)
  const moment = clock().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  await dropUnfinishedDatabases(databaseUrl)
  const scratch = undo.use(await createScratchDatabase(databaseUrl, restoredName(databaseUrl, moment)))
  const { differences, shopFiles } = await loadBackup(
    scratch.url,
    tables,
    manifest,
    onProgress,
    target.requireRoom,
  )
  if (differences.length > 0)
    throw new Error(`The restored data differ from the backup: ${differences.join('; ')}.`)
  const count = manifest.files.length
  const plan = await planFiles(storage, sources, manifest, (done) => onProgress('files', done, count))
  const lost = plan.damaged.map((file) => describeFile(shopFiles, file.name))
  if (lost.length > 0 && !target.withoutDamagedFiles) throw damagedFiles(plan.damaged, shopFiles)
  for (const [nth, { name, sha256, source }] of plan.missing.entries()) {
    onProgress('copies', nth, plan.missing.length)
    await storage.write(name, await source.readObject(sha256))
  }
  await prepare?.(scratch.url, plan.damaged)
  const stack = undo.move()
  return {
    async swap() {
      await lock.check()
      const old = `${databaseName(databaseUrl)}_before_${moment}`
      // The lock is held by a connection to the shop's database, which cannot be renamed while there is one.
      await lock[Symbol.asyncDispose]()
      await swapDatabases(databaseUrl, scratch.name, old)
      return { old, filesWritten: plan.missing.length, lost }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function damagedFiles(damaged: readonly DamagedFile[], shopFiles: readonly ShopFile[]): Error {
  const named = damaged.map(({ name, reason }) => `  ${describeFile(shopFiles, name)}: ${reason}`)
  return new Error(
    [
      'These files are damaged in the backup, and there is no intact copy of them in the other places or in the shop’s files:',
      ...named,
      'Nothing was changed. With --without-damaged-files everything else is restored, and these have to be uploaded again.',
    ].join('\n'),
  )
}

export type FoundBackup = Awaited<ReturnType<typeof readBackup>> & { storage: Storage }

export function addressOf(source: string): string {
  if (/^s3:/i.test(source)) return source
  if (/^file:/i.test(source)) {
    if (!/^file:\/\/\//i.test(source))
      throw new Error(
        `${source} is no folder: an address of one begins with file:/// and has its whole path.`,
      )
    return requireFolder(source, source)
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(source))
    throw new Error(`${source} is neither a folder nor an address that begins with s3:// or file:///.`)
  return requireFolder(pathToFileURL(resolve(source)).href, source)
}

function requireFolder(address: string, source: string): string {
  if (existsSync(fileURLToPath(address))) return address
  throw new Error(`There is no folder ${source}. Is its disk mounted?`)
}

/** A restore takes an older backup that is not encrypted only by its name. */
export async function findBackup(
  address: string,
  keys: EncryptionKeys,
  { source, wanted, access }: { source: string; wanted: string | undefined; access?: BucketAccess },
): Promise<FoundBackup> {
  const openPlace = (own: EncryptionKeys) => openPlaceAt(address, own, access && { access })
  const plain = openPlace({})
  const [plainNames, encryptedNames] = [await plain.list(), await plain.listOthers()]
  const names = [...new Set([...plainNames, ...encryptedNames])].toSorted().toReversed()
  const [newest] = names
  if (!newest)
    throw new Error(
      `There are no backups in ${source}: name the place that has the folders backups and objects.`,
    )
  const name = wanted ?? newest
  if (!names.includes(name))
    throw new Error(`There is no backup ${name} in ${source}. There are: ${names.join(', ')}.`)
  const others = names.filter((each) => each !== name)
  const { storage } = plain
  if (plainNames.includes(name)) return { ...(await readBackup(await plain.open(), name, others)), storage }
  if (!canDecrypt(keys)) throw new Error(describeEncrypted(encryptedNames, otherChoice(plainNames)))
  const store = await openPlace(keys)
    .open()
    .catch((cause: unknown) => {
      throw new Error(describeEncrypted(encryptedNames, failureReason(cause)), { cause })
    })
  const backup = await readBackup(store, name, others).catch((cause: unknown) => {
    if (!/no identity matched/i.test(failureReason(cause))) throw cause
    const wrongKey = `The key that is set is not that of ${name}.`
    throw new Error(describeEncrypted(encryptedNames, wrongKey), { cause })
  })
  return { ...backup, storage }
}

async function readBackup(store: BackupStore, name: string, others: string[]) {
  try {
    return { name, manifest: await store.read(name), store, others }
  } catch (cause) {
    const more = others.length > 0 ? ` Restore another one by its name: ${others.join(', ')}.` : ''
    throw new Error(`${failureReason(cause)}. Nothing was changed.${more}`, { cause })
  }
}

function describeEncrypted([newest = '', ...others]: readonly string[], more: string): string {
  const moment = momentOf(newest).replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC')
  const are = others.length === 0 ? '1 encrypted backup is' : `${others.length + 1} encrypted backups are`
  return `${are} here; set BACKUP_PASSPHRASE or BACKUP_IDENTITY (the newest is of ${moment}). ${more}`.trim()
}

function otherChoice([plain]: readonly string[]): string {
  return plain ? `Or name one that is not encrypted; the newest of them is ${plain}.` : ''
}
