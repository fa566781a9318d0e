// The environment's variables of mail, as the settings that they stand for.
import { z } from 'zod'
import { mailSettings, type MailSettings } from '#features/mail-setup/contract/mail-settings.ts'

export const smtpAddress = z
  .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
  .refine((url) => !/%(?![\da-f]{2})/i.test(url), 'has a % that stands for itself: write %25')

const address = mailSettings.shape.from_address
const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/

/** `"The Book" <shop@books.example>`, or the address alone. */
export const mailSender = z.string().transform((text, check) => {
  const [, from_name = '', from_address = text] = named.exec(text) ?? []
  const parsed = address.safeParse(from_address)
  if (parsed.success && parsed.data) return { from_name, from_address: parsed.data }
  check.addIssue({ code: 'custom', message: 'must hold an email address' })
  return z.NEVER
})

/** For the screen. What the address says besides, as `?requireTLS=true`, is used as well when mails are sent. */
export function mailServer(url: string | undefined): Partial<MailSettings> {
  if (!url) return {}
  const { protocol, hostname: host, port, username, password, searchParams } = new URL(url)
  const isTls = protocol === 'smtps:' || searchParams.get('secure') === 'true'
  return {
    host,
    port: Number(port) || (isTls ? 465 : 587),
    encryption: isTls ? 'tls' : 'starttls',
    user: decodeURIComponent(username),
    password: decodeURIComponent(password) || undefined,
  }
}
