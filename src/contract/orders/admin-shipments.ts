import { z } from 'zod'
import { id, optionalLine, timestamp } from '../fields.ts'
import { boundedCount, cursor, pageOf } from '../paging.ts'
import { format, type Format } from '../catalog/products.ts'
import { purchaseStatus } from './purchases.ts'
import { shipment } from './shipments.ts'

const adminShipment = shipment.extend({
  purchase_id: id,
  number: z.number().int(),
  format,
  product_name: z.string(),
  contents: z.array(z.object({ product_id: id, name: z.string(), format })),
  email: z.string(),
  display_name: z.string().nullable(),
  purchase_status: purchaseStatus,
  is_test: z.boolean(),
  created_at: timestamp,
})
export type AdminShipment = z.infer<typeof adminShipment>

export const shippedFormats = ['paperback', 'hardcover', 'bundle'] as const satisfies readonly Format[]

export const shipmentViews = ['to_ship', 'shipped'] as const
export type ShipmentView = (typeof shipmentViews)[number]

export const shipmentListRequest = z.object({
  view: z.enum(shipmentViews).default('to_ship'),
  format: z.enum(shippedFormats).optional(),
  after: cursor.optional(),
})
export type ShipmentListRequest = z.infer<typeof shipmentListRequest>

export const shipmentList = pageOf(adminShipment).extend({ to_ship: boundedCount })
export type ShipmentList = z.infer<typeof shipmentList>

const maxAtOnce = 50

export const slipsRequest = z.object({
  ids: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(id).min(1).max(maxAtOnce)),
})

export const slips = z.array(adminShipment)

const carrier = optionalLine(60)
const tracking_number = optionalLine(60)

export const tracking = z.strictObject({ carrier, tracking_number })
export type Tracking = z.infer<typeof tracking>

export const shippedRequest = z.strictObject({
  parcels: z
    .array(
      z.strictObject({
        purchase_id: id,
        carrier,
        tracking_number,
        /** As the author saw it: a parcel with another address by now is not marked as shipped. */
        updated_at: timestamp.optional(),
      }),
    )
    .min(1)
    .max(maxAtOnce),
  is_told: z.boolean().default(true),
})
export type ShippedRequest = z.infer<typeof shippedRequest>

/** `skipped`: another admin has shipped it, it is not paid for any more, or it has another address by now. */
export const shippedResponse = z.object({ shipped: z.array(id), skipped: z.array(id) })
export type ShippedResponse = z.infer<typeof shippedResponse>
