// Recovery codes: ten, shown once, each of which takes the place of a second factor once.
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, ne } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import { accountProblem, audit } from './accounts.ts'
import { accountMailJob } from './account.emails.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Device, Session } from './sessions.ts'
import { proveFactor } from './factor-proof.ts'
import {
  comparePassword,
  lockCaller,
  lockProvenCaller,
  recentMs,
  requireRecentProof,
} from './recent-proof.ts'
import { mfa_factors, recovery_codes } from '#tables/accounts.ts'

const total = 10
const length = 16
/** 32 characters that cannot be taken for one another. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'
const type = 'recovery_code' as const

type Wish = { friendly_name?: string | undefined; current_password?: string | undefined }

export async function readRecoveryCodes({ db }: Pick<AccountsContext, 'db'>, { id: user_id }: SignedInUser) {
  const { id } = await findCodes(db, user_id)
  const remaining = await db.$count(recovery_codes, eq(recovery_codes.factor_id, id))
  return { id, type, total, remaining }
}

/** The only response that holds the codes. */
export async function makeRecoveryCodes(
  context: AccountsContext,
  caller: SignedInUser,
  { friendly_name = 'Recovery codes', current_password }: Wish,
  { network }: Device,
) {
  const { db, clock } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const now = clock()
  return db.transaction(async (tx) => {
    const { id: user_id, email } = await lockEnrolled(tx, caller, password_hash, now)
    const own = await tx.select().from(mfa_factors).where(eq(mfa_factors.user_id, user_id))
    if (own.some(({ factor_type }) => factor_type === type)) {
      throw accountProblem('auth.mfa_verified_factor_exists')
    }
    if (own.some((factor) => factor.friendly_name === friendly_name)) {
      throw accountProblem('auth.mfa_factor_name_conflict')
    }
    const id = uuidv7()
    const times = { created_at: now, updated_at: now }
    await tx
      .insert(mfa_factors)
      .values({ id, user_id, friendly_name, factor_type: type, status: 'verified', ...times })
    return insertCodes(tx, context, { id, friendly_name, user_id, email }, now)
  })
}

export async function replaceRecoveryCodes(
  context: AccountsContext,
  caller: SignedInUser,
  { current_password }: Wish,
  { network }: Device,
) {
  const { db, clock } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const now = clock()
  return db.transaction(async (tx) => {
    const { id: user_id, email } = await lockProvenCaller(tx, caller, password_hash, now)
    const { id, friendly_name } = await findCodes(tx, user_id)
    await tx.delete(recovery_codes).where(eq(recovery_codes.factor_id, id))
    return insertCodes(tx, context, { id, friendly_name, user_id, email }, now)
  })
}

export async function removeRecoveryCodes(
  context: AccountsContext,
  caller: SignedInUser,
  { current_password }: Wish,
  { network }: Device,
) {
  const { db, clock } = context
  const password_hash = await comparePassword(context, { user_id: caller.id, network }, current_password)
  const now = clock()
  return db.transaction(async (tx) => {
    const { id: user_id } = await lockProvenCaller(tx, caller, password_hash, now)
    const { id } = await findCodes(tx, user_id)
    await tx.delete(mfa_factors).where(eq(mfa_factors.id, id))
    await audit(tx, { user_id, event: 'factor_removed', detail: { factor_id: id } }, now)
    return { id }
  })
}

export function giveRecoveryCode(
  context: AccountsContext,
  caller: SignedInUser,
  code: string,
  device: Device,
): Promise<Session> {
  return proveFactor(context, caller, device, async (tx, { user }, now) => {
    const { id: user_id, email } = user
    const codes = await findOwnCodes(tx, user_id)
    if (!codes) return 'wrong'
    const isOwn = eq(recovery_codes.factor_id, codes.id)
    const isGiven = and(isOwn, eq(recovery_codes.hash, hash(codes.id, code)))
    const used = await tx.delete(recovery_codes).where(isGiven).returning({ hash: recovery_codes.hash })
    if (used.length === 0) return 'wrong'
    const left = await tx.$count(recovery_codes, isOwn)
    await audit(tx, { user_id, event: 'recovery_code_used', ip: device.ip, detail: { left } }, now)
    await context.queue.enqueue(tx, accountMailJob, { kind: 'recovery_code_used', email, left })
    return { method: 'mfa/recovery_code', isProof: true }
  })
}

/** Right after the first factor its enrolment is proof enough: only then do codes come with it in one go. */
async function lockEnrolled(
  tx: Transaction,
  caller: SignedInUser,
  password_hash: string | undefined,
  now: Date,
) {
  const isOwn = and(eq(mfa_factors.user_id, caller.id), eq(mfa_factors.status, 'verified'))
  const isNew = gt(mfa_factors.created_at, new Date(now.getTime() - recentMs))
  const { user, proofs } = await lockCaller(tx, caller, now)
  const all = await tx.$count(mfa_factors, isOwn)
  if (all === 0) throw accountProblem('auth.mfa_recovery_codes_sole_factor')
  const isFirst = (await tx.$count(mfa_factors, and(isOwn, isNew))) === all
  if (!isFirst) return lockProvenCaller(tx, caller, password_hash, now)
  if (password_hash !== undefined && user.password_hash !== password_hash) {
    throw accountProblem('auth.invalid_credentials')
  }
  requireRecentProof({ ...proofs, factor_proved_at: now }, now, password_hash !== undefined)
  return user
}

type Codes = { id: string; friendly_name: string | null; user_id: string; email: string }

async function insertCodes(
  tx: Transaction,
  { queue }: Pick<AccountsContext, 'queue'>,
  { id, friendly_name, user_id, email }: Codes,
  now: Date,
) {
  const codes = Array.from({ length: total }, makeCode)
  await tx.insert(recovery_codes).values(codes.map((code) => ({ factor_id: id, hash: hash(id, code) })))
  await audit(tx, { user_id, event: 'recovery_codes_made' }, now)
  await queue.enqueue(tx, accountMailJob, { kind: 'recovery_codes_made', email })
  return { id, type, friendly_name: friendly_name ?? '', total, codes }
}

function makeCode(): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}

/** Codes are compared without regard to letter case. `typedCode` has removed spaces and hyphens. */
function hash(factor_id: string, code: string): Buffer {
  return createHash('sha256').update(`${factor_id} ${code.toLowerCase()}`).digest()
}

async function findOwnCodes(db: Db | Transaction, user_id: string) {
  const isOwn = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.factor_type, type))
  const [codes] = await db.select().from(mfa_factors).where(isOwn)
  return codes
}

async function findCodes(db: Db | Transaction, user_id: string) {
  const codes = await findOwnCodes(db, user_id)
  if (!codes) throw accountProblem('auth.mfa_factor_not_found')
  return codes
}

/** Recovery codes stand in for a factor: they end with the last of the others. */
export async function countFactors(tx: Transaction, user_id: string): Promise<number> {
  const isVerified = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.status, 'verified'))
  return tx.$count(mfa_factors, and(isVerified, ne(mfa_factors.factor_type, type)))
}

export async function deleteRecoveryCodes(tx: Transaction, user_id: string): Promise<void> {
  const isOwn = and(eq(mfa_factors.user_id, user_id), eq(mfa_factors.factor_type, type))
  await tx.delete(mfa_factors).where(isOwn)
}
