import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { defineJob } from '#platform/job.ts'
import { profiles } from '../accounts/schema.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { post } from '../mails/send-mail.ts'
import { retentionDays } from '../mails/sweep-mails.ts'
import { products } from '../products/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { shipmentColumns, toShipment } from './read-shipment.ts'
import { shipments } from './schema.ts'

/** `shipped_at` identifies the shipping: one that was undone meanwhile gets no email. */
export const shippedMailJob = defineJob({
  name: 'mail.shipped',
  retentionDays,
  payload: z.object({ purchase_id: z.uuid(), shipped_at: z.iso.datetime() }),
  async run(services: Services & WithLetterhead, { purchase_id, shipped_at }, attempt) {
    const parcel = await findParcel(services, purchase_id, new Date(shipped_at))
    if (!parcel) return services.log.info({ purchase_id }, 'no mail: it is not shipped any more')
    const letterhead = await services.letterhead()
    // Loaded with the first mail, as the receipt is.
    const { shippedEmail } = await import('./shipped-email.ts')
    const email = await shippedEmail({ ...parcel, letterhead })
    const replyTo = letterhead.authorEmail
    await post(services, attempt, { kind: 'shipped', purchase_id, email: { ...email, replyTo } })
  },
})

async function findParcel({ db }: Pick<Services, 'db'>, purchase_id: string, shipped_at: Date) {
  const [row] = await db
    .select({
      shipment: shipmentColumns,
      purchase: {
        format: shipments.format,
        number: purchases.number,
        to: profiles.email,
        display_name: profiles.display_name,
        product_name: products.name,
      },
    })
    .from(shipments)
    .innerJoin(purchases, eq(purchases.id, shipments.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(and(eq(shipments.purchase_id, purchase_id), eq(shipments.shipped_at, shipped_at)))
  return row && { ...row.purchase, ...toShipment(row.shipment) }
}
