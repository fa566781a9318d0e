// A secret of the shop and the keys derived from it, one for each purpose.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Generation } from './key-rotation.ts'

export type Secret = {
  /** As in AUTH_SECRET. */
  text: string
  /** Derived one way, for nothing but to tell it from others: it opens and signs nothing. */
  fingerprint: Buffer
  /** 32 bytes; another purpose gives unrelated bytes. */
  key(purpose: string): Buffer
}

/** The secrets of a running shop. The database says which one is in force. */
export type Secrets = {
  /** All that this machine has, as of now. */
  known(): Secret[]
  /** Throws an Error in plain words where this machine has no such secret. */
  find(fingerprint: Buffer | undefined): Secret
  /** The one in force and those before it, the newest first, as of at most ten seconds ago. */
  read(): Promise<Generation<Secret>[]>
  /** The one in force when it was last looked up. */
  inForce(): Secret
}

export function secretFrom(text: string): Secret {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', text, '', `lectern ${purpose}`, 32))
  return { text, fingerprint: key('fingerprint'), key }
}

export function sign(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url')
}

export function isSignedBy(key: Buffer, payload: string, signature: string): boolean {
  const expected = Buffer.from(sign(key, payload))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
