// Devices, sessions and their tokens.
import { createHash, randomBytes, createHmac, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, lt, ne, notInArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isAddress, accountProblem } from './accounts.ts'
import { known_devices, users, mfa_factors, sessions, signing_keys, type Amr } from '#tables/accounts.ts'
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

export type Device = { ip: string; network: string; user_agent: string | null; id_hash: Buffer | undefined }

/** Sessions live at most 90 days, so that every returning user signs in again within this. */
export const rememberedDays = 180
const maxDevices = 20

/** 128 bits or more, as base64url or a UUID; what else comes under the name is no id. */
const deviceId = /^[\w-]{22,64}$/

export function hashDeviceId(id: string | undefined): Buffer | undefined {
  return id && deviceId.test(id) ? createHash('sha256').update(id).digest() : undefined
}

export async function findKnownDevice(
  db: Db,
  email: string,
  { id_hash }: Device,
  now: Date,
): Promise<string | undefined> {
  if (!id_hash) return undefined
  const [row] = await db
    .select({ user_id: users.id })
    .from(known_devices)
    .innerJoin(users, eq(users.id, known_devices.user_id))
    .where(
      and(isAddress(email), eq(known_devices.hash, id_hash), gt(known_devices.last_seen_at, expiry(now))),
    )
  return row && `${row.user_id} ${id_hash.toString('base64url')}`
}

export async function isKnownDevice(
  tx: Transaction,
  user_id: string,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  const isOwn = and(eq(known_devices.user_id, user_id), eq(known_devices.hash, hash))
  return (await tx.$count(known_devices, and(isOwn, gt(known_devices.last_seen_at, expiry(now))))) > 0
}

export async function rememberDevice(
  tx: Transaction,
  user_id: string,
  { id_hash }: Device,
  now: Date,
): Promise<void> {
  if (!id_hash) return
  await tx
    .insert(known_devices)
    .values({ user_id, hash: id_hash, last_seen_at: now })
    .onConflictDoUpdate({
      target: [known_devices.user_id, known_devices.hash],
      set: { last_seen_at: now },
    })
  const isOwn = eq(known_devices.user_id, user_id)
  const newest = tx
    .select({ hash: known_devices.hash })
    .from(known_devices)
    .where(isOwn)
    .orderBy(desc(known_devices.last_seen_at))
    .limit(maxDevices)
  await tx.delete(known_devices).where(and(isOwn, notInArray(known_devices.hash, newest)))
}

/** For a password change or a first factor: an attacker who knew the password may have made other devices known. */
export async function deleteOtherDevices(
  tx: Transaction,
  user_id: string,
  { id_hash }: Partial<Pick<Device, 'id_hash'>>,
): Promise<void> {
  const isOther = id_hash && ne(known_devices.hash, id_hash)
  await tx.delete(known_devices).where(and(eq(known_devices.user_id, user_id), isOther))
}

export async function deleteOldDevices(db: Db, now: Date): Promise<void> {
  await db.delete(known_devices).where(lt(known_devices.last_seen_at, expiry(now)))
}

function expiry(now: Date): Date {
  return new Date(now.getTime() - rememberedDays * 86_400_000)
}

const day = 86_400_000
export const idleDays = 30
export const maxDays = 90

export type Session = Pick<
  typeof sessions.$inferSelect,
  'id' | 'user_id' | 'counter' | 'salt' | 'aal' | 'amr'
>

type Method = 'password' | 'otp' | 'recovery' | 'mfa/webauthn'
export type FactorMethod = 'totp' | 'mfa/webauthn' | 'mfa/recovery_code'

type Opening = {
  user_id: string
  method: Method
  device: Device
  now: Date
  password_hash?: string
}

/** The statement that locks the user's row checks password and ban again: what ends sessions concurrently misses none. */
export async function openSession(
  tx: Transaction,
  { user_id, method, device, now, password_hash }: Opening,
): Promise<Session> {
  const isUnchanged = password_hash === undefined ? undefined : eq(users.password_hash, password_hash)
  const isEnabled = or(isNull(users.banned_until), lte(users.banned_until, now))
  const seen = await tx
    .update(users)
    .set({ last_sign_in_at: now })
    .where(and(eq(users.id, user_id), isUnchanged, isEnabled))
    .returning({ id: users.id })
  if (seen.length === 0) throw accountProblem('auth.invalid_credentials')
  const [session] = await tx
    .insert(sessions)
    .values({
      id: uuidv7(),
      user_id,
      salt: randomBytes(16),
      amr: [{ method, timestamp: Math.floor(now.getTime() / 1000) }],
      proved_at: now,
      ...(method === 'mfa/webauthn' && { aal: 'aal2', factor_proved_at: now }),
      ip: device.ip,
      user_agent: device.user_agent,
      created_at: now,
      refreshed_at: now,
      not_after: new Date(now.getTime() + maxDays * day),
    })
    .returning()
  if (!session) throw new Error('an insert returned no row')
  const isVerified = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.status, 'verified'))
  // Where there is a factor, its code makes the device known (factors.ts): not the password alone.
  if ((await tx.$count(mfa_factors, isVerified)) === 0) await rememberDevice(tx, user_id, device, now)
  return session
}

type Which = { user_id: string; only?: string; except?: string; aal?: 'aal1' }

export async function endSessions(
  db: Db | Transaction,
  { user_id, only, except, aal }: Which,
  revoked_reason: string,
  now: Date,
): Promise<number> {
  const { rowCount } = await db
    .update(sessions)
    .set({ revoked_at: now, revoked_reason })
    .where(
      and(
        eq(sessions.user_id, user_id),
        isNull(sessions.revoked_at),
        only ? eq(sessions.id, only) : undefined,
        except ? ne(sessions.id, except) : undefined,
        aal ? eq(sessions.aal, aal) : undefined,
      ),
    )
  return rowCount ?? 0
}

type Raise = { id: string; method: FactorMethod; isProof: boolean; keepsToken?: boolean }

/**
 * A raised session gets a new refresh token, unless the response has no place for it. Enrolling (`isProof` false) proves
 * nothing. A passkey, which has verified its user, proves as much as a password and a code.
 */
export async function raiseSession(
  tx: Transaction,
  { id, method, isProof, keepsToken = false }: Raise,
  now: Date,
): Promise<Session> {
  const proof = JSON.stringify([{ method, timestamp: Math.floor(now.getTime() / 1000) }])
  const [session] = await tx
    .update(sessions)
    .set({
      aal: 'aal2',
      amr: sql`${sessions.amr} || ${proof}::jsonb`,
      ...(!keepsToken && { counter: sql`${sessions.counter} + 1`, refreshed_at: now }),
      ...(isProof && { factor_proved_at: now }),
      ...(isProof && method === 'mfa/webauthn' && { proved_at: now }),
    })
    .where(and(eq(sessions.id, id), isNull(sessions.revoked_at)))
    .returning()
  if (!session) throw accountProblem('auth.session_not_found')
  return session
}

/** A session that was not renewed since then has ended. */
export const idleSince = (now: Date) => new Date(now.getTime() - idleDays * day)

export function isOver({ not_after, refreshed_at }: typeof sessions.$inferSelect, now: Date): boolean {
  return not_after <= now || refreshed_at <= idleSince(now)
}

// Access tokens (ES256, 15 minutes) say which session calls; its rights are read from the database at each call.
// Refresh tokens are a session, a counter and a MAC over both. Nothing that the database stores is a token.

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

/** The shop's one key, made where there is none. A rotation by 0.1.1 may have left more. */
async function readKey(db: Db, secret: Secret, now: Date): Promise<SigningKey> {
  return db.transaction(async (tx) => {
    await lockSecret(tx, secret)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('auth.signing_keys'))`)
    const { kid } = signing_keys
    const rows = await tx.select().from(signing_keys).orderBy(desc(signing_keys.created_at), desc(kid))
    const row = rows[0] ?? (await addSigningKey(tx, secret, now))
    await tx.delete(signing_keys).where(ne(kid, row.kid))
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
  /** What it claims is true only if `isGenuine`. */
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
