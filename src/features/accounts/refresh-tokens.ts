// Refresh tokens: a session, how often it was renewed, and a MAC over both. Nothing that the database stores is one.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { leadMs, type Generation } from '#platform/key-rotation.ts'
import { signingKey, type Secret } from '#platform/secret.ts'
import type { Services } from '../../services.ts'

type Renewable = { id: string; counter: number; salt: Buffer }
type Stored = Renewable & { created_at: Date; refreshed_at: Date; previous_refreshed_at: Date | null }

export type RefreshTokens = {
  /** 75 characters: base64url of session id (16) · counter (8) · HMAC-SHA256 of both and the session's salt (32). */
  write(session: Renewable): Promise<string>
  /** Undefined for what cannot be one. What it claims is true only if `isGenuine`. */
  read(
    token: string,
  ): { session_id: string; counter: number; isGenuine(session: Stored): Promise<boolean> } | undefined
}

const purpose = 'refresh tokens'

export function createRefreshTokens(services: Pick<Services, 'secrets' | 'clock'>): RefreshTokens {
  return {
    async write({ id, counter, salt }) {
      const head = Buffer.alloc(24)
      head.write(id.replaceAll('-', ''), 'hex')
      head.writeBigUInt64BE(BigInt(counter), 16)
      return Buffer.concat([head, mac(await signingKey(services, purpose), head, salt)]).toString('base64url')
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (token.length !== 75 || bytes.length !== 56) return undefined
      const head = bytes.subarray(0, 24)
      const counter = Number(head.readBigUInt64BE(16))
      return {
        session_id: head.toString('hex', 0, 16),
        counter,
        async isGenuine(session) {
          const generations = await services.secrets.read()
          return generations.some(
            (generation) =>
              timingSafeEqual(mac(generation.key.key(purpose), head, session.salt), bytes.subarray(24)) &&
              mayHaveWritten(generation, counter, session),
          )
        },
      }
    },
  }
}

function mac(key: Buffer, head: Buffer, salt: Buffer): Buffer {
  return createHmac('sha256', key).update(head).update(salt).digest()
}

/**
 * The last token of a session that began before the secret was replaced is valid until it is renewed, however long that
 * takes: a buyer may come back after weeks. `leadMs` also allows for clocks that differ.
 */
function mayHaveWritten({ replaced_at }: Generation<Secret>, counter: number, session: Stored): boolean {
  if (!replaced_at) return true
  const latest = new Date(replaced_at.getTime() + leadMs)
  if (session.created_at > latest) return false
  // An earlier token than the one before continues no session: as a stolen one, it ends this one.
  if (counter < session.counter - 1) return true
  const issued_at = counter < session.counter ? session.previous_refreshed_at : session.refreshed_at
  return (issued_at ?? session.created_at) <= latest
}
