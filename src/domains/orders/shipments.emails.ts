import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines, trackingUrl } from '#contract/orders/postal.ts'
import { formatsTexts } from '#words/buying.ts'
import type { AdminShipment } from '#contract/orders/admin-orders.ts'
import type { Shipment } from '#contract/orders/shipments.ts'
import type { Email } from '#platform/mail.ts'
import {
  button,
  facts,
  greeting,
  paragraph,
  quiet,
  renderEmail,
  type MailBranding,
} from '#domains/mail/email-layout.ts'

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
