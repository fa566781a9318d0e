// Rehearses a restore: reads the newest backup of a place into a scratch database and checks its rows and files.
import { sql } from 'drizzle-orm'
import { failureReason } from '#platform/errors.ts'
import { migrateTo, newestMigration } from '#platform/db/migrate.ts'
import { openClient, openDatabase } from '#platform/db/client.ts'
import { checkEbook } from '#domains/files/ebook-reader.ts'
import type { FilesShop } from '#domains/files/shop.ts'
import type { RunResult } from './backup-runs.ts'
import type { BackupStore } from './backup-store.ts'
import type { Manifest } from './manifest.ts'
import { checkObjects } from './object-damage.ts'
import { loadBackup } from './load-backup.ts'
import type { BackupSource, Progress } from './create-backup.ts'
import { createScratchDatabase, rehearsalName } from './side-databases.ts'
import { describeFile, type ShopFile } from './backup-tables.ts'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findBoughtFile, findNewestWithFile } from '#domains/delivery/downloads.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'

export type RehearsalNeeds = Pick<BackupSource, 'databaseUrl' | 'tmpDir'> & Pick<FilesShop, 'uploadReader'>

export async function rehearse(
  dependencies: RehearsalNeeds,
  store: BackupStore,
  onProgress: Progress = () => undefined,
): Promise<RunResult> {
  const [backup] = await store.list()
  if (!backup) throw new Error('There is no backup yet.')
  const manifest = await store.read(backup)
  const damage = await checkObjects(store, manifest, onProgress)
  const damagedIn = (sha256: string, label: string) => {
    const reason = damage.get(sha256)
    return reason === undefined ? [] : [`${label} cannot be read: ${reason}`]
  }
  const problems = manifest.tables.flatMap(({ name, object }) => damagedIn(object, `The rows of ${name}`))
  const listProblem = await store.checkNeeded(backup, manifest)
  const rows =
    problems.length > 0
      ? { opened: undefined, shopFiles: [], problems }
      : await rehearseRows(dependencies, store, manifest, onProgress)
  const damagedFiles = manifest.files.flatMap(({ name, sha256 }) =>
    damagedIn(sha256, describeFile(rows.shopFiles, name)),
  )
  return {
    backup,
    orders: manifest.sums.orders,
    files: manifest.files.length,
    opened: rows.opened,
    problems: [...rows.problems, ...damagedFiles, ...(listProblem ? [listProblem] : [])],
  }
}

type RehearsedRows = { opened: string | undefined; problems: string[]; shopFiles: ShopFile[] }

async function rehearseRows(
  { databaseUrl, tmpDir, uploadReader }: RehearsalNeeds,
  store: BackupStore,
  manifest: Manifest,
  onProgress: Progress,
): Promise<RehearsedRows> {
  await using scratch = await createScratchDatabase(databaseUrl, rehearsalName(databaseUrl))
  const { url } = scratch
  const result: RehearsedRows = { opened: undefined, shopFiles: [], problems: [] }
  try {
    const { differences, shopFiles } = await loadBackup(url, store, manifest, onProgress)
    result.problems.push(...differences)
    result.shopFiles = shopFiles
    await using client = await openClient(url)
    await migrateTo(client, newestMigration())
    result.opened = await openBoughtFile(url, store, manifest, { tmpDir, uploadReader })
  } catch (error) {
    result.problems.push(failureReason(error))
  }
  return result
}

async function openBoughtFile(
  url: string,
  store: BackupStore,
  manifest: Manifest,
  { tmpDir, uploadReader }: Pick<RehearsalNeeds, 'tmpDir' | 'uploadReader'>,
): Promise<string | undefined> {
  await using database = openDatabase(url, { max: 1 })
  const purchase = await findNewestWithFile(database.db)
  if (!purchase) return undefined
  const file = await findBoughtFile(database.db, purchase, sql`true`)
  if (!file?.file_path) return undefined
  const name = `${file.title}.${file.file_format}`
  const order = `order ${formatOrderNumber(purchase.number)}`
  const stored = manifest.files.find(({ name: path }) => path === file.file_path)
  if (!stored) throw new Error(`“${name}” of ${order} is not in the backup`)
  const path = join(tmpDir, 'tmp', stored.sha256)
  await mkdir(join(path, '..'), { recursive: true })
  try {
    await pipeline(await store.readObject(stored.sha256), createWriteStream(path))
    await checkEbook(uploadReader, path, name)
  } catch (error) {
    throw new Error(`“${name}” of ${order} cannot be opened: ${failureReason(error)}`, { cause: error })
  } finally {
    await rm(path, { force: true })
  }
  return `“${name}” of ${order}`
}
