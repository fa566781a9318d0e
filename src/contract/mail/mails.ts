import { z } from 'zod'
import { timestamp, id, searchTerm } from '../fields.ts'
import { cursor, pageOf } from '../paging.ts'

const keptMailSummary = z.object({
  name: z.string(),
  to: z.string(),
  subject: z.string(),
  kind: z.string().nullable(),
  kept_at: timestamp,
  is_sent: z.boolean(),
})
export type KeptMailSummary = z.output<typeof keptMailSummary>

export const keptMailsRequest = z.object({ after: cursor.optional() })
export type KeptMailsRequest = z.infer<typeof keptMailsRequest>

export const keptMails = pageOf(keptMailSummary).extend({
  is_kept: z.boolean(),
  /** Those that can be sent now; null where there are none, or no mail server is set. */
  sendable: z.object({ count: z.number().int(), oldest_at: timestamp }).nullable(),
  folder: z.string(),
  /** The database may have shops on other machines, whose outboxes this one cannot see. */
  may_be_elsewhere: z.boolean(),
})
export type KeptMails = z.output<typeof keptMails>

export const sentKeptMails = z.object({ count: z.number().int() })

export const keptMail = keptMailSummary.extend({
  from: z.string(),
  reply_to: z.string().nullable(),
  /** Null where it is not known what of it is secret: an earlier version has written the mail. */
  text: z.string().nullable(),
  is_own: z.boolean(),
  /** Links, or what they carry, were taken out of `text` and of the page at `page_url`. */
  hides_links: z.boolean(),
  /** The mail's HTML, for a sandboxed frame; the address is valid for minutes. */
  page_url: z.string(),
})
export type KeptMail = z.output<typeof keptMail>

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
