// What the buyer of a purchase asks the shop for, by the session.
import { api, responseOf } from '../../api.ts'
import type { FileChoice } from '../../downloads.tsx'

export const downloadOf = (id: string) => (json: FileChoice) =>
  responseOf(api.purchases[':id'].download.$post({ param: { id }, json }))

export const refundOf = (id: string) => (reason: string) =>
  responseOf(api.purchases[':id'].refund.$post({ param: { id }, json: { reason } }))
