// Lists to take away: asked for by an admin, then fetched by the browser under a link of its own.
import { z } from 'zod'
import { purchaseStatus } from './purchases.ts'
import { day } from './sales.ts'

/** Days of the shop's time zone, both included; without them, from the first or to the last. */
const range = { from: day.optional(), to: day.optional() }

export const exportRequest = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('purchases'), ...range, status: purchaseStatus.optional() }),
  z.strictObject({ list: z.literal('users'), ...range }),
])
export type ExportRequest = z.infer<typeof exportRequest>

/** Relative to the site; works for some minutes and without further headers. */
export const exportLink = z.object({ url: z.string() })
