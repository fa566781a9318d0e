// With the date, as article 11a of Directive 2011/83/EU asks for.
import type { Email } from '#platform/mail.ts'
import { button, facts, greeting, help, paragraph, quotation } from '../mails/email-blocks.ts'
import { renderEmail } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'
import { formatOrderNumber } from '../purchases/contract/order-number.ts'
import type { WaitingReason } from '../withdrawals/contract/withdrawals.ts'

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
  time_zone: string
}

export async function declaredEmail(news: WithdrawalNews, letterhead: Letterhead): Promise<Email> {
  const { product_name, is_digital, reason, waits_for } = news
  const rendered = await renderEmail({
    subject: `We have received your withdrawal from ${product_name}`,
    preview: `Received on ${dateOf(news.declared_at, news, letterhead)}.`,
    title: 'We have received your declaration',
    letterhead,
    children: [
      greeting(news.display_name),
      paragraph(`You have told us that you want your money back for ${product_name}.`),
      factsOf(news, letterhead),
      reason !== '' && paragraph('In your words:'),
      reason !== '' && quotation(reason),
      ...next(waits_for).map((words) => paragraph(words)),
      is_digital && paragraph('Your access to the book ended with it.'),
      button('See your purchase', `${letterhead.siteUrl}/dashboard`),
      help(),
    ],
  })
  return { ...rendered, to: news.to }
}

function next(waits_for: WaitingReason | null): string[] {
  if (waits_for === null)
    return ['Your money goes back the way it came. We write to you again as soon as it has left.']
  if (waits_for === 'return')
    return [
      'Your parcel has left already. Please send the book back within 14 days; reply to this email to ask where to. The author gives the money back when the book is there, or when you show that you have sent it.',
    ]
  if (waits_for === 'repeat')
    return ['You had the money for the same product back before, so the author looks at it first.']
  return ['Another refund of this purchase was under way, so the author looks at it first.']
}

export async function refusedEmail(news: WithdrawalNews, letterhead: Letterhead): Promise<Email> {
  const { product_name, is_digital, refusal } = news
  const rendered = await renderEmail({
    subject: `Your money back for ${product_name}`,
    preview: 'The author has answered.',
    title: 'The author does not give the money back',
    letterhead,
    children: [
      greeting(news.display_name),
      paragraph(`You wanted your money back for ${product_name}. The author has refused, and says:`),
      quotation(refusal ?? ''),
      factsOf(news, letterhead),
      is_digital && paragraph('The book is on your dashboard as before.'),
      paragraph('If you do not agree, please reply to this email.'),
      button('See your purchase', `${letterhead.siteUrl}/dashboard`),
      help(),
    ],
  })
  return { ...rendered, to: news.to }
}

function factsOf(news: WithdrawalNews, letterhead: Letterhead) {
  return facts([
    ['Received', dateOf(news.declared_at, news, letterhead)],
    ['Book', news.product_name],
    ['Order', `${formatOrderNumber(news.number)} of ${dateOf(news.bought_at, news, letterhead)}`],
  ])
}

function dateOf(moment: Date, { time_zone }: Pick<WithdrawalNews, 'time_zone'>, { language }: Letterhead) {
  return moment.toLocaleString(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: time_zone,
    timeZoneName: 'short',
  })
}
