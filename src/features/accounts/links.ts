// Links in mails: a random token whose hash is stored; pressed once, within its time.
import { and, eq, gt, inArray } from 'drizzle-orm'
import { createHash, randomBytes } from 'node:crypto'
import type { Transaction } from '#platform/db/client.ts'
import { one_time_tokens, users } from './schema.ts'
import { Problem } from '../../problems.ts'
import { isBanned } from './accounts.ts'

export type LinkType = typeof one_time_tokens.$inferSelect.type

const hour = 3_600_000
const lifetime: Record<LinkType, number> = { signup: 24 * hour, recovery: hour, email_change: 24 * hour }

/** The address that an account asked for, while it may still be confirmed. */
export function addressToCome(
  { new_email, new_email_asked_at }: Pick<typeof users.$inferSelect, 'new_email' | 'new_email_asked_at'>,
  now: Date,
): string | undefined {
  if (!new_email || !new_email_asked_at) return undefined
  return new_email_asked_at.getTime() + lifetime.email_change > now.getTime() ? new_email : undefined
}

export type NewLink = Pick<typeof one_time_tokens.$inferInsert, 'user_id' | 'type' | 'email'> &
  Partial<Pick<typeof one_time_tokens.$inferInsert, 'password_hash' | 'user_metadata'>>

/** The only time that the token itself is seen. */
export async function makeLink(tx: Transaction, link: NewLink, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(now.getTime() + lifetime[link.type])
  await tx.insert(one_time_tokens).values({ ...link, hash: hashOf(token), created_at: now, expires_at })
  return token
}

/** Uses the link up and locks its owner's row. The owner first: of an account's links pressed at once, each waits. */
export async function takeLink(tx: Transaction, type: LinkType, token: string, now: Date) {
  const hash = hashOf(token)
  const owner = tx
    .select({ id: one_time_tokens.user_id })
    .from(one_time_tokens)
    .where(eq(one_time_tokens.hash, hash))
  const [user] = await tx.select().from(users).where(inArray(users.id, owner)).for('update')
  const [link] = await tx
    .delete(one_time_tokens)
    .where(
      and(
        eq(one_time_tokens.hash, hash),
        eq(one_time_tokens.type, type),
        gt(one_time_tokens.expires_at, now),
      ),
    )
    .returning()
  if (!user || !link) throw new Problem('auth.otp_expired')
  if (isBanned(user, now)) throw new Problem('auth.user_banned')
  return { link, user }
}

export async function dropLinks(tx: Transaction, user_id: string, types: LinkType[]): Promise<void> {
  await tx
    .delete(one_time_tokens)
    .where(and(eq(one_time_tokens.user_id, user_id), inArray(one_time_tokens.type, types)))
}

/** Leads to a page with a button: mail scanners open links, but press nothing. */
export function linkAddress(
  siteUrl: string,
  type: LinkType,
  token: string,
  path: string | undefined,
): string {
  const address = new URL('/', siteUrl)
  address.searchParams.set('token_hash', token)
  address.searchParams.set('type', type)
  if (path) address.searchParams.set('redirect_to', path)
  return address.href
}

/** The sign-in, which leads on to `path` afterwards. */
export function signInAddress(siteUrl: string, path: string | undefined): string {
  const address = new URL('/auth', siteUrl)
  if (path) address.searchParams.set('next', path)
  return address.href
}

/** The path of an address of this site; undefined for any other, and for the home page, where links lead anyway. */
export function ownPath(siteUrl: string, address: string | undefined): string | undefined {
  if (!address || address.length > 500 || !URL.canParse(address, siteUrl)) return undefined
  const { origin, pathname, search, hash } = new URL(address, siteUrl)
  const path = pathname + search + hash
  return origin === siteUrl && !path.startsWith('//') && path !== '/' ? path : undefined
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
