import type { Email } from '#platform/mail.ts'
import { formatMoney } from '#platform/contract/money.ts'
import { takesOff } from '../discounts/contract/discounted-price.ts'
import { button, facts, greeting, help, paragraph, quiet, quotation } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

export type GiftMail = {
  letterhead: Letterhead
  name: string | null
  message: string
  present:
    | { kind: 'copy'; product_name: string; is_digital: boolean; ships: boolean }
    | {
        kind: 'code'
        code: string
        percent: number | null
        amount_off: number | null
        currency: string
        max_uses: number | null
        product_name: string | null
        ends_on: string | null
      }
}

export async function giftEmail(mail: GiftMail & { to: string }): Promise<Email> {
  return { ...(await render(mail)), to: mail.to }
}

function render({ letterhead, name, message, present }: GiftMail): Promise<Rendered> {
  const frame = { letterhead, greets: greeting(name), own: message !== '' && quotation(message) }
  return present.kind === 'copy' ? copyMail(frame, present) : codeMail(frame, present)
}

type Frame = {
  letterhead: Letterhead
  greets: ReturnType<typeof greeting>
  own: ReturnType<typeof quotation> | false
}

function copyMail(
  { letterhead, greets, own }: Frame,
  { product_name, is_digital, ships }: Extract<GiftMail['present'], { kind: 'copy' }>,
) {
  return renderEmail({
    subject: `A gift for you: ${product_name}`,
    preview: 'There is nothing to pay.',
    title: 'A book for you',
    letterhead,
    children: [
      greets,
      own,
      paragraph(`You have been given ${product_name}. There is nothing to pay.`),
      is_digital && paragraph('Open your dashboard, sign in with this email address and press Download.'),
      ships && paragraph('It comes by post: tell us on your dashboard where to send it.'),
      button('Open your dashboard', `${letterhead.siteUrl}/auth?next=/dashboard`),
      quiet('You have no password yet? Choose “Forgot password?” there, and set one with this address.'),
      help(),
    ],
  })
}

function codeMail(
  { letterhead, greets, own }: Frame,
  {
    code,
    currency,
    max_uses,
    product_name,
    ends_on,
    ...terms
  }: Extract<GiftMail['present'], { kind: 'code' }>,
) {
  const off = takesOff(terms, (amount) => formatMoney(amount, currency))
  return renderEmail({
    subject: `${off} for you`,
    preview: `Your code is ${code}.`,
    title: `${off} for you`,
    letterhead,
    children: [
      greets,
      own,
      paragraph('This code makes the book cheaper. The button enters it for you.'),
      button('See your price', `${letterhead.siteUrl}/?code=${encodeURIComponent(code)}#book-sales`),
      facts([
        ['Code', code],
        ['Discount', off],
        ...(product_name ? [['For', product_name] as const] : []),
        ...(max_uses === null ? [] : [['Uses', usesText(max_uses)] as const]),
        ...(ends_on ? [['Until', ends_on] as const] : []),
      ]),
      help(),
    ],
  })
}

function usesText(max_uses: number): string {
  return max_uses === 1 ? 'Once in all' : `${max_uses} times in all, by everyone who has the code`
}
