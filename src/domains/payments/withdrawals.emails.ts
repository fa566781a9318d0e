// Emails about withdrawals: with the time, as article 11a of Directive 2011/83/EU asks for.
import { dashboardTexts } from '#words/dashboard.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { refundsTexts } from '#words/buying.ts'
import { formatDeclared } from '#contract/intl.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Email } from '#platform/mail.ts'
import { purchasesAddress } from '#domains/accounts/links.ts'
import { button, facts, greeting, help, paragraph, quotation } from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding } from '#domains/mail/email-layout.ts'
import type { RefundRight, WaitingReason } from '#contract/orders/purchases.ts'

export type WithdrawalNews = {
  to: string
  display_name: string | null
  has_no_password: boolean
  number: number
  bought_at: Date
  product_name: string
  /** It has files, and was out when it was declared, or a part of it. */
  has_access: boolean
  declared_at: Date
  reason: string
  waits_for: WaitingReason | null
  refusal: string | null
  right: RefundRight | null
  /** The right covers the paper of a bundle alone. */
  is_of_paper: boolean
  /** The buyer has the product by it, too. */
  other_order: number | null
}

export async function declaredEmail(news: WithdrawalNews, branding: MailBranding): Promise<Email> {
  const { product_name, has_access, reason } = news
  const { byPromise, ...texts } = emailsTexts.withdrawal
  // The law’s words stand only where the law gives the right.
  const { subject, title, declared } = news.right === 'law' ? texts : byPromise
  const rendered = await renderEmail({
    subject: fill(subject, { product: product_name }),
    preview: fill(emailsTexts.withdrawal.preview, {
      date: formatDeclared(news.declared_at, branding.timeZone),
    }),
    title,
    branding,
    children: [
      greeting(news.display_name),
      paragraph(fill(declared, { product: product_name })),
      factsOf(news, branding),
      reason !== '' && paragraph(emailsTexts.withdrawal.inYourWords),
      reason !== '' && quotation(reason),
      ...next(news, branding).map((words) => paragraph(words)),
      has_access && paragraph(accessWords(news)),
      button(emailsTexts.shared.seePurchase, purchasesAddress(news, branding.siteUrl)),
      help(),
    ],
  })
  return { ...rendered, to: news.to }
}

function accessWords(news: WithdrawalNews): string {
  const { other_order } = news
  if (other_order !== null) return fill(dashboardTexts.otherOrder, { order: formatOrderNumber(other_order) })
  return mayStay(news) ? dashboardTexts.filesWait : emailsTexts.withdrawal.accessEnded
}

/** The access ends for good where a right binds the author for the file, else the decision says. */
const mayStay = ({ waits_for, right, is_of_paper }: WithdrawalNews) =>
  waits_for !== null && (right === 'law' ? is_of_paper : right !== 'promise')

function next({ waits_for, right }: WithdrawalNews, { returns }: MailBranding): string[] {
  if (waits_for === null) return [emailsTexts.withdrawal.goesBack, refundsTexts.duration]
  if (waits_for === 'return') {
    const { afterReturn, askWhere } = emailsTexts.withdrawal
    const { returns_to, says_return_cost } = returns
    return [
      says_return_cost && right === 'law' ? `${afterReturn} ${dashboardTexts.returnCost}` : afterReturn,
      returns_to ? fill(dashboardTexts.returnAddress, { address: returns_to }) : askWhere,
    ]
  }
  if (waits_for === 'repeat') return [emailsTexts.withdrawal.repeat]
  if (waits_for === 'downloaded' || waits_for === 'no_right') return [dashboardTexts.waitsFor[waits_for]]
  return [emailsTexts.withdrawal.otherRefund]
}

export async function refusedEmail(news: WithdrawalNews, branding: MailBranding): Promise<Email> {
  const { product_name, has_access, refusal } = news
  const rendered = await renderEmail({
    subject: fill(emailsTexts.withdrawalRefused.subject, { product: product_name }),
    preview: emailsTexts.withdrawalRefused.preview,
    title: emailsTexts.withdrawalRefused.title,
    branding,
    children: [
      greeting(news.display_name),
      paragraph(fill(emailsTexts.withdrawalRefused.text, { product: product_name })),
      quotation(refusal ?? ''),
      factsOf(news, branding),
      has_access && paragraph(emailsTexts.withdrawalRefused.bookStays),
      paragraph(emailsTexts.withdrawalRefused.disagree),
      button(emailsTexts.shared.seePurchase, purchasesAddress(news, branding.siteUrl)),
      help(),
    ],
  })
  return { ...rendered, to: news.to }
}

function factsOf(news: WithdrawalNews, branding: MailBranding) {
  return facts([
    [emailsTexts.withdrawal.received, formatDeclared(news.declared_at, branding.timeZone)],
    [emailsTexts.shared.book, news.product_name],
    [
      emailsTexts.shared.order,
      fill(emailsTexts.withdrawal.orderOf, {
        number: formatOrderNumber(news.number),
        date: formatDeclared(news.bought_at, branding.timeZone),
      }),
    ],
  ])
}
