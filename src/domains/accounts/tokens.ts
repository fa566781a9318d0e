// Access tokens (ES256, 15 minutes) say which session calls; its rights are read from the database at each call.
// Refresh tokens are a session, a counter and a MAC over both. Nothing that the database stores is a token.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { accountProblem } from './accounts.ts'
import { signing_keys, type Amr } from '#tables/accounts.ts'
import { v7 as uuidv7 } from 'uuid'
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
import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import type { Services } from '#platform/services.ts'
import { lockSecret, seal, unseal } from '#platform/secrets.ts'
import { errorCode } from '#platform/errors.ts'
import { maxDays } from './sessions.ts'

type SigningKey = { kid: string; public_jwk: JWK; key: CryptoKey }

type SigningKeys = {
  signer(): Promise<SigningKey>
  verifier: JWTVerifyGetKey
  publicKeys(): Promise<JSONWebKeySet>
}

export function openSigningKeys({
  db,
  secret,
  clock,
}: Pick<Services, 'db' | 'secret' | 'clock'>): SigningKeys {
  let stored: Promise<SigningKey> | undefined
  const signer = () =>
    (stored ??= readKey(db, secret, clock()).catch((error: unknown) => {
      stored = undefined
      throw error
    }))
  const publicKeys = async () => ({ keys: [(await signer()).public_jwk] })
  return {
    signer,
    verifier: async (header, token) => createLocalJWKSet(await publicKeys())(header, token),
    publicKeys,
  }
}

/** The shop's one key, made where there is none. */
async function readKey(db: Db, secret: Secret, now: Date): Promise<SigningKey> {
  return db.transaction(async (tx) => {
    await lockSecret(tx, secret)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('auth.signing_keys'))`)
    const [stored] = await tx.select().from(signing_keys)
    const row = stored ?? (await addSigningKey(tx, secret, now))
    return { ...row, key: await openKey(secret, row.private_jwk) }
  })
}

const sealPurpose = 'signing keys'
const privateJwk = z.object({ kty: z.literal('EC') }).catchall(z.string())

async function openKey(secret: Secret, sealed: Buffer): Promise<CryptoKey> {
  const jwk = privateJwk.parse(JSON.parse(unseal(secret.key(sealPurpose), sealed)))
  const key = await importJWK(jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error('the key of access tokens is not one of ES256')
  return key
}

async function addSigningKey(tx: Transaction, secret: Secret, created_at: Date) {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const kid = uuidv7()
  const about = { kid, alg: 'ES256', use: 'sig' }
  const public_jwk = { ...(await exportJWK(pair.publicKey)), ...about }
  const jwk = JSON.stringify({ ...(await exportJWK(pair.privateKey)), ...about })
  const row = { kid, public_jwk, private_jwk: seal(secret.key(sealPurpose), jwk), created_at }
  await tx.insert(signing_keys).values(row)
  return row
}

/** auth-js renews when less than two minutes are left, so it must be well above that. */
export const accessTokenSeconds = 15 * 60

const claims = z.object({ sub: z.uuid(), session_id: z.uuid(), iat: z.number(), exp: z.number() })
type Claims = z.infer<typeof claims>

export type Grant = {
  session: { id: string; aal: 'aal1' | 'aal2'; amr: Amr }
  account: { id: string; email: string; user_metadata: Record<string, unknown> }
}

type AccessTokens = {
  write(grant: Grant): Promise<string>
  read(token: string): Promise<Claims>
  /** Serves signing out only. */
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
  const checked = new Map<string, Claims>()

  async function verify(token: string, clockTolerance: string): Promise<Claims> {
    if (token.length > maxToken) throw accountProblem('auth.bad_jwt')
    // The issuer is not checked: the shop's address may change.
    const options = { audience, algorithms: ['ES256'], currentDate: clock(), clockTolerance }
    try {
      const { payload } = await jwtVerify(token, keys.verifier, options)
      return claims.parse(payload)
    } catch (error) {
      if (isRefused(error)) throw accountProblem('auth.bad_jwt')
      throw error
    }
  }

  return {
    async write({ session, account }) {
      const now = Math.floor(clock().getTime() / 1000)
      const { kid, key } = await keys.signer()
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
      if (cached && cached.exp * 1000 > clock().getTime()) return cached
      const result = await verify(token, '0 s')
      const [oldest] = checked.keys()
      if (oldest !== undefined && checked.size >= remembered) checked.delete(oldest)
      checked.set(token, result)
      return result
    },
    readExpired: (token) => verify(token, `${maxDays} days`),
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof z.ZodError || /^ERR_(JW|JOSE)/.test(errorCode(error) ?? '')
}

type Renewable = { id: string; counter: number; salt: Buffer }

type RefreshTokens = {
  /** 75 characters: base64url of session id (16) · counter (8) · HMAC-SHA256 of both and the session's salt (32). */
  write(session: Renewable): string
  /** Returns claims that are true only if `isGenuine`. */
  read(
    token: string,
  ): { session_id: string; counter: number; isGenuine(session: Renewable): boolean } | undefined
}

export function createRefreshTokens({ secret }: Pick<Services, 'secret'>): RefreshTokens {
  const key = secret.key('refresh tokens')
  const mac = (head: Buffer, salt: Buffer) => createHmac('sha256', key).update(head).update(salt).digest()
  return {
    write({ id, counter, salt }) {
      const head = Buffer.alloc(24)
      head.write(id.replaceAll('-', ''), 'hex')
      head.writeBigUInt64BE(BigInt(counter), 16)
      return Buffer.concat([head, mac(head, salt)]).toString('base64url')
    },
    read(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (token.length !== 75 || bytes.length !== 56) return undefined
      const head = bytes.subarray(0, 24)
      return {
        session_id: head.toString('hex', 0, 16),
        counter: Number(head.readBigUInt64BE(16)),
        isGenuine: ({ salt }) => timingSafeEqual(mac(head, salt), bytes.subarray(24)),
      }
    },
  }
}
