// The request of a CSV file of a report, and the link to it.
import { z } from 'zod'
import { orderListRequest } from '../orders/admin-orders.ts'
import { userListRequest } from '../accounts/users.ts'
import { reportRequest } from './sales.ts'
import { csvSeparators, reportTables } from './report-tables.ts'

const separator = z.enum(csvSeparators).default('comma')

export const exportRequest = z.discriminatedUnion('list', [
  z.strictObject({
    list: z.literal('purchases'),
    separator,
    ...orderListRequest.omit({ after: true }).shape,
  }),
  z.strictObject({ list: z.literal('users'), separator, ...userListRequest.pick({ q: true }).shape }),
  z.strictObject({ list: z.literal('subscribers'), separator }),
  z.strictObject({
    list: z.literal('sales'),
    separator,
    table: z.enum(reportTables),
    ...reportRequest.shape,
  }),
])
export type NewExport = z.input<typeof exportRequest>
export type ExportRequest = z.infer<typeof exportRequest>

export const exportLink = z.object({ url: z.string() })
