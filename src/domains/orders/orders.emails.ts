// The confirmation of a purchase with its receipt, and the email that a parcel has left.
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { siteTexts } from '#words/site.ts'
import { formatsTexts } from '#words/buying.ts'
import { formatDay } from '#contract/intl.ts'
import { formatMoney } from '#contract/money.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import { refundButton } from '#contract/orders/refund-button.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines, shippingLabel, trackingUrl } from '#contract/orders/postal.ts'
import { refundsTexts } from '#words/buying.ts'
import type { Email } from '#platform/mail.ts'
import { button, facts, greeting, help, link, paragraph, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding } from '#domains/mail/email-layout.ts'
import type { AdminShipment } from '#contract/orders/admin-orders.ts'
import type { Shipment } from '#contract/orders/shipments.ts'

/** `page`, `print`: where the buyer sees the purchase and its receipt; with `is_guest` they open by themselves. `is_moved`: the author has put it under this address. */
export async function receiptEmail(
  receipt: Receipt & { page: string; print: string; is_guest: boolean; is_moved: boolean },
  branding: MailBranding,
): Promise<Email> {
  const {
    number,
    buyer,
    product,
    ships,
    shipping_address,
    invoice_url,
    is_test,
    is_guest,
    is_moved,
    refund_days,
    refund_right,
    consent,
    total,
  } = receipt
  const { release } = product
  const { preorder, restOn, takeBack } = emailsTexts.receipt
  const isReady = product.is_digital && !isPreorder(product)
  const rendered = await renderEmail({
    subject: fill(emailsTexts.receipt.subject, { product: product.name }),
    preview: preview(receipt),
    title: emailsTexts.receipt.title,
    branding,
    children: [
      greeting(buyer.display_name),
      is_moved && paragraph(emailsTexts.receipt.moved),
      release !== null &&
        paragraph(fill(release.is_partial ? restOn : preorder, { date: formatDay(release.on) })),
      isPreorder(product) && total > 0 && paragraph(takeBack),
      isReady && paragraph(is_guest ? emailsTexts.receipt.readyByLink : emailsTexts.receipt.ready),
      ships && paragraph(emailsTexts.receipt.processing),
      ships && !shipping_address && paragraph(emailsTexts.receipt.needAddress),
      button(isReady ? emailsTexts.receipt.getBook : emailsTexts.shared.seePurchase, receipt.page),
      facts([
        [emailsTexts.shared.book, product.name],
        [emailsTexts.shared.format, formatsTexts.names[product.format]],
        ...amounts(receipt),
        [emailsTexts.receipt.date, formatDay(receipt.created_at)],
        ...(shipping_address
          ? [[emailsTexts.receipt.shipTo, addressLines(shipping_address).join('\n')] as const]
          : []),
        [emailsTexts.shared.order, formatOrderNumber(number)],
      ]),
      quiet(
        link(emailsTexts.receipt.print, receipt.print),
        ...(invoice_url ? [' · ', link(emailsTexts.receipt.invoice, invoice_url, { isSecret: true })] : []),
      ),
      is_test && quiet(emailsTexts.receipt.testMode),
      total === 0 && quiet(emailsTexts.receipt.noPayment),
      refund_days > 0 &&
        total > 0 &&
        quiet(
          fill(emailsTexts.receipt.guarantee, {
            days: refund_days,
            button: refundButton(refund_right),
            conditions: refundsTexts.conditions,
          }).trim(),
        ),
      refund_right === 'law' && quiet(link(siteTexts.withdraw, receipt.page)),
      consent !== null &&
        quiet(
          fill(emailsTexts.receipt.agreed, {
            date: formatDay(consent.given_at),
            text: consent.text,
          }),
        ),
      help(),
    ],
  })
  return { ...rendered, to: buyer.email }
}

const isPreorder = ({ release }: Receipt['product']) => release !== null && !release.is_partial

function preview({ product }: Receipt): string {
  const { previewDigital, previewPreorder, processing } = emailsTexts.receipt
  if (product.release && isPreorder(product))
    return fill(previewPreorder, { date: formatDay(product.release.on) })
  return product.is_digital ? previewDigital : processing
}

function amounts(receipt: Receipt): [string, string][] {
  const { price, discount, shipping, shipping_country, tax, is_tax_included, total } = receipt
  const format = (amount: number) => formatMoney(amount, receipt.currency)
  if (discount === 0 && shipping === 0 && tax === 0) return [[emailsTexts.receipt.amount, format(total)]]
  const lines: [string, string][] = [[emailsTexts.receipt.price, format(price)]]
  if (discount > 0) lines.push([emailsTexts.receipt.discount, `−${format(discount)}`])
  if (shipping > 0) lines.push([shippingLabel(shipping_country), format(shipping)])
  if (tax > 0 && !is_tax_included) lines.push([emailsTexts.receipt.tax, format(tax)])
  lines.push([emailsTexts.receipt.amount, format(total)])
  if (is_tax_included) lines.push([emailsTexts.receipt.taxIncluded, format(tax)])
  return lines
}

type Parcel = Pick<Shipment, 'address' | 'carrier' | 'tracking_number'> &
  Pick<AdminShipment, 'display_name' | 'number' | 'product_name' | 'format'> & { to: string }

export async function shippedEmail({
  branding,
  ...parcel
}: Parcel & { branding: MailBranding }): Promise<Email> {
  const { to, display_name, number, product_name, format, address, carrier, tracking_number } = parcel
  const tracked = trackingUrl(carrier, tracking_number)
  const rendered = await renderEmail({
    subject: fill(emailsTexts.shipped.subject, { product: product_name }),
    preview: carrier ? fill(emailsTexts.shipped.previewWith, { carrier }) : emailsTexts.shipped.preview,
    title: emailsTexts.shipped.title,
    branding,
    children: [
      greeting(display_name),
      paragraph(carrier ? fill(emailsTexts.shipped.textWith, { carrier }) : emailsTexts.shipped.text),
      tracked
        ? button(emailsTexts.shipped.follow, tracked)
        : button(emailsTexts.shared.seePurchase, `${branding.siteUrl}/dashboard`),
      facts([
        [emailsTexts.shared.book, product_name],
        [emailsTexts.shared.format, formatsTexts.names[format]],
        ...(carrier ? [[emailsTexts.shipped.carrier, carrier] as const] : []),
        ...(tracking_number ? [[emailsTexts.shipped.tracking, tracking_number] as const] : []),
        ...(address ? [[emailsTexts.shipped.to, addressLines(address).join(', ')] as const] : []),
        [emailsTexts.shared.order, formatOrderNumber(number)],
      ]),
      quiet(emailsTexts.shipped.wrong),
    ],
  })
  return { ...rendered, to }
}
