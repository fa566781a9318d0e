// Objects of a place that a rehearsal has found damaged: the next backup writes them again, where the place allows it.
import type { Readable } from 'node:stream'
import type { Storage } from '#platform/storage.ts'
import { httpStatus } from '#platform/bucket-client.ts'
import { errorCode, failureReason } from '#platform/errors.ts'
import { connect, createMeter, measure } from './content-sums.ts'

export class OverwriteRefused extends Error {}

export async function overwrite(storage: Storage, path: string, content: Readable): Promise<void> {
  const meter = createMeter()
  try {
    await storage.write(path, connect(content, meter.through))
  } catch (cause) {
    if (isRefusal(cause)) throw refusal(path, failureReason(cause), cause)
    throw cause
  }
  // Some places accept a write and go on serving the object that they had before.
  if ((await measure(await storage.read(path))).sha256 !== meter.result().sha256)
    throw refusal(path, 'it accepts the write and keeps the damaged object')
}

function refusal(path: string, reason: string, cause?: unknown): OverwriteRefused {
  return new OverwriteRefused(
    `The place refuses to overwrite ${path}, which is damaged: ${reason}. Delete that object there or allow the shop to overwrite it, or name a new folder, in BACKUP_URL or under Backups.`,
    { cause },
  )
}

const refusedStatuses = new Set<number | undefined>([403, 405, 409, 412])
const refusedCodes = new Set<string | undefined>(['EPERM', 'EACCES', 'EROFS', 'EEXIST'])

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return refusedStatuses.has(httpStatus(error.cause)) || refusedCodes.has(errorCode(error))
}
