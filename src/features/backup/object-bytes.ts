// The bytes of objects as they lie in a place: written with a checksum that the shop stores, and compared with it later.
import type { Readable } from 'node:stream'
import { statusOf } from '#platform/bucket-client.ts'
import { errorCode } from '#platform/error-code.ts'
import { failureReason } from '#platform/failure-reason.ts'
import { StorageUnavailableError, type Storage } from '#platform/storage.ts'
import { connect } from './checked-stream.ts'
import { createMeter, measure } from './content-meter.ts'
import type { ObjectRecord } from './object-record.ts'

export type Comparison = {
  checked: number
  /** Without a stored checksum: written by an earlier version, or before a restore. */
  unchecked: number
  /** In plain words; the next backup writes these objects again. */
  problems: string[]
}

/** The place does not let the shop mend a damaged object. */
export class OverwriteRefused extends Error {}

type Place = { storage: Storage; record: ObjectRecord; /** Checksums are stored. */ isRecorded: boolean }

/** Throws an OverwriteRefused where a damaged object, or one that `isReplaced`, stays as it was. */
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

/** One object after another, without holding any in memory. What is missing or differs is noted as damaged. */
export async function compareBytes(
  { storage, record }: Omit<Place, 'isRecorded'>,
  paths: ReadonlySet<string>,
  onObject: (done: number, total: number) => void,
): Promise<Comparison> {
  const checksums = await record.readChecksums()
  const result: Comparison = { checked: 0, unchecked: 0, problems: [] }
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

/** Undefined where it is missing; throws a StorageUnavailableError where the place does not respond. */
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
