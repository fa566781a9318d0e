import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { findSigner, isVerifying, type Generation } from './key-rotation.ts'

export type Secret = {
  text: string
  /** Derived one way: it opens and signs nothing. */
  fingerprint: Buffer
  key(purpose: string): Buffer
}

/** The database says which one is in force. */
export type Secrets = {
  known(): Secret[]
  find(fingerprint: Buffer | undefined): Secret
  /** The newest first, at most ten seconds old. */
  read(): Promise<Generation<Secret>[]>
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

type WithSecrets = { secrets: Pick<Secrets, 'read'>; clock: () => Date }

export async function signingKey({ secrets, clock }: WithSecrets, purpose: string): Promise<Buffer> {
  return findSigner(await secrets.read(), clock()).key(purpose)
}

/** The secret that has signed `payload`. Whether it could still sign then, `isValidFor` says. */
export async function findSigningSecret(
  { secrets, clock }: WithSecrets,
  purpose: string,
  { payload, signature }: { payload: string; signature: string },
): Promise<Generation<Secret> | undefined> {
  const now = clock()
  return (await secrets.read()).find(
    (generation) =>
      isVerifying(generation, now) && isSignedBy(generation.key.key(purpose), payload, signature),
  )
}
