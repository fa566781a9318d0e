// What the shop has of a user, for that user, and how it is erased.
import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { storedAddress } from '../orders/shipments.ts'

// What the shop has of a user, for that user.

/** In the order in which a page shows them. */
export const ownDataLists = [
  'account',
  'second_factors',
  'sessions',
  'known_browsers',
  'security_events',
  'admin_actions',
  'purchases',
  'addresses',
  'consents',
  'refunds',
  'withdrawals',
  'payment_outages',
  'downloads',
  'gifts',
  'messages',
  'emails',
] as const
export type OwnDataList = (typeof ownDataLists)[number]

const row = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
export type OwnDataRow = z.infer<typeof row>

/** Lists of flat rows. Times are ISO 8601, amounts decimals in the currency of their row. */
export const ownData = z.object({
  shop: z.string(),
  made_at: timestamp,
  lists: z.record(z.enum(ownDataLists), z.array(row)),
})
export type OwnData = z.infer<typeof ownData>

/** To change one's mind. */
export const erasureDays = 14

/** Full years after that of the purchase: the longest that tax laws of the EU and the US ask for. */
export const lockedYears = 10

export const ownErasure = z.object({
  /** Null where none was asked for. */
  due_at: timestamp.nullable(),
  /** An order that is under way is finished first, however long it takes. */
  has_open_orders: z.boolean(),
  is_admin: z.boolean(),
})
export type OwnErasure = z.infer<typeof ownErasure>

export const lockedBuyer = z.object({
  email: z.string(),
  display_name: z.string().nullable(),
  address: storedAddress.nullable(),
  invoice_url: z.string().nullable(),
  locked_until: timestamp,
})
export type LockedBuyer = z.infer<typeof lockedBuyer>
