// Links that a browser follows without a header: signed, short-lived, and only as good as the session that asked for them.
import { z } from 'zod'
import type { SignedInUser } from '#platform/http/route.ts'
import { Problem } from '../../problems.ts'
import { isValidFor } from '#platform/key-rotation.ts'
import { findSigningSecret, sign, signingKey } from '#platform/secret.ts'
import type { Services } from '../../services.ts'

export type LinkHolder = { user_id: string; session_id: string }

export type WithSessions = { auth: { requireSession(holder: LinkHolder): Promise<SignedInUser> } }

/** A link is issued this long before it expires, so no issue time is in it. */
export const linkSeconds = { downloads: 15 * 60, exports: 5 * 60, mails: 5 * 60, drafts: 60 * 60 }

export type LinkPurpose = keyof typeof linkSeconds

const claim = z.object({ user_id: z.uuid(), session_id: z.uuid(), expires: z.number(), content: z.unknown() })

/** One segment of a path. */
export async function writeLink(
  services: Pick<Services, 'secrets' | 'clock'>,
  purpose: LinkPurpose,
  { user_id, session_id }: LinkHolder,
  content: unknown,
): Promise<string> {
  const made: z.input<typeof claim> = {
    user_id,
    session_id,
    expires: services.clock().getTime() + linkSeconds[purpose] * 1000,
    content,
  }
  const payload = Buffer.from(JSON.stringify(made)).toString('base64url')
  return `${payload}.${sign(await signingKey(services, purpose), payload)}`
}

/**
 * What the link was written with, and its holder as of now. Asked at every request, the continuation of a broken one
 * too.
 */
export async function readLink<Content extends z.ZodType>(
  services: Pick<Services, 'secrets' | 'clock'> & WithSessions,
  purpose: LinkPurpose,
  token: string,
  schema: Content,
): Promise<{ content: z.output<Content>; holder: SignedInUser }> {
  const [payload = '', signature = '', ...rest] = token.split('.')
  const secret = await findSigningSecret(services, purpose, { payload, signature })
  if (rest.length > 0 || !secret) throw new Problem('request.not_found')
  const { expires, content, user_id, session_id } = claim.parse(
    JSON.parse(Buffer.from(payload, 'base64url').toString()),
  )
  const now = services.clock()
  if (!isValidFor(secret, expires - linkSeconds[purpose] * 1000, now)) throw new Problem('request.not_found')
  if (expires < now.getTime()) throw new Problem('downloads.link_expired')
  const holder = await services.auth.requireSession({ user_id, session_id }).catch((error: unknown) => {
    const isOver = error instanceof Problem && error.code === 'auth.session_not_found'
    throw isOver ? new Problem('downloads.session_ended') : error
  })
  return { content: schema.parse(content), holder }
}
