import { formatMoney } from '#platform/contract/money.ts'
import { formatOrderNumber } from '../purchases/contract/order-number.ts'
import type { Email } from '#platform/mail.ts'
import { button, facts, greeting, help, paragraph } from '../mails/email-blocks.ts'
import { renderEmail } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

export type RefundNews = {
  kind: 'refund' | 'refund_failed'
  to: string
  display_name: string | null
  purchase_id: string
  number: number
  product_name: string
  is_digital: boolean
  amount: number
  currency: string
  kept: number
  is_entitled: boolean
  is_by_card: boolean
  was_held: boolean
}

export async function refundEmail(news: RefundNews, letterhead: Letterhead): Promise<Email> {
  const { kind, to, display_name, product_name, number, amount, currency, kept } = news
  const hasFailed = kind === 'refund_failed'
  const sum = formatMoney(amount, currency)
  const rendered = await renderEmail({
    ...(hasFailed ? failedTitles(sum) : givenTitles(sum, news.is_by_card)),
    subject: hasFailed ? `Your refund for ${product_name} did not arrive` : `Your refund for ${product_name}`,
    letterhead,
    children: [
      greeting(display_name),
      ...(hasFailed ? failed(news) : given(news)),
      facts([
        ['Book', product_name],
        [hasFailed ? 'Not taken' : 'Refund', sum],
        ...(news.was_held ? [] : [['Kept', formatMoney(kept, currency)] as const]),
        ['Order', formatOrderNumber(number)],
      ]),
      button('See your purchase', `${letterhead.siteUrl}/dashboard`),
      help(),
    ],
  })
  return { ...rendered, to }
}

const failedTitles = (sum: string) => ({
  title: 'Your refund did not arrive',
  preview: `${sum} came back to us.`,
})

function givenTitles(sum: string, isByCard: boolean) {
  if (isByCard)
    return { title: 'Your money is on its way back', preview: `${sum} is on its way back to you.` }
  return { title: 'Your refund', preview: `The author sends ${sum} back to you.` }
}

function given({ amount, currency, is_by_card, was_held, ...news }: RefundNews) {
  return [
    paragraph(
      was_held
        ? `Your payment for ${news.product_name} did not fit the purchase, so it goes back to you: ${formatMoney(amount, currency)}.`
        : `${formatMoney(amount, currency)} of what you paid for ${news.product_name} goes back to you.`,
    ),
    paragraph(
      is_by_card
        ? 'It goes the way it came. Banks usually take 5 to 10 business days to show it on a card or an account.'
        : 'The author sends it to you directly.',
    ),
    !was_held && access(news),
  ]
}

function access({ is_entitled, is_digital }: Pick<RefundNews, 'is_entitled' | 'is_digital'>) {
  if (!is_digital) return false
  return paragraph(
    is_entitled
      ? 'Your access to the book stays: it is on your dashboard as before.'
      : 'Your access to the book has ended with it.',
  )
}

function failed({ amount, currency, product_name, is_entitled, is_digital }: RefundNews) {
  return [
    paragraph(
      `We gave back ${formatMoney(amount, currency)} for ${product_name}, but it did not reach you, and it is with us again. Mostly this happens when a card was closed or has expired.`,
    ),
    paragraph('It is not lost. Please reply to this email, so that we find another way to give it to you.'),
    is_digital && is_entitled && paragraph('Until then the book is on your dashboard.'),
  ]
}
