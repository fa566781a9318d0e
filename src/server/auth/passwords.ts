// Hashing and checking passwords with argon2id, never more at once than the machine can bear.
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createHashingQueue } from './hashing-queue.ts'

/** OWASP's second choice: 19 MiB, two passes, one lane. The package's algorithm is argon2id unless told otherwise. */
export const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One core stays free for everything else. */
export const hashers = Math.max(1, availableParallelism() - 1)

export type Passwords = {
  hash(password: string): Promise<string>
  /** Takes as long for an account that does not exist, or has no password, as for any other. */
  isRight(password: string, password_hash: string | null | undefined): Promise<boolean>
}

/** Both throw auth.request_timeout when too many wait. */
export function createPasswords(): Passwords {
  const inTurn = createHashingQueue({ running: hashers, waiting: 64 })
  const base64 = (size: number) => randomBytes(size).toString('base64').replaceAll('=', '')
  const nobodys = `$argon2id$v=19$m=${argon2id.memoryCost},t=${argon2id.timeCost},p=1$${base64(16)}$${base64(32)}`

  return {
    hash: (password) => inTurn(() => hash(password, argon2id)),
    isRight: (password, password_hash) => inTurn(() => verify(password_hash ?? nobodys, password)),
  }
}
