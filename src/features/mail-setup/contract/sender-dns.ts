// What the records of the sender's domain say about mails, as the admin area shows it.
import { z } from 'zod'

const dnsRecord = z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })
export type DnsRecord = z.output<typeof dnsRecord>

const senderFinding = z.object({
  topic: z.enum(['SPF', 'DKIM', 'DMARC']),
  /** `unclear`: whether it is right cannot be told from here. */
  state: z.enum(['good', 'not_needed', 'missing', 'wrong', 'unclear']),
  /** In plain words, with what to do. */
  explanation: z.string(),
  /** What is there. */
  found: z.array(dnsRecord),
  /** What should be there: added, or in place of what is found. */
  wanted: z.array(dnsRecord),
})
export type SenderFinding = z.output<typeof senderFinding>

export const senderDns = z.object({
  /** Who mails come from. */
  address: z.string(),
  domain: z.string(),
  /** Empty where the domain is none of the internet. */
  findings: z.array(senderFinding),
})
export type SenderDns = z.output<typeof senderDns>
