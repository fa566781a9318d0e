// Emails about an account. The job decides what is sent and makes the link: a request takes as long for an unknown
// address as for a known one, and no job’s payload holds a link. Each link leads to a button on the site, so that merely
// opening it does nothing.
import { formatDayIn } from '#contract/intl.ts'
import { accountEmailsTexts } from '#words/account-emails.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill, forCount } from '#words/texts.ts'
import {
  button,
  code as codeBlock,
  greeting,
  paragraph,
  quiet,
  type Block,
} from '#domains/mail/email-blocks.ts'
import { renderEmail, type Rendered, type MailBranding } from '#domains/mail/email-layout.ts'
import type { Mailbox } from '#contract/accounts/own-account.ts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '#platform/queue.ts'
import { isSent, post } from '#domains/mail/sending.ts'
import {
  hasCode,
  openCodeSigner,
  askedLink,
  deleteSignUp,
  linkAddress,
  makeAskedLink,
  signInAddress,
  type AskedLink,
} from './links.ts'
import type { MailShop } from '#domains/mail/shop.ts'
import { profiles } from '#tables/accounts.ts'

type LinkEmail = {
  branding: MailBranding
  link: string
  /** Hours that the link works, where the email says so. */
  hours?: number
  code?: string | undefined
  display_name?: string | undefined
}

/** The subject that is stored of the email has no code. */
async function renderWithCode(code: string | undefined, content: Content): Promise<Rendered & StoredSubject> {
  if (!code) return renderEmail(content)
  const subject = fill(accountEmailsTexts.isYourCode, { code })
  const rendered = await renderEmail({ ...content, subject, preview: `${subject}. ${content.preview}` })
  return { ...rendered, storedSubject: content.title }
}

type Content = Parameters<typeof renderEmail>[0]
type StoredSubject = { storedSubject?: string }

function linkEmail(
  kind: keyof typeof accountEmailsTexts.link,
  { branding, link, hours = 1, code, display_name }: LinkEmail,
): Promise<Rendered & StoredSubject> {
  const { texts, button: label, notes, ...heading } = accountEmailsTexts.link[kind]
  const lasts = fill(forCount(accountEmailsTexts.lasts, hours), { count: hours })
  // A sign-up works by its link alone.
  return renderWithCode(kind === 'magiclink' ? code : undefined, {
    ...heading,
    branding,
    children: [
      greeting(display_name, emailsTexts.shared.hello),
      ...texts.map((text) => paragraph(fill(text, { site: branding.siteUrl }))),
      button(label, link),
      ...(code ? [paragraph(accountEmailsTexts.code), codeBlock(code)] : []),
      ...notes.map((note) => quiet(fill(note, { lasts }))),
    ],
  })
}

/** Writes to a reader who is signed in already: it has no link, so that it opens nothing elsewhere. */
function codeEmail(code: string | undefined, branding: MailBranding): Promise<Rendered & StoredSubject> {
  const { text, notYou, ...heading } = accountEmailsTexts.reauthenticate
  return renderWithCode(code, {
    ...heading,
    branding,
    children: [paragraph(text), ...(code ? [codeBlock(code)] : []), quiet(notYou)],
  })
}

type AddressLinkEmail = { branding: MailBranding; link: string; new_email: string }

export function addressLinkEmail(
  mailbox: Mailbox,
  { branding, link, new_email: email }: AddressLinkEmail,
): Promise<Rendered> {
  const { preview, text, button: label, notYou, ...heading } = accountEmailsTexts.addressChange[mailbox]
  return renderEmail({
    ...heading,
    preview: fill(preview, { email, shop: branding.title }),
    branding,
    children: [
      paragraph(fill(text, { email, shop: branding.title })),
      button(label, link),
      quiet(accountEmailsTexts.addressChange.lasts),
      quiet(notYou),
    ],
  })
}

/** Who is signed in gets to the account's page, which changes the password. */
const newPasswordAddress = ({ siteUrl }: MailBranding) => signInAddress(siteUrl, '/account', 'forgot')

/** What all notices have: the greeting of the account's reader, and the shop. */
type NoticeFrame = { hello: Block; branding: MailBranding }

type AddressChanged = { email: string; new_email: string; endsCredentials: boolean }

function addressChangedEmail(
  { email, new_email, endsCredentials }: AddressChanged,
  { hello, branding }: NoticeFrame,
): Promise<Rendered> {
  const { preview, text, notYou, ended, choose, ...heading } = accountEmailsTexts.addressChanged
  return renderEmail({
    ...heading,
    preview: fill(preview, { email: new_email }),
    branding,
    children: [
      hello,
      paragraph(fill(text, { email: new_email })),
      endsCredentials && paragraph(ended),
      ...(endsCredentials && email === new_email
        ? [paragraph(choose), button(emailsTexts.shared.choosePassword, newPasswordAddress(branding))]
        : []),
      paragraph(notYou),
    ],
  })
}

function erasureAskedEmail(due_at: string, { hello, branding }: NoticeFrame): Promise<Rendered> {
  const { preview, text, button: label, notYou, ...heading } = accountEmailsTexts.erasureAsked
  const date = formatDayIn(due_at, branding.timeZone)
  return renderEmail({
    ...heading,
    preview: fill(preview, { date }),
    branding,
    children: [
      hello,
      paragraph(fill(text, { date })),
      button(label, `${branding.siteUrl}/account`),
      quiet(notYou),
    ],
  })
}

function recoveryCodeUsedEmail(left: number, { hello, branding }: NoticeFrame): Promise<Rendered> {
  const { text, remaining, none, ...heading } = accountEmailsTexts.recoveryCodeUsed
  const rest = left === 0 ? none : fill(remaining, { left })
  const { notYouPassword, choosePassword } = emailsTexts.shared
  return renderEmail({
    ...heading,
    branding,
    children: [
      hello,
      paragraph(text),
      paragraph(rest),
      paragraph(notYouPassword),
      button(choosePassword, newPasswordAddress(branding)),
    ],
  })
}

/** A new password does not help against these. */
const answered = new Set<string>(['factor_added', 'passkey_added', 'factors_reset'])

function securityEmail(
  kind: keyof typeof accountEmailsTexts.security,
  { hello, branding }: NoticeFrame,
): Promise<Rendered> {
  const { text, ...heading } = accountEmailsTexts.security[kind]
  const { notYouPassword, choosePassword } = emailsTexts.shared
  const advice = answered.has(kind)
    ? [paragraph(accountEmailsTexts.securityHelp.reply)]
    : [paragraph(notYouPassword), button(choosePassword, newPasswordAddress(branding))]
  return renderEmail({ ...heading, branding, children: [hello, paragraph(text), ...advice] })
}

function adminChangedEmail(
  kind: keyof typeof accountEmailsTexts.adminChanged,
  admin: string,
  { hello, branding }: NoticeFrame,
): Promise<Rendered> {
  const { subject, text } = accountEmailsTexts.adminChanged[kind]
  const { notMeant, button: label, ...heading } = accountEmailsTexts.adminChangedHelp
  return renderEmail({
    ...heading,
    subject: fill(subject, { admin }),
    branding,
    children: [
      hello,
      paragraph(fill(text, { admin })),
      paragraph(notMeant),
      button(label, `${branding.siteUrl}/admin/settings/admins`),
    ],
  })
}

const email = z.string()

const plainNotices = [
  'password_changed',
  'factor_added',
  'factor_removed',
  'passkey_added',
  'passkey_removed',
  'factors_reset',
  'recovery_codes_made',
  'sessions_ended',
  'data_taken',
  'data_offered',
  'erasure_offered',
  'erasure_canceled',
  'account_restored',
] as const

const adminNotices = ['admin_added', 'admin_removed', 'admin_disabled', 'admin_enabled'] as const
export type AdminNotice = (typeof adminNotices)[number]

const notice = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(adminNotices), email, admin: email }),
  z.object({
    kind: z.literal('email_changed'),
    email,
    new_email: email,
    /** The link to the new address was pressed in another browser than the one that asked. */
    endsCredentials: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('recovery_code_used'), email, left: z.number() }),
  z.object({ kind: z.literal('erasure_asked'), email, due_at: z.iso.datetime() }),
  z.object({ kind: z.enum(plainNotices), email }),
])
const payload = z.union([askedLink, notice])

type Notice = z.infer<typeof notice>

export const accountMailJob = defineJob({
  name: 'mail.account',
  payload,
  async run(services: MailShop, request, attempt) {
    if (isNotice(request)) {
      const email = await services.composeMail((branding) => composeNotice(services, request, branding))
      return post(services, attempt, { kind: request.kind, email })
    }
    // The attempt before may have sent it and deleted the sign-up, and was killed before the job ended.
    const wasSent = attempt.number > 1 && (await isSent(services, attempt))
    const result = wasSent
      ? undefined
      : await services.composeMail((branding) => composeLink(services, request, branding))
    if (result) await post(services, attempt, { kind: request.kind, ...result })
    if (request.kind === 'sign_up') await deleteSignUp(services.db, request.id)
  },
})

const withoutCode = { signup: 'signup_by_link', magiclink: 'magiclink_by_link' } as const

/** A mail that is kept has no code: whoever reads it, by whatever way, is not at the window that asked. */
async function composeLink(
  { db, clock, secret, mail }: MailShop,
  request: AskedLink,
  branding: MailBranding,
) {
  const { siteUrl } = branding
  const sendsMail = mail.sendsMail()
  if (!sendsMail && request.kind === 'reauthenticate') return undefined
  const signCode = sendsMail ? openCodeSigner({ secret }) : undefined
  const created = await db.transaction((tx) => makeAskedLink(tx, request, { signCode, now: clock() }))
  if (created === 'nobody') return undefined
  if (created === 'exists') {
    const link = signInAddress(siteUrl, request.path)
    return { email: { to: request.email, ...(await linkEmail('exists', { branding, link })) } }
  }
  const { type, hours, token, code, email: to, isConfirmed } = created
  if (request.kind === 'reauthenticate') return { email: { to, ...(await codeEmail(code, branding)) } }
  const link = linkAddress(siteUrl, type, token, request.path)
  const isInvitation = request.kind === 'invitation'
  const display_name = isInvitation ? undefined : created.display_name
  const kind = isInvitation ? 'invitation' : !sendsMail && hasCode(type) ? withoutCode[type] : type
  const email = await linkEmail(kind, { branding, link, hours, code, display_name })
  // Anybody can ask for a mail to an address that does not exist: that one failed is nothing for the author to do.
  return { email: { to, ...email }, isUnimportant: !isConfirmed }
}

async function composeNotice({ db }: Pick<MailShop, 'db'>, request: Notice, branding: MailBranding) {
  const { email: to } = request
  const { display_name } = profiles
  const [profile] = await db.select({ display_name }).from(profiles).where(eq(profiles.email, to))
  const rendered = await renderNotice(request, profile?.display_name ?? undefined, branding)
  return { to, ...rendered, replyTo: branding.authorEmail }
}

function renderNotice(request: Notice, display_name: string | undefined, branding: MailBranding) {
  const frame = { hello: greeting(display_name, emailsTexts.shared.hello), branding }
  if ('admin' in request) return adminChangedEmail(request.kind, request.admin, frame)
  if (request.kind === 'email_changed') return addressChangedEmail(request, frame)
  if (request.kind === 'recovery_code_used') return recoveryCodeUsedEmail(request.left, frame)
  if (request.kind === 'erasure_asked') return erasureAskedEmail(request.due_at, frame)
  if (request.kind === 'data_offered' || request.kind === 'erasure_offered') {
    const path = request.kind === 'data_offered' ? '/account/data' : '/account'
    const link = signInAddress(branding.siteUrl, path)
    return linkEmail(request.kind, { branding, link, display_name })
  }
  if (request.kind !== 'account_restored') return securityEmail(request.kind, frame)
  const link = signInAddress(branding.siteUrl, '/dashboard', 'forgot')
  return linkEmail(request.kind, { branding, link, display_name })
}

function isNotice(request: AskedLink | Notice): request is Notice {
  return notice.safeParse(request).success
}
