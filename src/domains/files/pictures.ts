// Opens pictures in a process of its own: they come from outside, and decoders are native code.
import { pathToFileURL } from 'node:url'
import { openBoundedWorker, WorkerCrashError, WorkerLimitError } from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import { fileProblem, type FilesShop, type PictureReader } from './shop.ts'
import type { DrawTask } from './drawn-picture.ts'
import type { ReadTask } from './read-picture.ts'
import { inArray, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { platformProblem } from '#platform/problem.ts'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { deleteUnsettled, insertUnsettled, takeUpload } from './file-import.ts'
import { dayMs } from '#contract/durations.ts'
import type { AddedPicture, Picture } from '#contract/files/pictures.ts'
import { pictures } from '#tables/files.ts'

/** A progressive photo of 26 million pixels takes 180 MB. */
const maxProcessMb = 240
const limits = { threads: 1, maxQueued: 8, taskMs: 40_000, memoryMb: 128, idleMs: 10_000, maxProcessMb }

const tooLarge =
  'This picture takes more memory than the shop has for one. Please save it smaller, for example 1600 pixels wide.'

export function openPictureReader(changed: Partial<typeof limits> = {}): PictureReader {
  const script = pathToFileURL(ownFile('#domains/files/picture-process.ts'))
  return openBoundedWorker(script, { ...limits, ...changed })
}

export async function readRenditions(
  { pictureReader }: Pick<FilesShop, 'pictureReader'>,
  source: ReadTask['source'],
) {
  const outcome = await pictureReader.run({ source }).catch((error: unknown) => {
    if (error instanceof WorkerLimitError && error.limit === 'memory')
      throw fileProblem('uploads.not_a_picture', { detail: tooLarge, cause: error })
    return refuse(
      error,
      'This picture could not be opened in time. Please try again. If that fails too, export it on your computer as a JPEG.',
    )
  })
  if ('refused' in outcome) throw fileProblem('uploads.not_a_picture', { detail: outcome.refused })
  if ('picture' in outcome) return outcome.picture
  throw new Error('a picture was not read as one')
}

export async function drawnPicture({ pictureReader }: Pick<FilesShop, 'pictureReader'>, task: DrawTask) {
  const outcome = await pictureReader.run(task).catch((error: unknown) => refuse(error))
  if ('drawn' in outcome) return outcome.drawn
  throw new Error('a picture was not drawn')
}

/** The picture may be fine when its process was ended or had no memory. */
function refuse(error: unknown, detail?: string): never {
  if (error instanceof WorkerLimitError && error.limit === 'queue')
    throw fileProblem('uploads.busy', { retryAfter: 5 })
  if (error instanceof WorkerLimitError || error instanceof WorkerCrashError)
    throw fileProblem('pictures.too_slow', { retryAfter: 5, ...(detail && { detail }), cause: error })
  throw error
}

/** Gives the picture to its owner. One without an owner is deleted a day later. */
type Assign = (tx: Transaction, picture: Picture) => Promise<void>

export async function addPicture(
  { db, storage, pictureReader }: FilesShop,
  source: string | Uint8Array,
  assign: Assign,
): Promise<AddedPicture> {
  const { width, height, colors, files } = await readRenditions({ pictureReader }, source)
  const picture = { id: uuidv7(), width, height }
  const paths = files.map(({ name }) => fileOf(picture.id, name))
  await insertUnsettled(db, paths)
  for (const { name, bytes } of files) await storage.write(fileOf(picture.id, name), bytes)
  await db.transaction(async (tx) => {
    await tx.insert(pictures).values({ ...picture, renditions: files.map(({ name }) => name) })
    await assign(tx, picture)
    await deleteUnsettled(tx, paths)
  })
  return { ...picture, colors }
}

export async function importPicture(
  services: FilesShop,
  upload_id: string,
  assign: Assign,
): Promise<AddedPicture> {
  return takeUpload(services.uploads, upload_id, ({ path }) => addPicture(services, path, assign))
}

export function uploadPicture(services: FilesShop, actor: Actor, upload_id: string): Promise<AddedPicture> {
  return importPicture(services, upload_id, (tx, { id: subject_id, width, height }) => {
    const subject = `${width} × ${height} pixels`
    return recordAuditEvent(tx, actor, { action: 'pictures.added', subject, subject_id })
  })
}

/** Protects pictures from the sweep until the transaction that refers to them ends. */
export async function lockPictures(tx: Transaction, ids: readonly string[]): Promise<void> {
  const uniqueIds = [...new Set(ids)]
  if (uniqueIds.length === 0) return
  const { id } = pictures
  // The order is that in which sweepPictures locks them.
  const locked = await tx
    .select({ id })
    .from(pictures)
    .where(inArray(id, uniqueIds))
    .orderBy(id)
    .for('key share')
  if (locked.length < uniqueIds.length) throw fileProblem('pictures.not_found')
}

/** An SVG is always the notice on the legal guarantee (notice-picture.ts). */
const mediaTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

export async function openPicture({ storage }: Pick<FilesShop, 'storage'>, id: string, rendition: string) {
  const mediaType = mediaTypes[/^[a-z0-9-]+\.(\w+)$/.exec(rendition)?.[1] ?? '']
  if (!mediaType || !z.uuid().safeParse(id).success) throw platformProblem('request.not_found')
  const path = fileOf(id.toLowerCase(), rendition)
  const file = await storage.stat(path)
  if (!file) throw platformProblem('request.not_found')
  return { ...file, path, mediaType }
}

export function fileOf(id: string, rendition: string) {
  return `pictures/${id}/${rendition}`
}

const unusedMs = dayMs

/** Joined to, so that each document is read once, not once for each picture. */
const withUsed = (usedIds: SQL) => sql`with used as materialized (${usedIds})`
const isUsed = sql`exists (select from used where used.id = pictures.id::text)`
const removedRow = z.object({ id: z.uuid(), renditions: z.array(z.string()) })

/**
 * Deletes pictures after a day without use: until then a document may be saved, or brought back, that has them. `usedIds`
 * is a query of the ids in use, as texts in the column `id`.
 */
export async function sweepPictures({ db, clock }: FilesShop, usedIds: SQL): Promise<void> {
  const now = clock()
  const old = new Date(now.getTime() - unusedMs).toISOString()
  await db.execute(sql`
    ${withUsed(usedIds)}
    update pictures set unused_since = case when ${isUsed} then null else ${now.toISOString()}::timestamptz end
    where (unused_since is null) <> ${isUsed}`)
  await db.transaction(async (tx) => {
    // Waits for transactions that lock a picture; only a later statement sees what they have saved.
    const lock = sql`select id from pictures where unused_since < ${old} order by id for update`
    const locked = (await queryAll(tx, z.object({ id: z.uuid() }), lock)).map(({ id }) => id)
    const remove = sql`
      ${withUsed(usedIds)}
      delete from pictures where id = any(${sql.param(locked)}::uuid[]) and not ${isUsed} returning id, renditions`
    const removed = await queryAll(tx, removedRow, remove)
    await insertUnsettled(
      tx,
      removed.flatMap(({ id, renditions }) => renditions.map((name) => fileOf(id, name))),
    )
  })
}
