// Whether a stored file has the content that it should have.
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Storage } from './storage.ts'

type Expected = { name: string; size: number; sha256: string }

export async function isIntact(storage: Storage, { name, size, sha256 }: Expected): Promise<boolean> {
  if ((await storage.stat(name))?.size !== size) return false
  const hash = createHash('sha256')
  await pipeline(await storage.read(name), hash)
  return hash.digest('hex') === sha256
}
