// Links that a browser follows without a header: signed, short-lived, and only as good as the session, or the token of a
// purchase, that asked for them.
import { z } from 'zod'
import type { SignedInUser } from './http/route.ts'
import { Problem, platformProblem } from './problem.ts'
import { isSignedBy, sign } from './secret.ts'
import type { Services } from './services.ts'

export type LinkHolder = { user_id: string; session_id: string }

export type WithSessions = { auth: { requireSession(holder: LinkHolder): Promise<SignedInUser> } }

/** A link is issued this long before it expires, so no issue time is in it. */
export const linkSeconds = {
  downloads: 15 * 60,
  exports: 5 * 60,
  copies: 5 * 60,
  editions: 5 * 60,
  excerpts: 15 * 60,
  mails: 5 * 60,
  mail_previews: 60 * 60,
  drafts: 60 * 60,
}

export type LinkPurpose = keyof typeof linkSeconds

export const sessionClaim = z.object({ user_id: z.uuid(), session_id: z.uuid(), content: z.unknown() })
/** `access`: the hash of the token that opens the purchase, in hexadecimal. */
export const accessClaim = z.object({ purchase_id: z.uuid(), access: z.string(), content: z.unknown() })
const signedClaim = z.looseObject({ expires: z.number() })

export type AccessHolder = Pick<z.infer<typeof accessClaim>, 'purchase_id' | 'access'>

/** One segment of a path. */
export function writeLink(
  services: Pick<Services, 'secret' | 'clock'>,
  purpose: LinkPurpose,
  holder: LinkHolder | AccessHolder,
  content: unknown,
): string {
  const own =
    'access' in holder
      ? { purchase_id: holder.purchase_id, access: holder.access }
      : { user_id: holder.user_id, session_id: holder.session_id }
  return signLink(services, purpose, { ...own, content })
}

/** A link that whoever has it may follow. */
export function signLink(
  services: Pick<Services, 'secret' | 'clock'>,
  purpose: LinkPurpose,
  claim: object,
): string {
  const expires = services.clock().getTime() + linkSeconds[purpose] * 1000
  const payload = Buffer.from(JSON.stringify({ ...claim, expires })).toString('base64url')
  return `${payload}.${sign(services.secret.key(purpose), payload)}`
}

/** Returns what the link was written with. Throws request.not_found and downloads.link_expired. */
export function readClaim<Claim extends z.ZodType>(
  services: Pick<Services, 'secret' | 'clock'>,
  purpose: LinkPurpose,
  token: string,
  schema: Claim,
): z.output<Claim> {
  const claim = readSigned(services, purpose, token)
  if (claim.expires < services.clock().getTime()) throw platformProblem('downloads.link_expired')
  return schema.parse(claim)
}

/** Also of a link that has expired. Throws request.not_found. */
export function readSigned({ secret }: Pick<Services, 'secret'>, purpose: LinkPurpose, token: string) {
  const [payload = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSignedBy(secret.key(purpose), payload, signature))
    throw platformProblem('request.not_found')
  return signedClaim.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
}

/** The holder as of now. Asked at every request, the continuation of a broken one too. */
export async function requireHolder(
  { auth }: WithSessions,
  { user_id, session_id }: LinkHolder,
): Promise<SignedInUser> {
  return auth.requireSession({ user_id, session_id }).catch((error: unknown) => {
    const isOver = error instanceof Problem && error.code === 'auth.session_not_found'
    throw isOver ? platformProblem('downloads.session_ended') : error
  })
}

export async function readLink<Content extends z.ZodType>(
  services: Pick<Services, 'secret' | 'clock'> & WithSessions,
  purpose: LinkPurpose,
  token: string,
  schema: Content,
): Promise<{ content: z.output<Content>; holder: SignedInUser }> {
  const { content, ...own } = readClaim(services, purpose, token, sessionClaim)
  const holder = await requireHolder(services, own)
  return { content: schema.parse(content), holder }
}
