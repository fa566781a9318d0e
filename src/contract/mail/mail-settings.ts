// Providers that send mail, as their documentation describes them (looked up in November 2026).
import { z } from 'zod'
import { toStoredAddress } from '../field-rules.ts'

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
  /**
   * `tls` from the first byte; `starttls` or no mail at all. Only to a server on this machine, or by SMTP_URL: `opportunistic`,
   * STARTTLS where the server offers it, and `none`.
   */
  encryption: z.enum(['tls', 'starttls', 'opportunistic', 'none']),
  user: z.string().max(1000, 'This is too long.'),
  password: z.string().max(1000, 'This is too long.').optional(),
  from_name: name,
  /** Empty: the shop chooses one. */
  from_address: senderAddress.or(z.literal('')),
  /** The name of the DKIM key, where the provider gives each customer another; empty where it is not known. */
  dkim_selector: z
    .string()
    .max(200)
    .regex(/^(?:[a-z\d](?:[\w.-]*[a-z\d])?)?$/i, 'This is what stands before “._domainkey”.'),
  /** Emails about new editions that leave in an hour at most; receipts are not counted. */
  bulk_per_hour: z
    .int('Please enter a whole number.')
    .min(1, 'Please enter at least 1.')
    .max(100_000, 'Please enter at most 100,000.'),
  /** The server has to be on the internet, at a port of mail servers: a screen must not reach into the shop's own network. */
  is_public_only: z.boolean(),
})
export type MailSettings = z.output<typeof mailSettings>

/** True where only programs on this machine can read what is sent there. */
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
  /** Records that should be there: added, or in place of those that are found. */
  expected: z.array(dnsRecord),
})
export type SenderFinding = z.output<typeof senderFinding>

export const senderDns = z.object({
  address: z.string(),
  domain: z.string(),
  /** Empty where the domain is none of the internet. */
  findings: z.array(senderFinding),
})
export type SenderDns = z.output<typeof senderDns>

export type MailProvider = Pick<MailSettings, 'host' | 'port' | 'encryption'> & {
  name: string
  hosts: RegExp
  user: string
  password: string
  /** The user, where it is the same for all customers. */
  fixedUser?: string
  note?: string
  /**
   * The entry that the SPF record has to include, and its place, seen from the sender's domain. None where the provider
   * sends under a return address of its own.
   */
  spf?: { include: string; prefix?: string }
  dkim: {
    selectors: readonly string[]
    /** The target of a key's CNAME record, where that is the same for all customers. */
    target?: (selector: string, domain: string) => string
    /** Each customer has other keys, so that `selectors` may miss them. */
    isOwn?: true
  }
  /** Domains of the provider: customers can and need not add records there. */
  ownDomains: readonly string[]
}

export const mailProviders: readonly MailProvider[] = [
  {
    name: 'Amazon SES',
    host: 'email-smtp.us-east-1.amazonaws.com',
    hosts: /^email-smtp(-fips)?\.[\w-]+\.amazonaws\.com$/,
    port: 465,
    encryption: 'tls',
    user: 'The SMTP user name that SES made for you. It is not an access key of AWS.',
    password: 'The SMTP password that belongs to it.',
    note: 'Put your own region into the server’s name. A new account is in the sandbox: until Amazon lifts that, it sends to verified addresses only.',
    dkim: { selectors: [], isOwn: true },
    ownDomains: [],
  },
  {
    name: 'Brevo',
    host: 'smtp-relay.brevo.com',
    hosts: /^smtp-relay\.(brevo|sendinblue)\.com$/,
    port: 587,
    encryption: 'starttls',
    user: 'The login that stands under “SMTP & API”.',
    password: 'An SMTP key. An API key does not work.',
    dkim: {
      selectors: ['brevo1', 'brevo2', 'mail'],
      isOwn: true,
    },
    ownDomains: [],
  },
  {
    name: 'Fastmail',
    host: 'smtp.fastmail.com',
    hosts: /^smtp\.fastmail\.com$/,
    port: 465,
    encryption: 'tls',
    user: 'Your Fastmail address, with its domain.',
    password: 'An app password, made under Settings, Privacy & Security. Your own password does not work.',
    spf: { include: 'spf.messagingengine.com' },
    dkim: {
      selectors: ['fm1', 'fm2', 'fm3'],
      target: (selector, domain) => `${selector}.${domain}.dkim.fmhosted.com`,
    },
    ownDomains: ['fastmail.com', 'fastmail.fm'],
  },
  {
    name: 'Gmail or Google Workspace',
    host: 'smtp.gmail.com',
    hosts: /^smtp(-relay)?\.g(oogle)?mail\.com$/,
    port: 465,
    encryption: 'tls',
    user: 'Your whole Google address.',
    password: 'An app password. Google makes one only for accounts with 2-Step Verification.',
    note: 'Google sends some hundred mails a day, with Workspace two thousand.',
    spf: { include: '_spf.google.com' },
    dkim: { selectors: ['google'] },
    ownDomains: ['gmail.com', 'googlemail.com'],
  },
  {
    name: 'iCloud Mail',
    host: 'smtp.mail.me.com',
    hosts: /^smtp\.mail\.me\.com$/,
    port: 587,
    encryption: 'starttls',
    user: 'Your address at iCloud, also when you send under a domain of your own.',
    password: 'An app-specific password, made at account.apple.com.',
    spf: { include: 'icloud.com' },
    dkim: {
      selectors: ['sig1'],
      target: (selector, domain) => `${selector}.dkim.${domain}.at.icloudmailadmin.com`,
    },
    ownDomains: ['icloud.com', 'me.com', 'mac.com'],
  },
  {
    name: 'Mailgun',
    host: 'smtp.mailgun.org',
    hosts: /^smtp(\.eu)?\.mailgun\.org$/,
    port: 465,
    encryption: 'tls',
    user: 'An SMTP user of your domain, as postmaster@mg.example.com.',
    password: 'The password of that SMTP user. An API key does not work.',
    note: 'For a domain in the EU, the server is smtp.eu.mailgun.org. Send under the domain that you added at Mailgun.',
    spf: { include: 'mailgun.org' },
    dkim: {
      selectors: ['pdk1', 'pdk2', 'mx', 'smtp', 'k1', 'pic', 'mailo', 'email'],
      isOwn: true,
    },
    ownDomains: [],
  },
  {
    name: 'Postmark',
    host: 'smtp.postmarkapp.com',
    hosts: /^smtp(-broadcasts)?\.postmarkapp\.com$/,
    port: 587,
    encryption: 'starttls',
    user: 'The Server API token.',
    password: 'The same Server API token once more.',
    dkim: { selectors: [], isOwn: true },
    ownDomains: [],
  },
  {
    name: 'Resend',
    host: 'smtp.resend.com',
    hosts: /^smtp\.resend\.com$/,
    port: 465,
    encryption: 'tls',
    user: 'The word resend, for everybody.',
    fixedUser: 'resend',
    password: 'An API key: it begins with re_.',
    spf: { include: 'amazonses.com', prefix: 'send.' },
    dkim: { selectors: ['resend'] },
    ownDomains: [],
  },
]

/** Domains where anybody can have an address, and whose owners allow no other servers to send for them. */
const freeDomains = new Set([
  ...mailProviders.flatMap(({ ownDomains }) => ownDomains),
  'aol.com',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'hotmail.com',
  'live.com',
  'mail.ru',
  'msn.com',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  'web.de',
  'yahoo.com',
  'yandex.ru',
])

export function findProvider(host: string): MailProvider | undefined {
  return mailProviders.find(({ hosts }) => hosts.test(host.toLowerCase()))
}

export function isFreeDomain(domain: string): boolean {
  return freeDomains.has(domain)
}
