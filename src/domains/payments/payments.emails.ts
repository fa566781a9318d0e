// Emails about refunds, and the author’s about an outage of payments.
import { emailsTexts } from '#words/emails.ts'
import { fill, forCount } from '#words/texts.ts'
import { refundsTexts } from '#words/buying.ts'
import { dashboardTexts, receiptTexts } from '#words/dashboard.ts'
import { formatCents, type Cents } from '#contract/money.ts'
import type { Seller } from '#contract/orders/seller.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Email } from '#platform/mail.ts'
import { purchasesAddress } from '#domains/accounts/links.ts'
import { button, facts, greeting, help, paragraph, quiet, quotation } from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding, type Rendered } from '#domains/mail/email-layout.ts'

export type RefundNews = {
  kind: 'refund' | 'refund_failed'
  to: string
  display_name: string | null
  has_no_password: boolean
  purchase_id: string
  number: number
  product_name: string
  /** False of paper, and of what is not out. */
  has_files: boolean
  /** A withdrawal that waited for nothing ended the access, and its email said so. */
  has_ended_before: boolean
  amount: Cents
  currency: string
  kept: Cents
  is_entitled: boolean
  /** The buyer has the product by it, too. */
  other_order: number | null
  is_by_card: boolean
  was_held: boolean
  sold_by: Seller
  is_test: boolean
}

export async function refundEmail(news: RefundNews, branding: MailBranding): Promise<Email> {
  const { kind, to, display_name, product_name, number, amount, currency, kept } = news
  const hasFailed = kind === 'refund_failed'
  const sum = formatCents(amount, currency)
  const rendered = await renderEmail({
    ...(hasFailed ? failedTitles(sum, news.sold_by) : givenTitles(sum, news.is_by_card)),
    subject: fill(hasFailed ? emailsTexts.refund.subjectFailed : emailsTexts.refund.subject, {
      product: product_name,
    }),
    branding,
    children: [
      greeting(display_name),
      ...(hasFailed ? failed(news) : returned(news)),
      facts([
        [emailsTexts.shared.book, product_name],
        [hasFailed ? emailsTexts.refund.notTaken : emailsTexts.refund.refund, sum],
        ...(news.was_held || kept === 0n
          ? []
          : [
              [
                news.sold_by === 'stripe' ? receiptTexts.notRefunded : receiptTexts.paidAfterRefunds,
                formatCents(kept, currency),
              ] as const,
            ]),
        [emailsTexts.shared.order, formatOrderNumber(number)],
      ]),
      news.is_test && quiet(emailsTexts.receipt.testMode),
      button(emailsTexts.shared.seePurchase, purchasesAddress(news, branding.siteUrl)),
      help(),
    ],
  })
  return { ...rendered, to }
}

type TakenBack = Pick<RefundNews, 'to' | 'display_name' | 'number' | 'product_name'>

export async function takenBackEmail(
  { to, display_name, number, product_name }: TakenBack,
  branding: MailBranding,
): Promise<Email> {
  const { title, subject, text } = emailsTexts.takenBack
  const words = fill(text, { product: product_name })
  const rendered = await renderEmail({
    subject: fill(subject, { product: product_name }),
    title,
    preview: words,
    branding,
    children: [
      greeting(display_name),
      paragraph(words),
      facts([
        [emailsTexts.shared.book, product_name],
        [emailsTexts.shared.order, formatOrderNumber(number)],
      ]),
      help(),
    ],
  })
  return { ...rendered, to }
}

const failedTitles = (sum: string, sold_by: Seller) => ({
  title: emailsTexts.refund.titleFailed,
  preview:
    sold_by === 'stripe'
      ? emailsTexts.refund.titleFailed
      : fill(emailsTexts.refund.previewFailed, { amount: sum }),
})

function givenTitles(sum: string, isByCard: boolean) {
  if (isByCard)
    return {
      title: emailsTexts.refund.titleByCard,
      preview: fill(emailsTexts.refund.previewByCard, { amount: sum }),
    }
  return { title: emailsTexts.refund.title, preview: fill(emailsTexts.refund.preview, { amount: sum }) }
}

function returned({ amount, currency, is_by_card, was_held, sold_by, ...news }: RefundNews) {
  const { byLink, goesBack } = emailsTexts.refund
  return [
    paragraph(
      was_held
        ? fill(emailsTexts.refund.mismatch, {
            product: news.product_name,
            amount: formatCents(amount, currency),
          })
        : fill(sold_by === 'stripe' && is_by_card ? byLink : goesBack, {
            product: news.product_name,
            amount: formatCents(amount, currency),
          }),
    ),
    !news.is_test && paragraph(is_by_card ? refundsTexts.duration : emailsTexts.refund.byHand),
    !was_held && access(news),
  ]
}

type Access = Pick<RefundNews, 'is_entitled' | 'other_order' | 'has_files' | 'has_ended_before'>

function access({ is_entitled, other_order, has_files, has_ended_before }: Access) {
  if (!has_files) return false
  if (is_entitled) return paragraph(emailsTexts.refund.accessStays)
  if (has_ended_before) return false
  if (other_order === null) return paragraph(emailsTexts.refund.accessEnded)
  return paragraph(fill(dashboardTexts.otherOrder, { order: formatOrderNumber(other_order) }))
}

function failed({ amount, currency, product_name, is_entitled, has_files, sold_by }: RefundNews) {
  const texts = emailsTexts.refund
  const isOfLink = sold_by === 'stripe'
  return [
    paragraph(
      fill(isOfLink ? texts.failedByLink : texts.failed, {
        amount: formatCents(amount, currency),
        product: product_name,
      }),
    ),
    paragraph(isOfLink ? texts.askLink : texts.notLost),
    has_files && is_entitled && paragraph(emailsTexts.refund.untilThen),
  ]
}

type Outage = { summary: string; people: number; emails: string[] }

export function outageEmail({ summary, people, emails }: Outage, branding: MailBranding): Promise<Rendered> {
  const unnamed = people - emails.length
  return renderEmail({
    subject: emailsTexts.outage.title,
    preview: summary,
    title: emailsTexts.outage.title,
    branding,
    children: [
      paragraph(summary),
      paragraph(emailsTexts.outage.over),
      emails.length > 0 && quotation(emails.join('\n')),
      unnamed > 0 && paragraph(fill(forCount(emailsTexts.outage.unnamed, unnamed), { count: unnamed })),
      button(emailsTexts.outage.button, `${branding.siteUrl}/admin/payments`),
    ],
  })
}
