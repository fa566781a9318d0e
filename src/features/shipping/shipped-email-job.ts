// The mail that says: it is on its way.
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { shipments } from './schema.ts'
import { profiles } from '../accounts/schema.ts'
import { products } from '../products/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { defineJob } from '#platform/job.ts'
import type { Services } from '../../services.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { post } from '../mails/send-mail.ts'
import { retentionDays } from '../mails/sweep-mails.ts'
import { shipmentColumns, toShipment } from './read-shipment.ts'

/** `shipped_at` tells one shipping from the next: what was taken back meanwhile is not told. */
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
    await post(services, attempt, {
      kind: 'shipped',
      purchase_id,
      email: { ...email, replyTo: letterhead.authorEmail },
    })
  },
})

async function findParcel({ db }: Pick<Services, 'db'>, purchase_id: string, shipped_at: Date) {
  const [row] = await db
    .select({
      ...shipmentColumns,
      format: shipments.format,
      number: purchases.number,
      to: profiles.email,
      display_name: profiles.display_name,
      product_name: products.name,
    })
    .from(shipments)
    .innerJoin(purchases, eq(purchases.id, shipments.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(and(eq(shipments.purchase_id, purchase_id), eq(shipments.shipped_at, shipped_at)))
  if (!row) return undefined
  const { number, to, display_name, product_name, format } = row
  return { purchase_id, number, to, display_name, product_name, format, ...toShipment(row) }
}
