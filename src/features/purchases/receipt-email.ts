import { formatNames } from '../products/contract/format-names.ts'
import { formatMoney } from '#platform/contract/money.ts'
import { formatOrderNumber } from './contract/order-number.ts'
import { addressLines, shippingLabel } from '../shipping/contract/postal.ts'
import { refundConditions } from './contract/refund-conditions.ts'
import type { Receipt } from './contract/receipts.ts'
import type { Email } from '#platform/mail.ts'
import { button, facts, greeting, help, link, paragraph, quiet } from '../mails/email-blocks.ts'
import { renderEmail } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

export async function receiptEmail(receipt: Receipt, letterhead: Letterhead): Promise<Email> {
  const {
    id,
    number,
    buyer,
    product,
    ships,
    shipping_address,
    invoice_url,
    is_test,
    refund_days,
    refund_terms,
    consent,
    total,
  } = receipt
  const rendered = await renderEmail({
    subject: `Your receipt for ${product.name}`,
    preview: product.is_digital ? 'Your download is ready.' : 'We will process your order shortly.',
    title: 'Thank you for your purchase',
    letterhead,
    children: [
      greeting(buyer.display_name),
      product.is_digital &&
        paragraph(
          'Your book is ready. Open your dashboard, sign in with this email address and press Download.',
        ),
      ships && paragraph('We will process your order shortly.'),
      ships &&
        !shipping_address &&
        paragraph('We need your address for it: open your dashboard and tell us where to send it.'),
      button(product.is_digital ? 'Get your book' : 'See your purchase', `${letterhead.siteUrl}/dashboard`),
      facts([
        ['Book', product.name],
        ['Format', formatNames[product.format]],
        ...amounts(receipt),
        ['Date', longDate(receipt.created_at, letterhead.language)],
        ...(shipping_address ? [['Ship to', addressLines(shipping_address).join('\n')] as const] : []),
        ['Order', formatOrderNumber(number)],
      ]),
      quiet(
        link('A receipt to print', `${letterhead.siteUrl}/dashboard/receipts/${id}`),
        ...(invoice_url ? [' · ', link('Your invoice', invoice_url)] : []),
      ),
      is_test && quiet('This was paid in test mode: no real money was taken.'),
      refund_days > 0 &&
        total > 0 &&
        quiet(
          `If the book does not suit you, write to us within ${refund_days} days and you get your money back. ${refundConditions[refund_terms]}`.trim(),
        ),
      consent !== null &&
        quiet(`On ${longDate(consent.given_at, letterhead.language)} you agreed: “${consent.text}”`),
      help(),
    ],
  })
  return { ...rendered, to: buyer.email }
}

function longDate(moment: string, language: string): string {
  return new Date(moment).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
}

function amounts(receipt: Receipt): [string, string][] {
  const { price, discount, shipping, shipping_country, tax, is_tax_included, total } = receipt
  const format = (amount: number) => formatMoney(amount, receipt.currency)
  if (discount === 0 && shipping === 0 && tax === 0) return [['Amount', format(total)]]
  const lines: [string, string][] = [['Price', format(price)]]
  if (discount > 0) lines.push(['Discount', `−${format(discount)}`])
  if (shipping > 0) lines.push([shippingLabel(shipping_country), format(shipping)])
  if (tax > 0 && !is_tax_included) lines.push(['Tax', format(tax)])
  lines.push(['Amount', format(total)])
  if (is_tax_included) lines.push(['Tax included', format(tax)])
  return lines
}
