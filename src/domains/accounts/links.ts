// Six-digit codes in emails. A code opens only in the browser that asked for it, so that nobody confirms what a stranger
// began, and ends after five wrong ones. Its signature is stored, not the code: a hash of six digits is no secret.
import { hourMs, minuteMs } from '#contract/durations.ts'
import { responsesTexts } from '#words/refusals.ts'
import { and, eq, gt, inArray, lt, sql, desc } from 'drizzle-orm'
import { randomInt, createHash, randomBytes } from 'node:crypto'
import { isSignedBy, sign } from '#platform/secret.ts'
import {
  accountProblem,
  isAddress,
  hasBought,
  hasOnlyGifts,
  insertAccount,
  isBanned,
  lockUser,
} from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Device } from './sessions.ts'
import { recordRefusedSignIn } from './limits.ts'
import { endLiving, linkHours } from './mail-limits.ts'
import { isSignUpDisputed } from './disputed-sign-ups.ts'
import { one_time_tokens, users, pending_sign_ups } from '#tables/accounts.ts'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { PermanentFailure } from '#platform/queue.ts'

const codeMinutes = 10
const maxWrongCodes = 5

type TokenType = typeof one_time_tokens.$inferSelect.type

/** A code stands for the link of its mail. */
export type CodeType = Extract<TokenType, 'signup' | 'magiclink'>

export function hasCode(type: TokenType): type is CodeType {
  return type === 'signup' || type === 'magiclink'
}

type CodeSigner = (hash: Buffer, now: Date) => SignedCode
type SignedCode = {
  code: string
  columns: Pick<typeof one_time_tokens.$inferInsert, 'code_signature' | 'code_expires_at'>
}

const purpose = 'mailed codes'

export function openCodeSigner({ secret }: Pick<AccountsContext, 'secret'>): CodeSigner {
  const key = secret.key(purpose)
  return (hash, now) => {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    return {
      code,
      columns: {
        code_signature: sign(key, payloadOf(hash, code)),
        code_expires_at: new Date(now.getTime() + codeMinutes * minuteMs),
      },
    }
  }
}

/** The device's id, as a job's payload holds it. Empty for clients that send none. */
export function deviceKey({ id_hash }: Device): string {
  return id_hash?.toString('base64url') ?? ''
}

type CodeInput = { email: string; code: string; types: CodeType[]; device: Device }

/**
 * The link that the code stands for. The same statement, for the same time, whether or not the address has an account. It
 * counts the try before the comparison, so that tries at the same moment count.
 */
export async function findCoded(
  context: Pick<AccountsContext, 'db' | 'clock' | 'secret' | 'limits'>,
  { email, code, types, device }: CodeInput,
): Promise<{ type: CodeType; hash: Buffer }> {
  const { db, clock, limits, secret } = context
  await limits.code(device.network)
  const now = clock()
  const owner = db.select({ id: users.id }).from(users).where(isAddress(email))
  const tried = await db
    .update(one_time_tokens)
    .set({ code_tries: sql`${one_time_tokens.code_tries} + 1` })
    .where(
      and(
        inArray(one_time_tokens.user_id, owner),
        inArray(one_time_tokens.type, types),
        eq(one_time_tokens.code_device, deviceKey(device)),
        gt(one_time_tokens.code_expires_at, now),
        lt(one_time_tokens.code_tries, maxWrongCodes),
      ),
    )
    .returning({
      type: one_time_tokens.type,
      hash: one_time_tokens.hash,
      signature: one_time_tokens.code_signature,
    })
  for (const { type, hash, signature } of tried) {
    const isRight = isSignedBy(secret.key(purpose), payloadOf(hash, code), signature ?? '')
    if (isRight && hasCode(type)) return { type, hash }
  }
  await recordRefusedSignIn(db, { event: 'sign_in_failed', email, network: device.network }, now)
  throw accountProblem('auth.otp_expired', { detail: responsesTexts.wrongMailedCode })
}

function payloadOf(hash: Buffer, code: string): string {
  return `${hash.toString('base64url')} ${code}`
}

const email = z.string()
const path = z.string().optional()
/** The browser that asked, for the code; none where an admin asked. */
const device = z.string().optional()
/** Set for a link that has to work for longer than usual (mail-limits.ts). */
const hours = z.number().optional()

export const askedLink = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sign_up'), id: z.uuid(), email, path, device }),
  z.object({ kind: z.literal('verify_again'), email, path, device }),
  z.object({ kind: z.enum(['sign_in', 'reauthenticate']), email, path, device, hours }),
  z.object({ kind: z.literal('recovery'), email, path, hours }),
  z.object({ kind: z.literal('invitation'), email, path }),
])
export type AskedLink = z.infer<typeof askedLink>

export type LinkType = typeof one_time_tokens.$inferSelect.type

const signInLinks = ['signup', 'magiclink', 'recovery'] as const
type SignInLink = (typeof signInLinks)[number]
/** GoTrue has one type for both. */
export const addressLinks = ['email_change_current', 'email_change_new'] as const
export const linkTypes = [...signInLinks, ...addressLinks] satisfies LinkType[]

type NewLink<Type = LinkType> = Pick<typeof one_time_tokens.$inferInsert, 'user_id' | 'email'> &
  Partial<Pick<typeof one_time_tokens.$inferInsert, 'password_hash' | 'user_metadata' | 'expires_at'>> & {
    type: Type
  }

/** No code is made without `signCode`. */
type Signing = { signCode?: CodeSigner | undefined; now: Date }

/** The only time that the token and the code themselves are seen. */
export async function makeLink(
  tx: Transaction,
  link: NewLink,
  { signCode, device = '', now }: Signing & { device?: string | undefined },
): Promise<{ token: string; code: string | undefined }> {
  const { token, hash } = newToken()
  const expires_at = new Date(now.getTime() + linkHours[link.type] * hourMs)
  const coded = hasCode(link.type) && { code_device: device }
  const signed = coded ? signCode?.(hash, now) : undefined
  const row = { expires_at, ...link, ...coded, ...signed?.columns, hash, created_at: now }
  await tx.insert(one_time_tokens).values(row)
  return { token, code: signed?.code }
}

function newToken() {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

export const giftLinkDays = 30

/**
 * The token of a link that signs in, without a code and without a browser that asked. Undefined where the account has
 * anything but gifts, which is checked again when the link is used: an email may be passed on, and with it the link.
 */
export async function makeGiftLink(
  tx: Transaction,
  email: string,
  now: Date,
  lifetimeMs: number,
): Promise<string | undefined> {
  const user = await lockUser(tx, isAddress(email))
  if (!user || !(await hasOnlyGifts(tx, user))) return undefined
  const { token, hash } = newToken()
  const expires_at = new Date(now.getTime() + lifetimeMs)
  const link = { user_id: user.id, type: 'magiclink' as const, email: user.email }
  await tx.insert(one_time_tokens).values({ ...link, hash, created_at: now, expires_at })
  return token
}

/** True where `makeGiftLink` makes a link for this address. */
export async function opensAccount(tx: Transaction, email: string): Promise<boolean> {
  const user = await lockUser(tx, isAddress(email))
  return user !== undefined && (await hasOnlyGifts(tx, user))
}

/** Deletes the link. Locks its owner's row first, so that links of one account wait for each other. */
export async function takeLink(tx: Transaction, types: readonly LinkType[], hash: Buffer, now: Date) {
  const owner = tx
    .select({ id: one_time_tokens.user_id })
    .from(one_time_tokens)
    .where(eq(one_time_tokens.hash, hash))
  const user = await lockUser(tx, inArray(users.id, owner))
  const [link] = await tx
    .delete(one_time_tokens)
    .where(
      and(
        eq(one_time_tokens.hash, hash),
        inArray(one_time_tokens.type, types),
        gt(one_time_tokens.expires_at, now),
      ),
    )
    .returning()
  if (!user || !link) throw accountProblem('auth.otp_expired')
  if (isBanned(user, now)) throw accountProblem('auth.user_banned')
  const isOfGift = link.type === 'magiclink' && link.code_device === null
  if (isOfGift && !(await hasOnlyGifts(tx, user))) throw accountProblem('auth.otp_expired')
  await endLiving(tx, link.email, [link.type])
  return { link, user }
}

export async function dropLinks(tx: Transaction, user_id: string, types: readonly LinkType[]): Promise<void> {
  const dropped = await tx
    .delete(one_time_tokens)
    .where(and(eq(one_time_tokens.user_id, user_id), inArray(one_time_tokens.type, types)))
    .returning({ email: one_time_tokens.email, type: one_time_tokens.type })
  for (const { email, type } of dropped) await endLiving(tx, email, [type])
}

/** Leads to a page with a button: mail scanners open links, but press nothing. */
export function linkAddress(
  siteUrl: string,
  type: SignInLink | 'email_change',
  token: string,
  path: string | undefined,
): string {
  const address = new URL('/', siteUrl)
  address.searchParams.set('token_hash', token)
  address.searchParams.set('type', type)
  if (path) address.searchParams.set('redirect_to', path)
  return address.href
}

export function signInAddress(
  siteUrl: string,
  path: string | undefined,
  form: 'sign-in' | 'code' | 'forgot' = 'sign-in',
): string {
  const address = new URL('/auth', siteUrl)
  if (path) address.searchParams.set('next', path)
  // The page may begin with the sign-up in a browser that knows no account.
  address.searchParams.set('form', form)
  return address.href
}

/** Of the page of purchases; who has no password, as a guest, signs in by a code. */
export const purchasesAddress = (
  { has_no_password }: { has_no_password: boolean },
  siteUrl: string,
): string => (has_no_password ? signInAddress(siteUrl, '/dashboard', 'code') : `${siteUrl}/dashboard`)

/** The path of an address of this site; undefined for any other, and for the home page, where links lead anyway. */
export function ownPath(siteUrl: string, address: string | undefined): string | undefined {
  if (!address || address.length > 500 || !URL.canParse(address, siteUrl)) return undefined
  const { origin, pathname, search, hash } = new URL(address, siteUrl)
  const path = pathname + search + hash
  return origin === siteUrl && !path.startsWith('//') && path !== '/' ? path : undefined
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

type MailedLink = {
  type: SignInLink
  hours: number
  email: string
  isConfirmed: boolean
  display_name: string | undefined
  token: string
  code: string | undefined
}

/**
 * Returns the choice of the browser that asks for the mail again: the account's row has that of the latest sign-up, which
 * may be a stranger's. Another browser gets the choice of the only sign-up.
 */
async function findSignUp(
  tx: Transaction,
  { id, email, password_hash, user_metadata }: User,
  { device = '', now }: { device: string | undefined; now: Date },
) {
  const created = await tx
    .select({
      device: one_time_tokens.code_device,
      password_hash: one_time_tokens.password_hash,
      user_metadata: one_time_tokens.user_metadata,
    })
    .from(one_time_tokens)
    .where(and(eq(one_time_tokens.user_id, id), eq(one_time_tokens.type, 'signup')))
    .orderBy(desc(one_time_tokens.created_at))
  // Clients that send no id of their device share one, empty.
  const own = created.find((each) => device !== '' && each.device === device)
  if (own) return { password_hash: own.password_hash, user_metadata: own.user_metadata }
  const isOnly = created.every((each) => each.password_hash === password_hash)
  return isOnly && !(await hasBought(tx, id)) && !(await isSignUpDisputed(tx, email, now))
    ? { password_hash, user_metadata }
    : { password_hash: null, user_metadata: {} }
}

type SignUp = Extract<AskedLink, { kind: 'sign_up' }>
type User = typeof users.$inferSelect

/** `exists`: a sign-up with an address that has an account. `nobody`: there is nothing to send. */
export async function makeAskedLink(
  tx: Transaction,
  request: AskedLink,
  { signCode, now }: Signing,
): Promise<MailedLink | 'exists' | 'nobody'> {
  if (request.kind === 'sign_up') await signUp(tx, request, now)
  const user = await lockUser(tx, isAddress(request.email))
  if (!user) return 'nobody'
  if (request.kind === 'sign_up' && user.email_confirmed_at) return 'exists'
  const link = await linkFor(tx, user, request, now)
  if (!link) return 'nobody'
  const device = 'device' in request ? request.device : undefined
  const hours = ('hours' in request && request.hours) || linkHours[link.type]
  const expires_at = new Date(now.getTime() + hours * hourMs)
  const created = await makeLink(tx, { user_id: user.id, ...link, expires_at }, { signCode, device, now })
  const { display_name } = user.user_metadata
  const isConfirmed = user.email_confirmed_at !== null
  return { type: link.type, hours, email: link.email, isConfirmed, display_name, ...created }
}

async function linkFor(
  tx: Transaction,
  user: User,
  request: AskedLink,
  now: Date,
): Promise<Omit<NewLink<SignInLink>, 'user_id'> | undefined> {
  const { email, email_confirmed_at, password_hash, user_metadata } = user
  if (request.kind === 'recovery' || request.kind === 'invitation') return { type: 'recovery', email }
  if (request.kind === 'sign_in' || request.kind === 'reauthenticate') return { type: 'magiclink', email }
  if (request.kind === 'verify_again')
    return email_confirmed_at
      ? undefined
      : { type: 'signup', email, ...(await findSignUp(tx, user, { device: request.device, now })) }
  return email_confirmed_at ? undefined : { type: 'signup', email, password_hash, user_metadata }
}

/**
 * Password and name of each sign-up are saved with its own link and count when that link is followed: else whoever signs
 * up with a stranger's address first would know the password of the account that the stranger confirms later.
 */
async function signUp(tx: Transaction, { id, email }: SignUp, now: Date): Promise<void> {
  const [pending] = await tx.select().from(pending_sign_ups).where(eq(pending_sign_ups.id, id))
  if (!pending) throw new PermanentFailure('nothing is known any more of this sign-up')
  const { password_hash, user_metadata } = pending
  const account = await insertAccount(tx, {
    id,
    email,
    password_hash,
    user_metadata,
    email_confirmed_at: null,
    now,
  })
  const user = account ? undefined : await lockUser(tx, isAddress(email))
  // The profile's name stays: the account may have purchases, and receipts greet by it.
  if (user && !user.email_confirmed_at)
    await tx.update(users).set({ password_hash, user_metadata, updated_at: now }).where(eq(users.id, user.id))
}

export async function deleteSignUp(db: Db, id: string): Promise<void> {
  await db.delete(pending_sign_ups).where(eq(pending_sign_ups.id, id))
}
