// Refusals of the API as problem documents (RFC 9457).
import { z } from 'zod'

/** RFC 9457. `fields` maps a field's name to what is wrong with it. */
export const problemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  request_id: z.string(),
})
export type ProblemDocument = z.infer<typeof problemDocument>

export const problemCodeHeader = 'x-problem-code'
