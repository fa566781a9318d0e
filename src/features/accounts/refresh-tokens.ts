// Refresh tokens: a session, how often it was renewed, and our mark on both. Nothing that the database keeps is one.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '#platform/secret.ts'

type Renewable = { id: string; counter: number; salt: Buffer }

export type RefreshTokens = {
  /** 75 characters: base64url of session id (16) · counter (8) · HMAC-SHA256 of both and the session's salt (32). */
  write(session: Renewable): string
  /** Undefined for what cannot be one. What it claims is true only if `isGenuine`. */
  read(token: string): { session_id: string; counter: number; isGenuine(salt: Buffer): boolean } | undefined
}

export function createRefreshTokens(secret: Secret): RefreshTokens {
  const key = secret.key('refresh tokens')
  const mark = (head: Buffer, salt: Buffer) => createHmac('sha256', key).update(head).update(salt).digest()

  return {
    write({ id, counter, salt }) {
      const head = Buffer.alloc(24)
      head.write(id.replaceAll('-', ''), 'hex')
      head.writeBigUInt64BE(BigInt(counter), 16)
      return Buffer.concat([head, mark(head, salt)]).toString('base64url')
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (token.length !== 75 || bytes.length !== 56) return undefined
      const head = bytes.subarray(0, 24)
      return {
        session_id: head.toString('hex', 0, 16),
        counter: Number(head.readBigUInt64BE(16)),
        isGenuine: (salt) => timingSafeEqual(mark(head, salt), bytes.subarray(24)),
      }
    },
  }
}
