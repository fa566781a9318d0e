import { desc, inArray, sql } from 'drizzle-orm'
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import {
  freshCopy,
  findSigner,
  isValidFor,
  isVerifying,
  leadMs,
  type Generation,
} from '#platform/key-rotation.ts'
import type { Secret, Secrets } from '#platform/secret.ts'
import type { Services } from '#platform/services.ts'
import { signing_keys } from '#tables/secrets.ts'
import { findFingerprint, lockFingerprint, lockSecret, seal, unseal } from '#platform/secrets.ts'

type SigningKey = { kid: string; public_jwk: JWK; key: CryptoKey }

export type SigningKeys = {
  signer(now: Date): Promise<SigningKey>
  verifier: JWTVerifyGetKey
  /** Whether the key may have signed at `iat` (seconds since 1970), and still verifies. */
  accepts(signed: { kid: string | undefined; iat: number }): Promise<boolean>
  publicKeys(): Promise<JSONWebKeySet>
}

export function openSigningKeys({
  db,
  secrets,
  clock,
}: Pick<Services, 'db' | 'secrets' | 'clock'>): SigningKeys {
  const read = freshCopy(async () => {
    const generations = await readKeys(db, secrets, clock())
    const jwks = { keys: generations.map(({ key }) => key.public_jwk) }
    return { generations, find: createLocalJWKSet(jwks) }
  }, clock)

  return {
    signer: async (now) => findSigner((await read()).generations, now),
    verifier: async (header, token) => (await read()).find(header, token),
    async accepts({ kid, iat }) {
      const found = (await read()).generations.find(({ key }) => key.kid === kid)
      return found !== undefined && isValidFor(found, iat * 1000, clock())
    },
    async publicKeys() {
      const { generations } = await read()
      const verifying = generations.filter((generation) => isVerifying(generation, clock()))
      return { keys: verifying.map(({ key }) => key.public_jwk) }
    },
  }
}

async function readKeys(db: Db, secrets: Secrets, now: Date): Promise<Generation<SigningKey>[]> {
  // One snapshot, without a lock: a rotation that seals many factors anew must not keep callers waiting.
  const found = await db.transaction(async (tx) => openKeys(tx, secrets.find(await findFingerprint(tx))), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
  if (found.length > 0) return found
  return db.transaction(async (tx) => {
    const secret = await lockSecret(tx, secrets)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('auth.signing_keys'))`)
    if ((await openKeys(tx, secret)).length === 0) await addSigningKey(tx, secret, now)
    return openKeys(tx, secret)
  })
}

/** A key that was sealed with a secret that is given up is no key any more. */
async function openKeys(tx: Transaction, secret: Secret): Promise<Generation<SigningKey>[]> {
  const sealKey = secret.key('signing keys')
  const generations: Generation<SigningKey>[] = []
  let replaced_at: Date | undefined
  for (const { kid, public_jwk, private_jwk, created_at } of await listKeys(tx)) {
    const key = await openKey(sealKey, private_jwk)
    if (!key) continue
    generations.push({ key: { kid, public_jwk, key }, replaced_at })
    replaced_at = new Date(created_at.getTime() + leadMs)
  }
  return generations
}

function listKeys(tx: Transaction) {
  return tx.select().from(signing_keys).orderBy(desc(signing_keys.created_at), desc(signing_keys.kid))
}

const privateJwk = z.object({ kty: z.literal('EC') }).catchall(z.string())

async function openKey(sealKey: Buffer, sealed: Buffer): Promise<CryptoKey | undefined> {
  try {
    const key = await importJWK(privateJwk.parse(JSON.parse(unseal(sealKey, sealed))), 'ES256')
    return key instanceof Uint8Array ? undefined : key
  } catch {
    return undefined
  }
}

/** Signs from `leadMs` after `now` on, or at once if it is the only one. */
export async function addSigningKey(tx: Transaction, secret: Secret, now: Date): Promise<void> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const kid = uuidv7()
  const about = { kid, alg: 'ES256', use: 'sig' }
  const private_jwk = JSON.stringify({ ...(await exportJWK(pair.privateKey)), ...about })
  await tx.insert(signing_keys).values({
    kid,
    public_jwk: { ...(await exportJWK(pair.publicKey)), ...about },
    private_jwk: seal(secret.key('signing keys'), private_jwk),
    created_at: now,
  })
}

export async function rotateSigningKey({
  db,
  secrets,
  clock,
}: Pick<Services, 'db' | 'secrets' | 'clock'>): Promise<void> {
  await db.transaction(async (tx) => {
    await addSigningKey(tx, await lockSecret(tx, secrets), clock())
  })
}

export async function deleteOldKeys(db: Db, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await lockFingerprint(tx, 'share')
    const keys = await listKeys(tx)
    const old = keys.filter((_, nth) => {
      const next = keys[nth - 1]
      const replaced_at = next && new Date(next.created_at.getTime() + leadMs)
      return !isVerifying({ key: undefined, replaced_at }, now)
    })
    const kids = old.map(({ kid }) => kid)
    if (kids.length > 0) await tx.delete(signing_keys).where(inArray(signing_keys.kid, kids))
  })
}
