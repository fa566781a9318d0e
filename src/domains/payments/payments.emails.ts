// Emails about refunds, withdrawals, and the author’s about an outage of payments.
import { emailsTexts } from '#words/emails.ts'
import { fill, forCount, currentLocale } from '#words/texts.ts'
import { refundsTexts } from '#words/buying.ts'
import { formatCents, type Cents } from '#contract/money.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Email } from '#platform/mail.ts'
import {
  button,
  facts,
  greeting,
  help,
  paragraph,
  renderEmail,
  type MailBranding,
  quotation,
  type Rendered,
} from '#domains/mail/email-layout.ts'
import type { RefundRight, WaitingReason } from '#contract/orders/purchases.ts'

export type RefundNews = {
  kind: 'refund' | 'refund_failed'
  to: string
  display_name: string | null
  purchase_id: string
  number: number
  product_name: string
  is_digital: boolean
  amount: Cents
  currency: string
  kept: Cents
  is_entitled: boolean
  is_by_card: boolean
  was_held: boolean
}

export async function refundEmail(news: RefundNews, branding: MailBranding): Promise<Email> {
  const { kind, to, display_name, product_name, number, amount, currency, kept } = news
  const hasFailed = kind === 'refund_failed'
  const sum = formatCents(amount, currency)
  const rendered = await renderEmail({
    ...(hasFailed ? failedTitles(sum) : givenTitles(sum, news.is_by_card)),
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
          : [[emailsTexts.refund.kept, formatCents(kept, currency)] as const]),
        [emailsTexts.shared.order, formatOrderNumber(number)],
      ]),
      button(emailsTexts.shared.seePurchase, `${branding.siteUrl}/dashboard`),
      help(),
    ],
  })
  return { ...rendered, to }
}

const failedTitles = (sum: string) => ({
  title: emailsTexts.refund.titleFailed,
  preview: fill(emailsTexts.refund.previewFailed, { amount: sum }),
})

function givenTitles(sum: string, isByCard: boolean) {
  if (isByCard)
    return {
      title: emailsTexts.refund.titleByCard,
      preview: fill(emailsTexts.refund.previewByCard, { amount: sum }),
    }
  return { title: emailsTexts.refund.title, preview: fill(emailsTexts.refund.preview, { amount: sum }) }
}

function returned({ amount, currency, is_by_card, was_held, ...news }: RefundNews) {
  return [
    paragraph(
      was_held
        ? fill(emailsTexts.refund.mismatch, {
            product: news.product_name,
            amount: formatCents(amount, currency),
          })
        : fill(emailsTexts.refund.goesBack, {
            product: news.product_name,
            amount: formatCents(amount, currency),
          }),
    ),
    paragraph(is_by_card ? refundsTexts.duration : emailsTexts.refund.byHand),
    !was_held && access(news),
  ]
}

function access({ is_entitled, is_digital }: Pick<RefundNews, 'is_entitled' | 'is_digital'>) {
  if (!is_digital) return false
  return paragraph(is_entitled ? emailsTexts.refund.accessStays : emailsTexts.refund.accessEnded)
}

function failed({ amount, currency, product_name, is_entitled, is_digital }: RefundNews) {
  return [
    paragraph(
      fill(emailsTexts.refund.failed, { amount: formatCents(amount, currency), product: product_name }),
    ),
    paragraph(emailsTexts.refund.notLost),
    is_digital && is_entitled && paragraph(emailsTexts.refund.untilThen),
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

// Withdrawals: with the time, as article 11a of Directive 2011/83/EU asks for.

export type WithdrawalNews = {
  to: string
  display_name: string | null
  number: number
  bought_at: Date
  product_name: string
  is_digital: boolean
  declared_at: Date
  reason: string
  waits_for: WaitingReason | null
  refusal: string | null
  right: RefundRight | null
  time_zone: string
}

export async function declaredEmail(news: WithdrawalNews, branding: MailBranding): Promise<Email> {
  const { product_name, is_digital, reason, waits_for } = news
  const { byPromise, ...texts } = emailsTexts.withdrawal
  // The law’s words stand only where the law gives the right.
  const { subject, title, declared } = news.right === 'law' ? texts : byPromise
  const rendered = await renderEmail({
    subject: fill(subject, { product: product_name }),
    preview: fill(emailsTexts.withdrawal.preview, { date: formatDeclared(news.declared_at, news.time_zone) }),
    title,
    branding,
    children: [
      greeting(news.display_name),
      paragraph(fill(declared, { product: product_name })),
      factsOf(news),
      reason !== '' && paragraph(emailsTexts.withdrawal.inYourWords),
      reason !== '' && quotation(reason),
      ...next(waits_for).map((words) => paragraph(words)),
      is_digital && paragraph(emailsTexts.withdrawal.accessEnded),
      button(emailsTexts.shared.seePurchase, `${branding.siteUrl}/dashboard`),
      help(),
    ],
  })
  return { ...rendered, to: news.to }
}

function next(waits_for: WaitingReason | null): string[] {
  if (waits_for === null) return [emailsTexts.withdrawal.goesBack, refundsTexts.duration]
  if (waits_for === 'return') return [emailsTexts.withdrawal.afterReturn]
  if (waits_for === 'repeat') return [emailsTexts.withdrawal.repeat]
  return [emailsTexts.withdrawal.otherRefund]
}

export async function refusedEmail(news: WithdrawalNews, branding: MailBranding): Promise<Email> {
  const { product_name, is_digital, refusal } = news
  const rendered = await renderEmail({
    subject: fill(emailsTexts.withdrawalRefused.subject, { product: product_name }),
    preview: emailsTexts.withdrawalRefused.preview,
    title: emailsTexts.withdrawalRefused.title,
    branding,
    children: [
      greeting(news.display_name),
      paragraph(fill(emailsTexts.withdrawalRefused.text, { product: product_name })),
      quotation(refusal ?? ''),
      factsOf(news),
      is_digital && paragraph(emailsTexts.withdrawalRefused.bookStays),
      paragraph(emailsTexts.withdrawalRefused.disagree),
      button(emailsTexts.shared.seePurchase, `${branding.siteUrl}/dashboard`),
      help(),
    ],
  })
  return { ...rendered, to: news.to }
}

function factsOf(news: WithdrawalNews) {
  return facts([
    [emailsTexts.withdrawal.received, formatDeclared(news.declared_at, news.time_zone)],
    [emailsTexts.shared.book, news.product_name],
    [
      emailsTexts.shared.order,
      fill(emailsTexts.withdrawal.orderOf, {
        number: formatOrderNumber(news.number),
        date: formatDeclared(news.bought_at, news.time_zone),
      }),
    ],
  ])
}

export function formatDeclared(moment: Date, time_zone: string): string {
  return moment.toLocaleString(currentLocale(), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: time_zone,
    timeZoneName: 'short',
  })
}
