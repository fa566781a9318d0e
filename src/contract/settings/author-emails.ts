// The emails that notify the author; each can be turned off.
import { z } from 'zod'

export const authorEmailSettings = z.object({
  /** One summary is sent on the next morning from the tenth sale of a day on. */
  sale: z.boolean(),
  /** Each morning: of the orders of the day before, what is not shipped. */
  parcels: z.boolean(),
  message: z.boolean(),
  refund_asked: z.boolean(),
  dispute: z.boolean(),
  /** Backups and payments at once; what else failed, on the next morning. */
  failures: z.boolean(),
  weekly_summary: z.boolean(),
})
export const authorEmailNames = [
  'sale',
  'daily_sales',
  'parcels',
  'failures',
  'refund_asked',
  'dispute',
  'weekly_summary',
] as const
export type AuthorEmailName = (typeof authorEmailNames)[number]

export type AuthorEmailSetting = keyof z.infer<typeof authorEmailSettings>
