// Where the shop keeps files: what every place guarantees. Names are the shop's ("ebooks/…"), never a visitor's.
import type { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'

export type StoredFile = {
  /** Bytes. */
  size: number
  /** Strong: another content never has the same one, for a stored file is never written again. */
  etag: string
  modified: Date
}

/** First and last byte, both included. */
export type ByteRange = { start: number; end: number }

/** Every call throws a StorageUnavailableError where the place gave no usable response in time. */
export type Storage = {
  /** Complete or absent: a name is never seen with half its bytes. */
  write(name: string, content: Readable | Uint8Array): Promise<void>
  /** Undefined when there is no such file. */
  stat(name: string): Promise<StoredFile | undefined>
  /**
   * All bytes, or a stream that fails. `chunkBytes`, of a folder on this machine: more of them at a time are faster, and
   * hold more memory.
   */
  read(name: string, range?: ByteRange, chunkBytes?: number): Promise<Readable>
  remove(name: string): Promise<void>
  /** The names that begin with a folder, as `objects/`, in no order. A `signal` ends calls that are under way. */
  list(folder: string, signal?: AbortSignal): AsyncIterable<string>
}

/** A later attempt may succeed. */
export class StorageUnavailableError extends Error {}

export function storedFile(size: number, modified: Date): StoredFile {
  const etag = `"${size.toString(36)}-${modified.getTime().toString(36)}"`
  return { size, etag, modified }
}

type Expected = { name: string; size: number; sha256: string }

export async function isIntact(storage: Storage, { name, size, sha256 }: Expected): Promise<boolean> {
  if ((await storage.stat(name))?.size !== size) return false
  const hash = createHash('sha256')
  await pipeline(await storage.read(name), hash)
  return hash.digest('hex') === sha256
}

/** "ebooks/{timestamp}-{sanitised title}{extension}". */
export function storedName(now: Date, title: string, extension: string): string {
  return `ebooks/${now.getTime()}-${title.replaceAll(/[^a-zA-Z0-9]/g, '-')}.${extension}`
}
