// Hashing and checking passwords with argon2id, never more at once than the machine can bear.
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { argon2id } from './argon2id.ts'
import { openHashing } from './hashing.ts'

/** One core stays free for everything else. */
const hashers = Math.max(1, availableParallelism() - 1)

export type Passwords = {
  hash(password: string): Promise<string>
  /** Takes as long for an account that does not exist, or has no password, as for any other. */
  isRight(password: string, password_hash: string | null | undefined): Promise<boolean>
}

/** Both throw auth.request_timeout when too many wait. */
export function createPasswords(): Passwords {
  const hashing = openHashing({ threads: hashers, maxQueued: 64 })
  const base64 = (size: number) => randomBytes(size).toString('base64').replaceAll('=', '')
  const { memoryCost, timeCost, parallelism } = argon2id
  const unknownHash = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(16)}$${base64(32)}`

  return {
    hash: async (password) => String(await hashing({ password })),
    isRight: async (password, password_hash) =>
      (await hashing({ password, password_hash: password_hash ?? unknownHash })) === true,
  }
}
