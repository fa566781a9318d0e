// The last step of a rehearsal: one buyer's file, from the restored database to the content in the backup.
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDatabase } from '#platform/db/client.ts'
import { failureReason } from '#platform/failure-reason.ts'
import { findBoughtFile, findNewestWithFile } from '../downloads/bought-file.ts'
import { checkEbook, type UploadReader } from '../ebooks/check.ts'
import { formatOrderNumber } from '../purchases/contract/order-number.ts'
import type { BackupStore } from './backup-store.ts'
import type { Manifest } from './manifest.ts'

type Needs = {
  /** The restored database, of this version's schema. */
  url: string
  store: BackupStore
  manifest: Manifest
  /** On a disk with room for the file. */
  tmpDir: string
  uploadReader: UploadReader
}

/**
 * Opens the file of the newest purchase that has one, found as a download finds it, and checks it as an upload is checked.
 * Returns its name and order; undefined where nothing digital was bought. Throws an Error in plain words where a buyer
 * would not get the file.
 */
export async function openBoughtFile({ url, store, manifest, ...needs }: Needs): Promise<string | undefined> {
  await using database = openDatabase(url, { max: 1 })
  const purchase = await findNewestWithFile(database.db)
  if (!purchase) return undefined
  const file = await findBoughtFile(database.db, purchase)
  if (!file?.file_path) return undefined
  const name = `${file.title}.${file.file_format}`
  const order = `order ${formatOrderNumber(purchase.number)}`
  const stored = manifest.files.find(({ name: path }) => path === file.file_path)
  if (!stored) throw new Error(`“${name}” of ${order} is not in the backup`)
  const path = join(needs.tmpDir, 'tmp', stored.sha256)
  await mkdir(join(path, '..'), { recursive: true })
  try {
    await pipeline(await store.readObject(stored.sha256), createWriteStream(path))
    await checkEbook(needs.uploadReader, path, name)
  } catch (error) {
    throw new Error(`“${name}” of ${order} cannot be opened: ${failureReason(error)}`, { cause: error })
  } finally {
    await rm(path, { force: true })
  }
  return `“${name}” of ${order}`
}
