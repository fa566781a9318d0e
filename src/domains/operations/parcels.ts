import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { midnight } from '#platform/db/days.ts'
import { button, facts } from '#domains/mail/email-blocks.ts'
import { plainLine } from '#domains/mail/plain-text.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines } from '#contract/orders/postal.ts'
import { listParcels } from '#domains/orders/shipments.ts'
import type { AuthorEmail } from '#domains/mail/author-emails.ts'
import { dateOf } from './date-of.ts'

/** The id is a day, as 2026-11-05: of its orders, what is not shipped on the next morning. */
export const parcels: AuthorEmail = {
  setting: 'parcels',
  async compose({ db, settings }, day, siteUrl) {
    const { time_zone } = settings.get().shop
    const found = await listParcels(db, midnight(day, time_zone), midnight(day, time_zone, 1))
    if (found.length === 0) return undefined
    const texts = emailsTexts.author.parcels
    const title = fill(texts.title, { date: dateOf(day) })
    return {
      subject: title,
      title,
      preview: found.map(({ product_name }) => product_name).join(', '),
      children: [
        facts(
          found.map(({ number, product_name, address }) => {
            const place = address ? plainLine(addressLines(address).join(', '), 400) : texts.noAddress
            return [formatOrderNumber(number), `${product_name} · ${place}`] as const
          }),
        ),
        button(texts.button, `${siteUrl}/admin/shipping`),
      ],
    }
  },
}
