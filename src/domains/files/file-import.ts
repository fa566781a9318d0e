// Gives uploaded files to their owners. Whatever fails, even the process, leaves the whole or a row of unsettled_files.
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat, mkdir } from 'node:fs/promises'
import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import type { Services } from '#platform/services.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryAll, queryOne } from '#platform/db/query.ts'
import { platformProblem } from '#platform/problem.ts'
import { incomingFolder } from '#platform/folder-storage.ts'
import type { Upload } from '#platform/uploads.ts'
import { unsettled_files } from '#tables/files.ts'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { outgoingFolder } from '#platform/data-folders.ts'
import type { FilesShop } from './shop.ts'
import { openRequestReader, type RequestReader } from './request-reader.ts'

type FileImport<Checked> = {
  check: (path: string, file_name: string, request: RequestReader) => Promise<Checked>
  /** Returns the path of a file that is stored instead, and removed then. */
  repair?: (path: string, request: RequestReader) => Promise<string | undefined>
  name: (checked: Checked, now: Date) => string
  /** Takes a row `candidate` with a file_path: the file has an owner. */
  isOwned: SQL
  insert: (tx: Transaction, file: Checked & { file_path: string; file_size: number }) => Promise<void>
}

export async function importFile<Checked>(services: FilesShop, upload_id: string, file: FileImport<Checked>) {
  const { uploads, uploadReader } = services
  const request = openRequestReader(uploadReader)
  const upload = await uploads.find(upload_id)
  if (!upload) throw platformProblem('uploads.not_found')
  // The check comes before the claim, which moves the file: it may outlive this request.
  const checked = await file.check(upload.path, upload.file_name, request)
  await takeUpload(uploads, upload_id, ({ path }) => storeFile(services, path, checked, file, request))
}

/** The file is stored before the transaction of `insert` begins. */
export async function saveFile<Checked>(
  services: FilesShop,
  { path, file_name }: Pick<Upload, 'path' | 'file_name'>,
  file: FileImport<Checked>,
): Promise<void> {
  const request = openRequestReader(services.uploadReader)
  const checked = await file.check(path, file_name, request)
  await storeFile(services, path, checked, file, request)
}

async function storeFile<Checked>(
  { db, storage, clock }: FilesShop,
  path: string,
  checked: Checked,
  { repair, name, isOwned, insert }: FileImport<Checked>,
  request: RequestReader,
): Promise<void> {
  const repaired = await repair?.(path, request)
  try {
    const source = repaired ?? path
    const file_path = await reserveName(db, clock(), { name: (now) => name(checked, now), isOwned })
    const { size: file_size } = await stat(source)
    await storage.write(file_path, createReadStream(source))
    await db.transaction(async (tx) => {
      await insert(tx, { ...checked, file_path, file_size })
      await deleteUnsettled(tx, [file_path])
    })
  } finally {
    if (repaired) await rm(repaired, { force: true })
  }
}

/** Removes the upload once `work` is done; when that throws, the upload can be tried again. */
export async function takeUpload<Result>(
  uploads: Services['uploads'],
  upload_id: string,
  work: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const upload = await uploads.claim(upload_id)
  let result: Result
  try {
    result = await work(upload)
  } catch (error) {
    // The first error is reported, also when the disk is full by now.
    await upload.release().catch(() => undefined)
    throw error
  }
  await upload.remove()
  return result
}

/** Notes files that are about to be written, and those that lose their owner: a day later they are removed. */
export async function insertUnsettled(db: Db | Transaction, file_paths: readonly string[]): Promise<void> {
  const rows = file_paths.map((file_path) => ({ file_path }))
  if (rows.length > 0) await db.insert(unsettled_files).values(rows).onConflictDoNothing()
}

export async function deleteUnsettled(tx: Transaction, file_paths: readonly string[]): Promise<void> {
  await tx.delete(unsettled_files).where(inArray(unsettled_files.file_path, [...file_paths]))
}

// Names hold the millisecond: of two at once, the second takes the next. Checked again after the insert, since the first may
// have been given to its product meanwhile.
async function reserveName(
  db: Db,
  now: Date,
  { name, isOwned }: { name: (now: Date) => string; isOwned: SQL },
): Promise<string> {
  for (let later = 0; ; later += 1) {
    const file_path = name(new Date(now.getTime() + later))
    const { rowCount } = await db.execute(sql`
      insert into unsettled_files (file_path)
      select file_path from (values (${file_path})) candidate (file_path) where not ${isOwned}
      on conflict do nothing`)
    if (!rowCount) continue
    const check = sql`select ${isOwned} as is_taken from (values (${file_path})) candidate (file_path)`
    const { is_taken } = await queryOne(db, z.object({ is_taken: z.boolean() }), check)
    if (!is_taken) return file_path
    await db.delete(unsettled_files).where(eq(unsettled_files.file_path, file_path))
  }
}

const unsettledMs = dayMs

export async function sweepFiles({ db, storage, uploads, clock }: FilesShop, isOwned: SQL): Promise<void> {
  await uploads.sweep(clock())
  const old = new Date(clock().getTime() - unsettledMs)
  for await (const name of storage.list(incomingFolder)) {
    const file = await storage.stat(name)
    if (file && file.modified < old) await storage.remove(name)
  }
  const query = sql`
    select file_path from unsettled_files candidate
    where created_at < ${old.toISOString()} and not ${isOwned}`
  for (const { file_path } of await queryAll(db, z.object({ file_path: z.string() }), query))
    await removeFile({ db, storage }, file_path)
}

async function removeFile({ db, storage }: Pick<FilesShop, 'db' | 'storage'>, file_path: string) {
  await storage.remove(file_path)
  await db.delete(unsettled_files).where(eq(unsettled_files.file_path, file_path))
}

/** Must be called after the commit that took the files from their owner. What cannot be removed now is swept a day later. */
export async function removeUnsettled(
  { db, storage, log }: FilesShop,
  file_paths: readonly string[],
): Promise<void> {
  for (const file_path of file_paths)
    await removeFile({ db, storage }, file_path).catch((error: unknown) =>
      log.warn({ err: error, file_path }, 'a file without an owner could not be removed yet'),
    )
}

/** Gives the path of a copy of a stored file, which may be in a bucket; removed afterwards. */
export async function withStoredFile<Result>(
  { config, storage }: FilesShop,
  { file_path, file_format }: { file_path: string; file_format: string },
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = outgoingFolder(config.dataDir)
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${randomUUID()}.${file_format}`)
  try {
    await pipeline(await storage.read(file_path), createWriteStream(path, { mode: 0o600 }))
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
