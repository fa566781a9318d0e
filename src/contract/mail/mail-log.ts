import { z } from 'zod'
import { id, searchTerm, timestamp } from '../fields.ts'
import { cursor, pageOf } from '../paging.ts'

const mailStatuses = ['sent', 'kept', 'failed'] as const

const loggedMail = z.object({
  id,
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  /** `kept`: not sent, because no mail server was set. */
  status: z.enum(mailStatuses),
  attempts: z.number().int(),
  /** What the mail server said. */
  error: z.string().nullable(),
  created_at: timestamp,
  sent_at: timestamp.nullable(),
  purchase: z.object({ id, number: z.number().int() }).nullable(),
})
export type LoggedMail = z.infer<typeof loggedMail>

/** `q`: an email address, or an order number as #1042. */
export const mailLogRequest = z.object({
  q: searchTerm.optional(),
  status: z.enum(mailStatuses).optional(),
  after: cursor.optional(),
})
export type MailLogRequest = z.infer<typeof mailLogRequest>

export const mailLog = pageOf(loggedMail)

export const loggedMailDetail = loggedMail.extend({
  /** As plain text, without links; null where it was not saved, or is older than 90 days. */
  body: z.string().nullable(),
  /** A new one can be sent. */
  is_repeatable: z.boolean(),
})
export type LoggedMailDetail = z.infer<typeof loggedMailDetail>
