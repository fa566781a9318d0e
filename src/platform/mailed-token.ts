// Tokens that are mailed or kept by a browser: the database has their hashes.
import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes in base64url. */
export const newToken = () => randomBytes(32).toString('base64url')

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
