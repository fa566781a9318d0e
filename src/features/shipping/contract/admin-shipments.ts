// What goes by post, as the admin area lists, prints and ships it.
import { z } from 'zod'
import { id, optionalLine, timestamp } from '#platform/contract/fields.ts'
import { boundedCount, cursor, pageOf } from '#platform/contract/paging.ts'
import { format, type Format } from '../../products/contract/products.ts'
import { purchaseStatus } from '../../purchases/contract/purchases.ts'
import { shipment } from './shipments.ts'

/** A shipment as the admin area lists it and prints its slip. */
const adminShipment = shipment.extend({
  purchase_id: id,
  /** The purchase's order number. */
  number: z.number().int(),
  /** What was bought then. */
  format,
  product_name: z.string(),
  /** One of each: the parts of a bundle, paper first, or else what was bought itself. */
  contents: z.array(z.object({ product_id: id, name: z.string(), format })),
  email: z.string(),
  display_name: z.string().nullable(),
  purchase_status: purchaseStatus,
  /** Made with a test key: nobody has paid for it. */
  is_test: z.boolean(),
  created_at: timestamp,
})
export type AdminShipment = z.infer<typeof adminShipment>

/** The formats that can have something on paper in them. */
export const shippedFormats = ['paperback', 'hardcover', 'bundle'] as const satisfies readonly Format[]

export const shipmentViews = ['to_ship', 'shipped'] as const
export type ShipmentView = (typeof shipmentViews)[number]

export const shipmentListRequest = z.object({
  view: z.enum(shipmentViews).default('to_ship'),
  format: z.enum(shippedFormats).optional(),
  after: cursor.optional(),
})
export type ShipmentListRequest = z.infer<typeof shipmentListRequest>

/** To ship: oldest first. Shipped: newest first. */
export const shipmentList = pageOf(adminShipment).extend({ to_ship: boundedCount })
export type ShipmentList = z.infer<typeof shipmentList>

/** As many as a page of the list holds. */
const maxAtOnce = 50

export const slipsRequest = z.object({
  /** Separated by commas. */
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
        /** As the author saw it: with another address by now, it may have gone to the wrong one, and is not marked. */
        updated_at: timestamp.optional(),
      }),
    )
    .min(1)
    .max(maxAtOnce),
  /** Whether the users get a mail. */
  is_told: z.boolean().default(true),
})
export type ShippedRequest = z.infer<typeof shippedRequest>

/** `skipped`: another admin has shipped it, it is not paid for any more, or it has another address by now. */
export const shippedResponse = z.object({ shipped: z.array(id), skipped: z.array(id) })
