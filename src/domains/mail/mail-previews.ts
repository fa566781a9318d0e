// The preview of an email that an admin is about to send is a page for a frame; the email can also be sent to the admin. It
// is in the signed token, so that what was looked at is what is sent.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { MailPreview } from '#contract/mail/mail-preview.ts'
import type { MailTest } from '#contract/mail/mail-settings.ts'
import type { Actor } from '#platform/audit-log.ts'
import type { Email } from '#platform/mail.ts'
import { platformProblem } from '#platform/problem.ts'
import { readLink, writeLink, type LinkHolder, type WithSessions } from '#platform/signed-links.ts'
import type { MailBranding } from './email-layout.ts'
import { sendTrial } from './mail-trial.ts'
import type { MailShop } from './shop.ts'

const previewed = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  replyTo: z.string().optional(),
})
type Previewed = z.output<typeof previewed>

/** `compose` makes it as the job does that sends it, with links that open nothing. */
export async function previewEmail(
  shop: MailShop,
  { id: user_id, session_id }: { id: string; session_id: string },
  compose: (branding: MailBranding) => Promise<Omit<Email, 'to'>>,
): Promise<MailPreview> {
  const { subject, html, text, replyTo } = await shop.composeMail(compose)
  const holder: LinkHolder = { user_id, session_id }
  const token = writeLink(shop, 'mail_previews', holder, pack({ subject, html, text, replyTo }))
  return { subject, text, token }
}

/** A token has to fit into the body of a request. */
function pack(email: Previewed): string {
  return deflateRawSync(JSON.stringify(email)).toString('base64')
}

const packed = z
  .base64()
  .transform((content): unknown => JSON.parse(inflateRawSync(Buffer.from(content, 'base64')).toString()))
  .pipe(previewed)

async function openPreview(shop: MailShop & WithSessions, token: string): Promise<Previewed> {
  const { content, holder } = await readLink(shop, 'mail_previews', token, packed)
  if (!holder.is_admin) throw platformProblem('access.forbidden')
  return content
}

export async function openPreviewPage(shop: MailShop & WithSessions, token: string): Promise<string> {
  return (await openPreview(shop, token)).html
}

/** Throws mail_setup.no_server. */
export async function sendPreview(
  shop: MailShop & WithSessions,
  actor: Actor,
  token: string,
): Promise<MailTest> {
  const email = await openPreview(shop, token)
  return sendTrial(shop, actor, () => Promise.resolve(email))
}
