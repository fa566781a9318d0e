// Files on their way from an upload to whom they belong. Whatever goes wrong in between, even the end of the process,
// leaves either all of it or a name in unsettled_files, to be swept away.
import { z } from 'zod'
import { queryAll, queryOne } from '#platform/db/query.ts'
import { incomingFolder } from '#platform/folder-storage.ts'
import { createReadStream } from 'node:fs'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { unsettled_files } from './schema.ts'
import type { Services } from '../../services.ts'

type Needs = Pick<Services, 'db' | 'storage' | 'uploads' | 'clock'>

type FileImport<Checked> = {
  /** Looks at the content; what it throws leaves the upload to be tried again. */
  check: (path: string, file_name: string) => Promise<Checked>
  /** What it is called in storage; asked again, a little later, when the name is taken. */
  name: (checked: Checked, now: Date) => string
  write: (tx: Transaction, file: Checked & { file_path: string; file_size: number }) => Promise<void>
}

/** Checks an upload, stores it, and lets `write` assign it to its owner, in one transaction. */
export async function importFile<Checked>(
  { db, storage, uploads, clock }: Needs,
  upload_id: string,
  { check, name, write }: FileImport<Checked>,
): Promise<void> {
  await takeUpload(uploads, upload_id, async ({ path, file_name, size: file_size }) => {
    const checked = await check(path, file_name)
    const file_path = await reserveName(db, clock(), (now) => name(checked, now))
    await storage.write(file_path, createReadStream(path))
    await db.transaction(async (tx) => {
      await write(tx, { ...checked, file_path, file_size })
      await settleFiles(tx, [file_path])
    })
  })
}

/** The upload is gone once `work` is done; what that throws leaves it to be tried again. */
export async function takeUpload<Result>(
  uploads: Services['uploads'],
  upload_id: string,
  work: (upload: { path: string; file_name: string; size: number }) => Promise<Result>,
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

/** Before they are written. Their names are nobody else's. */
export async function expectFiles(db: Db, file_paths: readonly string[]): Promise<void> {
  await db.insert(unsettled_files).values(file_paths.map((file_path) => ({ file_path })))
}

/** In the transaction that gives them to their owner. */
export async function settleFiles(tx: Transaction, file_paths: readonly string[]): Promise<void> {
  await tx.delete(unsettled_files).where(inArray(unsettled_files.file_path, [...file_paths]))
}

const belongsToOther = sql`(
  exists (select from product_files f where f.file_path = wanted.file_path)
  or exists (select from products p where p.cover_path = wanted.file_path))`

/**
 * Names hold the moment in milliseconds: of two that meet in one, the second takes the next. Asked once more, since the
 * first may have got its product while the second was at the door.
 */
async function reserveName(db: Db, now: Date, name: (now: Date) => string): Promise<string> {
  for (let later = 0; ; later += 1) {
    const file_path = name(new Date(now.getTime() + later))
    const { rowCount } = await db.execute(sql`
      insert into unsettled_files (file_path)
      select file_path from (values (${file_path})) wanted (file_path) where not ${belongsToOther}
      on conflict do nothing`)
    if (!rowCount) continue
    const check = sql`select ${belongsToOther} as is_taken from (values (${file_path})) wanted (file_path)`
    const { is_taken } = await queryOne(db, z.object({ is_taken: z.boolean() }), check)
    if (!is_taken) return file_path
    await db.delete(unsettled_files).where(eq(unsettled_files.file_path, file_path))
  }
}

/** What nobody has a use for any more is removed a day later, when no page shows it any more. */
export async function giveUpFiles(tx: Transaction, file_paths: readonly string[]): Promise<void> {
  const names = file_paths.map((file_path) => ({ file_path }))
  if (names.length > 0) await tx.insert(unsettled_files).values(names).onConflictDoNothing()
}

const unsettledMs = 24 * 3_600_000

/** Removes files that were stored for an owner that never came to be, and uploads that nobody finished. */
export async function sweepFiles({ db, storage, uploads, clock }: Needs): Promise<void> {
  await uploads.sweep(clock())
  const old = new Date(clock().getTime() - unsettledMs)
  for await (const name of storage.list(incomingFolder)) {
    const file = await storage.stat(name)
    if (file && file.modified < old) await storage.remove(name)
  }
  const query = sql`
    select file_path from unsettled_files wanted
    where created_at < ${old.toISOString()} and not ${belongsToOther}`
  for (const { file_path } of await queryAll(db, z.object({ file_path: z.string() }), query)) {
    await storage.remove(file_path)
    await db.delete(unsettled_files).where(eq(unsettled_files.file_path, file_path))
  }
}
