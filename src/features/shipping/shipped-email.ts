import { formatOrderNumber } from '../purchases/contract/order-number.ts'
import { addressLines, trackingUrl } from './contract/postal.ts'
import { formatNames } from '../products/contract/format-names.ts'
import type { AdminShipment } from './contract/admin-shipments.ts'
import type { Shipment } from './contract/shipments.ts'
import type { Email } from '#platform/mail.ts'
import { button, facts, greeting, paragraph, quiet } from '../mails/email-blocks.ts'
import { renderEmail } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

type Parcel = Pick<Shipment, 'address' | 'carrier' | 'tracking_number'> &
  Pick<AdminShipment, 'display_name' | 'number' | 'product_name' | 'format'> & { to: string }

export async function shippedEmail({
  letterhead,
  ...parcel
}: Parcel & { letterhead: Letterhead }): Promise<Email> {
  const { to, display_name, number, product_name, format, address, carrier, tracking_number } = parcel
  const tracked = trackingUrl(carrier, tracking_number)
  const rendered = await renderEmail({
    subject: `On its way: ${product_name}`,
    preview: carrier ? `Your book has left with ${carrier}.` : 'Your book has left for you.',
    title: 'Your book is on its way',
    letterhead,
    children: [
      greeting(display_name),
      paragraph(
        carrier
          ? `We have handed your book to ${carrier}. May it arrive soon and be read long.`
          : 'We have sent your book off. May it arrive soon and be read long.',
      ),
      tracked
        ? button('Follow your parcel', tracked)
        : button('See your purchase', `${letterhead.siteUrl}/dashboard`),
      facts([
        ['Book', product_name],
        ['Format', formatNames[format]],
        ...(carrier ? [['Carrier', carrier] as const] : []),
        ...(tracking_number ? [['Tracking', tracking_number] as const] : []),
        ...(address ? [['To', addressLines(address).join(', ')] as const] : []),
        ['Order', formatOrderNumber(number)],
      ]),
      quiet('Is the address not right, or does nothing come? Reply to this email and we will look into it.'),
    ],
  })
  return { ...rendered, to }
}
