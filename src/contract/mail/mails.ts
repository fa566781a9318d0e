// The log of emails that were sent, as the admin area shows it.
import { z } from 'zod'
import { timestamp, id, searchTerm, cursor, pageOf } from '../fields.ts'

/**
 * `waiting`: an attempt failed, or the author has sent what was unsent, and its job is still to run. `failed`: for good.
 * `unsent`: written to the outbox, because no mail server was set.
 */
export const mailStatuses = ['sent', 'waiting', 'failed', 'unsent'] as const
export type MailStatus = (typeof mailStatuses)[number]

const mail = z.object({
  id,
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  status: z.enum(mailStatuses),
  attempts: z.number().int(),
  /** The mail server's answer. */
  error: z.string().nullable(),
  created_at: timestamp,
  sent_at: timestamp.nullable(),
  purchase: z.object({ id, number: z.number().int() }).nullable(),
})
export type Mail = z.infer<typeof mail>

/** A search by a part of an address or a subject has as many letters at least. */
export const shortestPart = 3

/** `q`: an order number as #1042, an email address, or a part of an address or a subject. */
export const mailListRequest = z.object({
  q: searchTerm.optional(),
  status: z.enum(mailStatuses).optional(),
  after: cursor.optional(),
})
export type MailListRequest = z.infer<typeof mailListRequest>

export const mailList = pageOf(mail).extend({
  /** False where no mail server is set: what is written goes to the outbox. */
  sends_mail: z.boolean(),
  /** The unsent ones that can be sent now; null where there are none, or no mail server is set. */
  sendable: z.object({ count: z.number().int(), oldest_at: timestamp }).nullable(),
  /** The outbox of this machine. */
  folder: z.string(),
})
export type MailList = z.output<typeof mailList>

export const sentMails = z.object({ count: z.number().int() })

/** An unsent mail as this machine's outbox has it. */
const outboxFile = z.object({
  path: z.string(),
  from: z.string(),
  reply_to: z.string().nullable(),
  is_own: z.boolean(),
  /** Links, or what they carry, were taken out of the text and of the page at `page_url`. */
  hides_links: z.boolean(),
  /** The mail's HTML, for a sandboxed frame; the address is valid for minutes. */
  page_url: z.string(),
})

export const mailDetail = mail.extend({
  /** Plain text without secret links; null where it was not saved, or is older than 90 days. */
  text: z.string().nullable(),
  /** Null where the mail was sent, or another machine has it. */
  file: outboxFile.nullable(),
  /** A new one can be sent. */
  is_repeatable: z.boolean(),
  /** It failed for good, and the author has not decided yet. */
  needs_attention: z.boolean(),
})
export type MailDetail = z.infer<typeof mailDetail>
