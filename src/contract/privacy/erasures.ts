// The erasure of an account: its day, what it waits for, and the buyer that stays readable for authorities.
import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { storedAddress } from '../orders/shipments.ts'

/** Days to change one's mind. */
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
