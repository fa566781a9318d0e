// The ES256 keys that sign access tokens: made at first use, stored sealed, shared by all processes.
import { desc, sql } from 'drizzle-orm'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { CryptoKey, JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { signing_keys } from './schema.ts'
import type { Services } from '../../services.ts'
import { seal, unseal } from './seal.ts'

export type SigningKeys = {
  /** The newest key signs. */
  signer(): Promise<{ kid: string; key: CryptoKey }>
  /** Finds the public key of any token that a still readable key has signed. */
  verifier: JWTVerifyGetKey
  publicKeys(): Promise<JSONWebKeySet>
}

type Keys = { kid: string; key: CryptoKey; jwks: JSONWebKeySet; find: JWTVerifyGetKey; readAt: number }

/** A key that another process has made is looked for at most this often, whatever tokens strangers send. */
const rereadAfter = 10_000

export function openSigningKeys({
  db,
  secret,
  clock,
}: Pick<Services, 'db' | 'secret' | 'clock'>): SigningKeys {
  const sealKey = secret.key('signing keys')
  let current: Promise<Keys> | undefined

  function keys(): Promise<Keys> {
    current ??= db
      .transaction((tx) => readKeys(tx, sealKey, clock()))
      .catch((error: unknown) => {
        current = undefined
        throw error
      })
    return current
  }

  async function keysWith(kid: string | undefined): Promise<Keys> {
    const cached = await keys()
    const isKnown = cached.jwks.keys.some((jwk) => jwk.kid === kid)
    if (isKnown || clock().getTime() - cached.readAt < rereadAfter) return cached
    current = undefined
    return keys()
  }

  return {
    signer: keys,
    verifier: async (header, token) => (await keysWith(header.kid)).find(header, token),
    publicKeys: async () => (await keys()).jwks,
  }
}

/** A key sealed with another AUTH_SECRET is no key any more: changing the secret is meant to end its tokens. */
async function readKeys(tx: Transaction, sealKey: Buffer, now: Date): Promise<Keys> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('auth.signing_keys'))`)
  const rows = await tx.select().from(signing_keys).orderBy(desc(signing_keys.created_at))
  const readable = rows.flatMap((row) => openKey(row, sealKey))
  const newest = readable[0] ?? (await makeKey(tx, sealKey, now))
  if (readable.length === 0) readable.push(newest)
  const jwks = { keys: readable.map((key) => key.public_jwk) }
  const key = await importJWK(newest.private_jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error('A signing key is an elliptic curve key.')
  return { kid: newest.kid, key, jwks, find: createLocalJWKSet(jwks), readAt: now.getTime() }
}

const privateJwk = z.object({
  kty: z.literal('EC'),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
})

type ReadableKey = { kid: string; public_jwk: JWK; private_jwk: JWK }

function openKey(row: typeof signing_keys.$inferSelect, sealKey: Buffer): ReadableKey[] {
  try {
    const private_jwk = privateJwk.parse(JSON.parse(unseal(sealKey, row.private_jwk)))
    return [{ kid: row.kid, public_jwk: row.public_jwk, private_jwk }]
  } catch {
    return []
  }
}

async function makeKey(tx: Transaction, sealKey: Buffer, now: Date): Promise<ReadableKey> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const kid = uuidv7()
  const about = { kid, alg: 'ES256', use: 'sig' }
  const private_jwk = { ...(await exportJWK(pair.privateKey)), ...about }
  const public_jwk = { ...(await exportJWK(pair.publicKey)), ...about }
  await tx.insert(signing_keys).values({
    kid,
    public_jwk,
    private_jwk: seal(sealKey, JSON.stringify(private_jwk)),
    created_at: now,
  })
  return { kid, public_jwk, private_jwk }
}
