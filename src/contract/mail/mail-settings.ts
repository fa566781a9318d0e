import { z } from 'zod'
import { toStoredAddress } from '../email-address.ts'

const hostName = z
  .string()
  .max(253)
  .regex(
    /^(?:[\w-]+(?:\.[\w-]+)*|\[[a-f\d:]+\])$/i,
    'Please enter the name of a server, as smtp.example.com.',
  )

/** Other than a reader's: it may be of a machine without a domain. */
const senderAddress = z
  .string()
  .transform(toStoredAddress)
  .pipe(
    z
      .string()
      .max(254, 'This address is too long.')
      .regex(/^[^\s<>@"(),:;\\]+@[\w.-]+$/, 'Please enter a valid email address.'),
  )

const name = z
  .string()
  .max(200, 'Please keep this under 200 characters.')
  .refine((value) => !/[\p{Cc}"<>]/u.test(value), 'A name has no quotes and no angle brackets.')

export const mailSettings = z.object({
  /** Empty: mails are not sent but kept in the outbox. */
  host: hostName.or(z.literal('')),
  port: z.int('Please enter a port.').min(1, 'Please enter a port.').max(65_535, 'Please enter a port.'),
  /** `tls` from the first byte; `starttls` or no mail at all; `none`: only to a server on this machine. */
  encryption: z.enum(['tls', 'starttls', 'none']),
  user: z.string().max(1000, 'This is too long.'),
  password: z.string().min(1).max(1000, 'This is too long.').optional(),
  from_name: name,
  /** Empty: the shop chooses one. */
  from_address: senderAddress.or(z.literal('')),
  /** The name of the DKIM key, where the provider gives each customer another; empty where it is not known. */
  dkim_selector: z
    .string()
    .max(200)
    .regex(/^(?:[a-z\d](?:[\w.-]*[a-z\d])?)?$/i, 'This is what stands before “._domainkey”.'),
  /** How many emails about new editions leave in an hour; receipts are not counted. */
  bulk_per_hour: z
    .int('Please enter a whole number.')
    .min(1, 'Please enter at least 1.')
    .max(100_000, 'Please enter at most 100,000.'),
  /**
   * The server has to be on the internet, at a port of mail servers: a screen must not reach into the shop's own network.
   * Set with each change of host or port; a server that an older version has stored may be inside.
   */
  is_public_only: z.boolean(),
})
export type MailSettings = z.output<typeof mailSettings>

/** Whether only programs on this machine can read what is sent there. */
export function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host)
}

export const mailTest = z.object({
  is_accepted: z.boolean(),
  to: z.string(),
  answer: z.string(),
  advice: z.string(),
})
export type MailTest = z.output<typeof mailTest>

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
