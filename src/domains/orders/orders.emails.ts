// The confirmation of a purchase with its receipt, and the email that a parcel has left.
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { receiptTexts } from '#words/dashboard.ts'
import { siteTexts } from '#words/site.ts'
import { giftTexts } from '#words/gift.ts'
import { guestTexts } from '#words/guest.ts'
import { formatsTexts } from '#words/buying.ts'
import { formatDay, formatDayIn } from '#contract/intl.ts'
import { formatMoney } from '#contract/money.ts'
import type { Receipt } from '#contract/orders/receipts.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { refundButton } from '#contract/orders/refund-button.ts'
import { deliveryTime, parcelSentence } from '#contract/orders/parcel-words.ts'
import type { DeliveryDays } from '#contract/orders/eu-paper.ts'
import { isPreorder } from '#contract/catalog/preorder.ts'
import { ownName } from '#contract/catalog/product-name.ts'
import { addressLines, shippingLabel, trackingUrl } from '#contract/orders/postal.ts'
import { refundConditions } from '#contract/orders/prices.ts'
import type { Email } from '#platform/mail.ts'
import { purchasesAddress } from '#domains/accounts/links.ts'
import {
  button,
  type Fact,
  facts,
  greeting,
  help,
  link,
  paragraph,
  quiet,
  quotation,
} from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding } from '#domains/mail/email-layout.ts'
import type { AdminShipment } from '#contract/orders/admin-orders.ts'
import type { Shipment } from '#contract/orders/shipments.ts'

type ReceiptFacts = Receipt & {
  /** The pages where the buyer sees the purchase, and its receipt. */
  page: string
  print: string
  /** The day until which they open by themselves, where they are links of an order without an account. */
  opens_until: string | null
  /** The earlier order by which the recipient has the same files. */
  had_since: number | null
  /** Its page says so, and opens no file. */
  is_given_away: boolean
  /** Who has put the order under this address. */
  moved_by: 'author' | 'buyer' | null
  delivery: DeliveryDays | null
  /** The letters that the buyer ticked, until they are confirmed. */
  letters: { words: string; page: string } | null
  /** The title of the page of the terms; null where it is not shown. */
  terms: string | null
}

export async function receiptEmail(receipt: ReceiptFacts, branding: MailBranding): Promise<Email> {
  const { number, buyer, seller, product, shipping_address, invoice_url, consent, letters, total, kept } =
    receipt
  const {
    created_at,
    had_since,
    is_given_away,
    is_test,
    moved_by,
    refund_days,
    promised_from,
    refund_right,
  } = receipt
  const { opens_until, terms } = receipt
  const isOfLink = receipt.sold_by === 'stripe'
  const { release } = product
  const { preorder, restOn, takeBack, giveBack, moved, movedByBuyer } = emailsTexts.receipt
  const isReady = product.is_digital && !isPreorder(product) && !is_given_away
  const isSecond = isReady && had_since !== null
  const dayOf = (at: string) => formatDayIn(at, receipt.time_zone)
  const rendered = await renderEmail({
    subject: fill(emailsTexts.receipt.subject, { product: product.name }),
    preview: preview(receipt, branding),
    title: emailsTexts.receipt.title,
    branding,
    children: [
      greeting(buyer.display_name),
      moved_by !== null && paragraph(moved_by === 'buyer' ? movedByBuyer : moved),
      isSecond && paragraph(fill(emailsTexts.receipt.hadSince, { order: formatOrderNumber(had_since) })),
      isSecond &&
        (refund_right === 'law' || refund_right === 'promise') &&
        paragraph(fill(giveBack, { button: refundButton(refund_right) })),
      isPreorder(product) && paragraph(fill(guestTexts.preordered, { product: product.name })),
      release !== null &&
        paragraph(fill(release.is_partial ? restOn : preorder, { date: formatDay(release.on) })),
      isPreorder(product) &&
        refund_right !== null &&
        paragraph(fill(takeBack, { button: refundButton(refund_right) })),
      isReady && opens_until === null && paragraph(emailsTexts.receipt.ready),
      opens_until !== null && paragraph(openingSentence(dayOf(opens_until), isReady)),
      ...parcelParagraphs(receipt, branding),
      button(isReady ? emailsTexts.receipt.getBook : emailsTexts.shared.seePurchase, receipt.page),
      facts([
        ...nameRows(product, branding),
        ...amounts(receipt),
        [emailsTexts.receipt.date, dayOf(created_at)],
        ...(shipping_address
          ? [[emailsTexts.receipt.shipTo, addressLines(shipping_address).join('\n')] as const]
          : []),
        [emailsTexts.shared.order, formatOrderNumber(number)],
        ...(seller.name && !isOfLink ? [[receiptTexts.soldBy, sellerLines(seller).join('\n')] as const] : []),
      ]),
      quiet(
        link(emailsTexts.receipt.print, receipt.print),
        ...(invoice_url ? [' · ', link(emailsTexts.receipt.invoice, invoice_url, { isSecret: true })] : []),
        ...(terms ? [' · ', link(terms, `${branding.siteUrl}/terms`)] : []),
      ),
      isOfLink && quiet(emailsTexts.receipt.soldByLink),
      is_test && quiet(emailsTexts.receipt.testMode),
      total === 0 && quiet(emailsTexts.receipt.noPayment),
      refund_days > 0 &&
        kept > 0 &&
        quiet(
          fill(isOfLink ? emailsTexts.receipt.guaranteeByLink : emailsTexts.receipt.guarantee, {
            days: refund_days,
            date: promised_from ? formatDay(promised_from) : dayOf(created_at),
            conditions: refundConditions(receipt),
          }).trim(),
        ),
      refund_right === 'law' && quiet(link(siteTexts.withdraw, receipt.page)),
      consent !== null &&
        quiet(
          fill(emailsTexts.receipt.agreed, {
            date: dayOf(consent.given_at),
            text: consent.text,
          }),
        ),
      letters !== null && paragraph(emailsTexts.receipt.lettersTicked),
      letters !== null && quotation(letters.words),
      letters !== null && paragraph(link(emailsTexts.receipt.lettersConfirm, letters.page)),
      help(),
    ],
  })
  return { ...rendered, to: buyer.email }
}

const sellerLines = ({ name, address, email }: Receipt['seller']) => [name, address, email].filter(Boolean)

function openingSentence(date: string, isReady: boolean): string {
  const { opensBook, opensOrder } = emailsTexts.receipt
  return fill(isReady ? opensBook : opensOrder, { date })
}

function preview(receipt: ReceiptFacts, branding: MailBranding): string {
  const { product, is_given_away } = receipt
  const { previewDigital, previewPreorder, processing } = emailsTexts.receipt
  if (product.release && isPreorder(product))
    return fill(previewPreorder, { date: formatDay(product.release.on) })
  if (is_given_away) return giftTexts.givenAway
  if (product.is_digital) return previewDigital
  return branding.is_own ? parcelOf(receipt, branding) : processing
}

function parcelOf({ product, seller, shipping_address }: ReceiptFacts, { author }: MailBranding): string {
  const to = shipping_address && [shipping_address.name, shipping_address.city].filter(Boolean).join(', ')
  return parcelSentence(product, seller.name || author, to || undefined)
}

/** Says who posts the book to whom, and how long that takes; the sample’s buyers are told in the sample’s words. */
function parcelParagraphs(receipt: ReceiptFacts, branding: MailBranding) {
  const { ships, shipping_address, delivery, product } = receipt
  if (!ships) return []
  const { processing, needAddress } = emailsTexts.receipt
  if (!branding.is_own) return [paragraph(processing), !shipping_address && paragraph(needAddress)]
  if (!shipping_address) return [paragraph(needAddress)]
  const sentences = [parcelOf(receipt, branding), delivery && `${deliveryTime(product, delivery)}.`]
  return [paragraph(sentences.filter(Boolean).join(' '))]
}

/** The book and its format in one row; in two where the sample’s words stay. */
function nameRows({ name, format }: Receipt['product'], { title, is_own }: MailBranding) {
  const { book, format: formatLabel } = emailsTexts.shared
  const formatName = formatsTexts.names[format]
  if (is_own) return [[formatName, ownName({ name, format }, title) || title] as const]
  return [[book, name] as const, [formatLabel, formatName] as const]
}

function amounts(receipt: Receipt): Fact[] {
  const { price, discount, shipping, shipping_country, tax, is_tax_included, total, presented } = receipt
  const format = (amount: number) => formatMoney(amount, receipt.currency)
  const paidAs =
    presented && fill(receiptTexts.paidAs, { amount: formatMoney(presented.amount, presented.currency) })
  const sum: Fact = [
    emailsTexts.receipt.amount,
    paidAs ? `${format(total)} (${paidAs})` : format(total),
    'sum',
  ]
  if (discount === 0 && shipping === 0 && tax === 0) return [sum]
  const lines: Fact[] = [[emailsTexts.receipt.price, format(price)]]
  if (discount > 0) lines.push([emailsTexts.receipt.discount, `−${format(discount)}`])
  if (shipping > 0) lines.push([shippingLabel(shipping_country), format(shipping)])
  if (tax > 0 && !is_tax_included) lines.push([emailsTexts.receipt.tax, format(tax)])
  lines.push(sum)
  if (is_tax_included) lines.push([emailsTexts.receipt.taxIncluded, format(tax)])
  return lines
}

type Parcel = Pick<Shipment, 'address' | 'carrier' | 'tracking_number'> &
  Pick<AdminShipment, 'display_name' | 'number' | 'product_name' | 'format'> & {
    to: string
    has_no_password: boolean
  }

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
      paragraph(emailsTexts.shipped.text),
      tracked
        ? button(emailsTexts.shipped.follow, tracked)
        : button(emailsTexts.shared.seePurchase, purchasesAddress(parcel, branding.siteUrl)),
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
