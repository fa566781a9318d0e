// The operations of a store of files. Names are the shop’s ("ebooks/…"), never a visitor’s.
import type { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'

export type StoredFile = {
  size: number
  /** Strong: a stored file never changes. */
  etag: string
  modified: Date
}

export type ByteRange = { start: number; end: number }

/** Throws a StorageUnavailableError where there was no usable response in time. */
export type Storage = {
  /** A name is never seen with half its bytes. */
  write(name: string, content: Readable | Uint8Array): Promise<void>
  stat(name: string): Promise<StoredFile | undefined>
  /** `chunkBytes`, of a folder: larger chunks are faster and take more memory. */
  read(name: string, range?: ByteRange, chunkBytes?: number): Promise<Readable>
  remove(name: string): Promise<void>
  list(folder: string, signal?: AbortSignal): AsyncIterable<string>
}

export class StorageUnavailableError extends Error {}

export function storedFile(size: number, modified: Date): StoredFile {
  const etag = `"${size.toString(36)}-${modified.getTime().toString(36)}"`
  return { size, etag, modified }
}

type Expected = { name: string; size: number; sha256: string }

export async function isIntact(storage: Storage, { name, size, sha256 }: Expected): Promise<boolean> {
  if ((await storage.stat(name))?.size !== size) return false
  return (await hashContent(storage, name)) === sha256
}

/** Returns the SHA-256 in hexadecimal. */
export async function hashContent(storage: Storage, name: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(await storage.read(name), hash)
  return hash.digest('hex')
}

export function storedName(now: Date, title: string, extension: string): string {
  return `ebooks/${now.getTime()}-${title.replaceAll(/[^a-zA-Z0-9]/g, '-')}.${extension}`
}
