import { z } from 'zod'

const dnsRecord = z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })
export type DnsRecord = z.output<typeof dnsRecord>

const senderFinding = z.object({
  topic: z.enum(['SPF', 'DKIM', 'DMARC']),
  /** `unclear`: whether it is right cannot be told from here. */
  state: z.enum(['good', 'not_needed', 'missing', 'wrong', 'unclear']),
  explanation: z.string(),
  found: z.array(dnsRecord),
  /** What should be there: added, or in place of what is found. */
  wanted: z.array(dnsRecord),
})
export type SenderFinding = z.output<typeof senderFinding>

export const senderDns = z.object({
  address: z.string(),
  domain: z.string(),
  /** Empty where the domain is none of the internet. */
  findings: z.array(senderFinding),
})
export type SenderDns = z.output<typeof senderDns>
