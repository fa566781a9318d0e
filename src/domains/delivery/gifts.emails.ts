// Emails about gifts of buyers, then those with what the author grants.
import { emailsTexts } from '#words/emails.ts'
import { fill, forCount } from '#words/texts.ts'
import type { Email } from '#platform/mail.ts'
import { giftLinkDays } from '#domains/accounts/links.ts'
import { button, facts, greeting, help, paragraph, quiet, quotation } from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding, type Rendered } from '#domains/mail/email-layout.ts'
import { plainName } from '#domains/mail/plain-line.ts'
import { formatCents, type Cents } from '#contract/money.ts'
import { takesOff } from '#contract/orders/prices.ts'

type RecipientMail = {
  email: string
  recipient_name: string
  sender_name: string
  note: string
  product_name: string
  link: string
}

export async function recipientEmail(
  { email, recipient_name, sender_name, note, product_name, link }: RecipientMail,
  branding: MailBranding,
): Promise<Email> {
  const texts = emailsTexts.giftToSomeone
  const names = { sender: plainName(sender_name), product: product_name }
  const rendered = await renderEmail({
    subject: fill(texts.subject, names),
    preview: texts.preview,
    title: fill(texts.title, names),
    branding,
    children: [
      greeting(recipient_name, emailsTexts.shared.hello),
      paragraph(fill(texts.given, names)),
      note !== '' && quotation(note),
      button(texts.button, link),
      quiet(texts.unknown),
      help(),
    ],
  })
  return { ...rendered, to: email, replyTo: branding.authorEmail }
}

export type GrantMail = {
  branding: MailBranding
  name: string | null
  message: string
  /** Where a copy is opened; `signsIn` where the link opens it without more. */
  page: { link: string; signsIn: boolean }
  item:
    | { kind: 'copy'; product_name: string; is_digital: boolean; ships: boolean }
    | {
        kind: 'code'
        code: string
        percent: number | null
        amount_off: Cents | null
        currency: string
        max_uses: number | null
        product_name: string | null
        ends_on: string | null
      }
}

export async function grantEmail(mail: GrantMail & { to: string }): Promise<Email> {
  return { ...(await render(mail)), to: mail.to }
}

function render({ branding, name, message, page, item }: GrantMail): Promise<Rendered> {
  const frame = { branding, page, greets: greeting(name), own: message !== '' && quotation(message) }
  return item.kind === 'copy' ? copyMail(frame, item) : codeMail(frame, item)
}

type Frame = {
  branding: MailBranding
  page: GrantMail['page']
  greets: ReturnType<typeof greeting>
  own: ReturnType<typeof quotation> | false
}

function copyMail(
  { branding, page, greets, own }: Frame,
  { product_name, is_digital, ships }: Extract<GrantMail['item'], { kind: 'copy' }>,
) {
  return renderEmail({
    subject: fill(emailsTexts.gift.subject, { product: product_name }),
    preview: emailsTexts.gift.preview,
    title: emailsTexts.gift.title,
    branding,
    children: [
      greets,
      own,
      paragraph(fill(emailsTexts.gift.given, { product: product_name })),
      is_digital && paragraph(emailsTexts.gift.digital),
      ships && paragraph(emailsTexts.gift.printed),
      button(emailsTexts.giftToSomeone.button, page.link),
      quiet(page.signsIn ? fill(emailsTexts.gift.signsIn, { days: giftLinkDays }) : emailsTexts.gift.signIn),
      help(),
    ],
  })
}

function codeMail(
  { branding, greets, own }: Frame,
  { code, currency, max_uses, product_name, ends_on, ...terms }: Extract<GrantMail['item'], { kind: 'code' }>,
) {
  const off = takesOff(terms, (amount) => formatCents(amount, currency))
  const title = fill(emailsTexts.code.title, { discount: off })
  return renderEmail({
    subject: title,
    preview: fill(emailsTexts.code.preview, { code }),
    title,
    branding,
    children: [
      greets,
      own,
      paragraph(emailsTexts.code.text),
      button(emailsTexts.code.button, `${branding.siteUrl}/?code=${encodeURIComponent(code)}#book-sales`),
      facts([
        [emailsTexts.code.code, code],
        [emailsTexts.code.discount, off],
        ...(product_name ? [[emailsTexts.code.for, product_name] as const] : []),
        ...(max_uses === null ? [] : [[emailsTexts.code.uses, usesText(max_uses)] as const]),
        ...(ends_on ? [[emailsTexts.code.until, ends_on] as const] : []),
      ]),
      help(),
    ],
  })
}

function usesText(max_uses: number): string {
  return max_uses === 1
    ? emailsTexts.code.once
    : fill(forCount(emailsTexts.code.times, max_uses), { count: max_uses })
}
