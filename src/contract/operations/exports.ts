import { z } from 'zod'
import { orderListRequest } from '../payments/orders.ts'
import { userListRequest } from '../accounts/users.ts'
import { reportTables } from './report-tables.ts'
import { reportRequest } from './sales.ts'

export const exportRequest = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('purchases'), ...orderListRequest.omit({ after: true }).shape }),
  z.strictObject({ list: z.literal('users'), ...userListRequest.pick({ q: true }).shape }),
  z.strictObject({ list: z.literal('sales'), table: z.enum(reportTables), ...reportRequest.shape }),
])
export type ExportRequest = z.infer<typeof exportRequest>

export const exportLink = z.object({ url: z.string() })
