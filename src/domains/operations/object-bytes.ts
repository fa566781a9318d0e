import { type Readable, PassThrough, Transform } from 'node:stream'
import { statusOf } from '#platform/bucket-client.ts'
import { errorCode, failureReason } from '#platform/errors.ts'
import { StorageUnavailableError, type Storage } from '#platform/storage.ts'
import { and, eq } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { backup_objects } from '#tables/backup.ts'
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'

export class OverwriteRefused extends Error {}

type Place = { storage: Storage; record: ObjectRecord; /** Checksums are stored. */ isRecorded: boolean }

export async function writeBytes(
  { storage, record, isRecorded }: Place,
  path: string,
  bytes: Readable,
  isReplaced = false,
): Promise<void> {
  const wasDamaged = record.isDamaged(path)
  const overwrites = wasDamaged || isReplaced
  const meter = createMeter()
  try {
    await storage.write(path, connect(bytes, meter.through))
  } catch (cause) {
    if (overwrites && isRefusal(cause)) throw refusal(path, failureReason(cause), cause)
    throw cause
  }
  const { sha256, size } = meter.result()
  // Some places accept a write and go on serving the object that they had before.
  if (overwrites && (await measure(await storage.read(path))).sha256 !== sha256)
    throw refusal(path, 'it accepts the write and keeps the damaged object')
  if (isRecorded) await record.addChecksum(path, { sha256, size })
  else if (wasDamaged) await record.remove(path)
}

function refusal(path: string, reason: string, cause?: unknown): OverwriteRefused {
  return new OverwriteRefused(
    `The place refuses to overwrite ${path}, which is damaged: ${reason}. Delete that object there or allow the shop to overwrite it, or set BACKUP_URL to a new folder.`,
    { cause },
  )
}

const refusedStatuses = new Set<number | undefined>([403, 405, 409, 412])
const refusedCodes = new Set<string | undefined>(['EPERM', 'EACCES', 'EROFS', 'EEXIST'])

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return refusedStatuses.has(statusOf(error.cause)) || refusedCodes.has(errorCode(error))
}

export async function compareBytes(
  { storage, record }: Omit<Place, 'isRecorded'>,
  paths: ReadonlySet<string>,
  onObject: (done: number, total: number) => void,
) {
  const checksums = await record.readChecksums()
  const result = { checked: 0, unchecked: 0, problems: new Array<string>() }
  for (const [nth, path] of [...paths].entries()) {
    onObject(nth, paths.size)
    const expected = checksums.get(path)?.sha256
    const found = await findChecksum(storage, path, expected !== undefined)
    if (found === 'unchecked') result.unchecked += 1
    else result.checked += 1
    if (found === 'unchecked' || found === expected) continue
    await record.addDamage(path)
    result.problems.push(
      found === undefined
        ? `${path} is missing`
        : `${path} is damaged: its bytes are not those that were written`,
    )
  }
  return result
}

async function findChecksum(storage: Storage, path: string, isKnown: boolean): Promise<string | undefined> {
  if (!(await storage.stat(path))) return undefined
  if (!isKnown) return 'unchecked'
  try {
    return (await measure(await storage.read(path))).sha256
  } catch (error) {
    if (error instanceof StorageUnavailableError) throw error
    return failureReason(error)
  }
}

type ObjectChecksum = { sha256: string; size: number }

export type ObjectRecord = Awaited<ReturnType<typeof openObjectRecord>>

export const noRecord: ObjectRecord = {
  isDamaged: () => false,
  isUnchecked: () => false,
  readChecksums: async () => new Map(),
  addChecksum: async () => undefined,
  addDamage: async () => undefined,
  remove: async () => undefined,
}

export async function openObjectRecord(db: Db, place: string) {
  const isOfPlace = eq(backup_objects.place, place)
  const found = await db
    .select({ path: backup_objects.path, sha256: backup_objects.sha256, at: backup_objects.damaged_at })
    .from(backup_objects)
    .where(isOfPlace)
  const damaged = new Set(found.flatMap(({ path, at }) => (at ? [path] : [])))
  const checked = new Set(found.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [path])))

  async function write(path: string, values: Partial<typeof backup_objects.$inferInsert>) {
    await db
      .insert(backup_objects)
      .values({ place, path, ...values })
      .onConflictDoUpdate({ target: [backup_objects.place, backup_objects.path], set: values })
  }

  return {
    isDamaged: (path: string) => damaged.has(path),
    isUnchecked: (path: string) => !checked.has(path),
    async readChecksums() {
      const checksums = new Map<string, ObjectChecksum>()
      for (const { path, sha256, size } of await db.select().from(backup_objects).where(isOfPlace))
        if (sha256 !== null && size !== null) checksums.set(path, { sha256, size })
      return checksums
    },
    async addChecksum(path: string, { sha256, size }: ObjectChecksum) {
      await write(path, { sha256, size, damaged_at: null })
      damaged.delete(path)
      checked.add(path)
    },
    async addDamage(path: string) {
      await write(path, { damaged_at: new Date() })
      damaged.add(path)
    },
    async remove(path: string) {
      await db.delete(backup_objects).where(and(isOfPlace, eq(backup_objects.path, path)))
      damaged.delete(path)
      checked.delete(path)
    },
  }
}

export function checked(content: Readable, sha256: string): Readable {
  const meter = createMeter((found) =>
    found.sha256 === sha256
      ? null
      : new Error(`the object ${sha256} is damaged: its content has the hash ${found.sha256}`),
  )
  return connect(content, meter.through)
}

export async function namingErrors(path: string, open: () => Promise<Readable>): Promise<Readable> {
  const named = (cause: unknown) => new Error(`${path} cannot be read: ${failureReason(cause)}`, { cause })
  try {
    const content = await open()
    const through = new PassThrough()
    content.once('error', (error) => through.destroy(named(error)))
    return connect(content, through)
  } catch (error) {
    throw named(error)
  }
}

/** A failure of either stream destroys the other, and reaches the reader. */
function connect<Through extends Transform>(content: Readable, through: Through): Through {
  pipeline(content, through).catch(() => undefined)
  return through
}

/** `size` in bytes. COPY ends every row with a line feed and escapes those within, so `lines` counts rows. */
export type Content = { sha256: string; size: number; lines: number }

/** `check` is called with what has passed through; its error fails the stream. */
export function createMeter(check?: (found: Content) => Error | null) {
  const hash = createHash('sha256')
  let size = 0
  let lines = 0
  const result = (): Content => ({ sha256: hash.digest('hex'), size, lines })
  function add(chunk: Buffer) {
    hash.update(chunk)
    size += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      add(chunk)
      done(null, chunk)
    },
    flush: (done) => done(check?.(result())),
  })
  return { add, through, result }
}

export async function measure(content: Readable): Promise<Content> {
  const meter = createMeter()
  for await (const chunk of content) meter.add(chunk)
  return meter.result()
}
