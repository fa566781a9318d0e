// Exports: requested by an admin, then fetched by the browser under a signed link.
import { z } from 'zod'
import { orderListRequest } from '../../orders/contract/orders.ts'
import { userListRequest } from '../../users/contract.ts'

/** Narrowed as the list in the admin area is; without anything, all there is. */
export const exportRequest = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('purchases'), ...orderListRequest.omit({ after: true }).shape }),
  z.strictObject({ list: z.literal('users'), ...userListRequest.pick({ q: true }).shape }),
])
export type ExportRequest = z.infer<typeof exportRequest>

/** Relative to the site; works for some minutes and without further headers. */
export const exportLink = z.object({ url: z.string() })
