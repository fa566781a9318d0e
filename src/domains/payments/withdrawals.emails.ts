// Emails about withdrawals: with the time, as article 11a of Directive 2011/83/EU asks for.
import { dashboardTexts } from '#words/dashboard.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill, currentLocale } from '#words/texts.ts'
import { refundsTexts } from '#words/buying.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Email } from '#platform/mail.ts'
import { button, facts, greeting, help, paragraph, quotation } from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding } from '#domains/mail/email-layout.ts'
import type { RefundRight, WaitingReason } from '#contract/orders/purchases.ts'

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
      ...next(waits_for, branding).map((words) => paragraph(words)),
      is_digital && paragraph(emailsTexts.withdrawal.accessEnded),
      button(emailsTexts.shared.seePurchase, `${branding.siteUrl}/dashboard`),
      help(),
    ],
  })
  return { ...rendered, to: news.to }
}

function next(waits_for: WaitingReason | null, { returnsTo }: MailBranding): string[] {
  if (waits_for === null) return [emailsTexts.withdrawal.goesBack, refundsTexts.duration]
  if (waits_for === 'return') {
    const { afterReturn, askWhere } = emailsTexts.withdrawal
    return [afterReturn, returnsTo ? fill(dashboardTexts.returnAddress, { address: returnsTo }) : askWhere]
  }
  if (waits_for === 'repeat') return [emailsTexts.withdrawal.repeat]
  if (waits_for === 'no_right') return [dashboardTexts.waitsFor.no_right]
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
