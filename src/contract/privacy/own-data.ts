// The data that the shop has of a user, for that user.
import { z } from 'zod'
import { timestamp } from '../fields.ts'

/** The order is that of the page that shows them. */
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
  'letters',
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
