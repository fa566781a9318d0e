// Access tokens (ES256, 15 minutes) say which session calls; its rights are read from the database at each call.
// Refresh tokens are a session, a counter and a MAC over both. Nothing that the database stores is a token.
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
  SignJWT,
  jwtVerify,
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
import { type Secret, type Secrets, signingKey } from '#platform/secret.ts'
import type { Services } from '#platform/services.ts'
import { signing_keys } from '#tables/accounts.ts'
import { findFingerprint, lockFingerprint, lockSecret, seal, unseal } from '#platform/secrets.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { errorCode } from '#platform/errors.ts'
import { accountProblem } from './problem.ts'
import type { Amr } from '#tables/accounts.ts'
import { maxDays } from './sessions.ts'

type SigningKey = { kid: string; public_jwk: JWK; key: CryptoKey }

type SigningKeys = {
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
      const match = (await read()).generations.find(({ key }) => key.kid === kid)
      return match !== undefined && isValidFor(match, iat * 1000, clock())
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
  const result = await db.transaction(async (tx) => openKeys(tx, secrets.find(await findFingerprint(tx))), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
  if (result.length > 0) return result
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

/** auth-js renews when less than two minutes are left, so it must be well above that. */
export const accessTokenSeconds = 15 * 60

const claims = z.object({ sub: z.uuid(), session_id: z.uuid(), iat: z.number(), exp: z.number() })
type Claims = z.infer<typeof claims>
type Verified = { kid: string | undefined; claims: Claims }

export type Grant = {
  session: { id: string; aal: 'aal1' | 'aal2'; amr: Amr }
  account: { id: string; email: string; user_metadata: Record<string, unknown> }
}

type AccessTokens = {
  write(grant: Grant): Promise<string>
  read(token: string): Promise<Claims>
  /** For signing out only. */
  readExpired(token: string): Promise<Claims>
}

/** Checked tokens are cached until they expire: the signature check costs more than the rest of a call. */
const remembered = 2_000
const maxToken = 8_192

export function createAccessTokens(
  { settings, clock }: Pick<Services, 'settings' | 'clock'>,
  keys: SigningKeys,
): AccessTokens {
  const audience = 'authenticated'
  const checked = new Map<string, Verified>()

  async function verify(token: string, clockTolerance: string): Promise<Verified> {
    if (token.length > maxToken) throw accountProblem('auth.bad_jwt')
    // The issuer is not checked: the shop's address may change.
    const options = { audience, algorithms: ['ES256'], currentDate: clock(), clockTolerance }
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.verifier, options)
      return { kid: protectedHeader.kid, claims: claims.parse(payload) }
    } catch (error) {
      if (isRefused(error)) throw accountProblem('auth.bad_jwt')
      throw error
    }
  }

  /** Asked at every call: the key may have been replaced since the signature was checked. */
  async function requireAccepted({ kid, claims: found }: Verified): Promise<Claims> {
    if (await keys.accepts({ kid, iat: found.iat })) return found
    throw accountProblem('auth.bad_jwt')
  }

  return {
    async write({ session, account }) {
      const signedAt = clock()
      const { kid, key } = await keys.signer(signedAt)
      const now = Math.floor(signedAt.getTime() / 1000)
      const { email, user_metadata } = account
      return new SignJWT({
        session_id: session.id,
        aal: session.aal,
        amr: session.amr,
        email,
        user_metadata,
        role: audience,
      })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuer(`${settings.get().shop.site_url}/auth/v1`)
        .setAudience(audience)
        .setSubject(account.id)
        .setIssuedAt(now)
        .setExpirationTime(now + accessTokenSeconds)
        .sign(key)
    },
    async read(token) {
      const cached = checked.get(token)
      if (cached && cached.claims.exp * 1000 > clock().getTime()) return requireAccepted(cached)
      const result = await verify(token, '0 s')
      const [oldest] = checked.keys()
      if (oldest !== undefined && checked.size >= remembered) checked.delete(oldest)
      checked.set(token, result)
      return requireAccepted(result)
    },
    readExpired: async (token) => requireAccepted(await verify(token, `${maxDays} days`)),
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof z.ZodError || /^ERR_(JW|JOSE)/.test(errorCode(error) ?? '')
}

type Renewable = { id: string; counter: number; salt: Buffer }
type Stored = Renewable & { created_at: Date; refreshed_at: Date; previous_refreshed_at: Date | null }

type RefreshTokens = {
  /** 75 characters: base64url of session id (16) · counter (8) · HMAC-SHA256 of both and the session's salt (32). */
  write(session: Renewable): Promise<string>
  /** What it claims is true only if `isGenuine`. */
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
