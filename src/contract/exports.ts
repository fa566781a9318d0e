// Lists to take away: asked for by an admin, then fetched by the browser under a link of its own.
import { z } from 'zod'
import { day } from './sales.ts'

export const exportRequest = z.strictObject({
  list: z.enum(['purchases', 'users']),
  /** Days of the shop's time zone, both included; without them, from the first or to the last. */
  from: day.optional(),
  to: day.optional(),
})
export type ExportRequest = z.infer<typeof exportRequest>

/** Relative to the site; works for some minutes and without further headers. */
export const exportLink = z.object({ url: z.string() })
