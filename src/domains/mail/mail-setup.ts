// The setup of the mail server: a test email with advice, and the check of the sender's domain.
import { z } from 'zod'
import { PermanentFailure } from '#platform/queue.ts'
import { SlowAnswer, type Mail } from '#platform/mail.ts'
import { PrivateHostError } from '#platform/public-connection.ts'
import {
  type MailTest,
  type MailProvider,
  findProvider,
  isFreeDomain,
  type DnsRecord,
  type SenderFinding,
  type SenderDns,
  type MailSettings,
} from '#contract/mail/mail-settings.ts'
import { randomUUID } from 'node:crypto'
import { emailsTexts } from '#words/emails.ts'
import { mailProblem, type MailShop } from './shop.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { paragraph, quiet, renderEmail, type Rendered, type MailBranding } from './email-layout.ts'
import type { LookUpTexts } from '#platform/dns-texts.ts'

const refusal = z.object({
  message: z.string(),
  code: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
})
type Refusal = z.output<typeof refusal>

const answersSlowly =
  'The server answers slowly. The shop waits for it, up to ten minutes for each email: emails arrive later for that.'

const refusesGreeting =
  'The server ended the connection when the shop said its name: the host of the shop’s address, or the name of the machine where that address is localhost. Give the shop its own address, or another name with ?name= in SMTP_URL, where the shop is started. A busy server does the same: then a later attempt works.'

const explanations: [fits: (refused: Refusal) => boolean, advice: string][] = [
  [
    ({ code }) => code === 'EAUTH' || code === 'ENOAUTH',
    'The server did not accept user and password. Many providers want a password made for programs (an app password, an SMTP key or a token) instead of your own.',
  ],
  [
    ({ code, message }) => code === 'ETLS' || code === 'EREQUIRETLS' || /STARTTLS/i.test(message),
    'The connection could not be encrypted. Choose the encryption that belongs to the port: TLS with 465, STARTTLS with 587.',
  ],
  [
    ({ message }) => /certificate|self.signed|altname/i.test(message),
    'The certificate of the server does not fit its name, so it may be another server. Enter the name that your provider gives.',
  ],
  [
    ({ message }) => /wrong version number|packet length|SSL routines/i.test(message),
    'The server does not begin with encryption on this port. Choose STARTTLS, or port 465 for TLS.',
  ],
  [({ command }) => command === 'EHLO' || command === 'HELO', refusesGreeting],
  [({ message }) => /^Timeout$|Greeting never received/.test(message), answersSlowly],
  [
    ({ code, message }) => code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message),
    'There is no server of this name, or this machine cannot look names up. Look for a typing mistake.',
  ],
  [
    ({ message }) => /ECONNREFUSED/.test(message),
    'Nothing listens on this port of the server. Compare name and port with what your provider gives.',
  ],
  [
    ({ code, message }) =>
      ['ETIMEDOUT', 'ECONNECTION', 'ESOCKET'].includes(code ?? '') ||
      /E(HOST|NET)UNREACH|ETIMEDOUT/.test(message),
    'The server did not answer. Many hosters block these ports for new machines: ask yours to open them, or try another port that your provider names, often 2525.',
  ],
  [
    ({ command }) => command === 'MAIL FROM',
    'The server does not send for this sender. Enter an address that belongs to your account there, or verify its domain with your provider.',
  ],
  [
    ({ command }) => command === 'RCPT TO',
    'The server does not send to your address. A new account may only send to verified addresses until its provider lifts that.',
  ],
  [
    ({ command }) => command === 'DATA',
    'The server took sender and recipient, and refused the mail itself. Often the sender’s domain is not verified yet with the provider.',
  ],
]

const privateHost =
  'Enter the name that your provider gives. A server on the shop’s machine or in its network is set with SMTP_URL, where the shop is started.'
const unknown = 'Compare the settings with what your provider gives for sending by SMTP.'

export function explainRefusal(error: unknown): Pick<MailTest, 'answer' | 'advice'> {
  // A refusal for good is wrapped, so that its job is not tried again.
  const original = error instanceof PermanentFailure ? error.cause : error
  if (original instanceof SlowAnswer) return { answer: original.message, advice: answersSlowly }
  if (original instanceof PrivateHostError) return { answer: original.message, advice: privateHost }
  const { data } = refusal.safeParse(original)
  if (!data) return { answer: String(error), advice: unknown }
  const explanation = explanations.find(([fits]) => fits(data))
  return { answer: data.response ?? data.message, advice: explanation?.[1] ?? unknown }
}

export async function sendTest({ db, mail, composeMail }: MailShop, actor: Actor): Promise<MailTest> {
  if (mail.isKept()) throw mailProblem('mail_setup.no_server')
  const to = actor.email
  const outcome = await trySending(mail, { to, ...(await composeMail(testEmail)) })
  const detail = { accepted: outcome.is_accepted, answer: outcome.answer }
  await recordAuditEvent(db, actor, { action: 'mails.tested', subject: to, detail })
  return { to, ...outcome }
}

async function trySending(mail: Mail, email: Parameters<Mail['send']>[0]): Promise<Omit<MailTest, 'to'>> {
  try {
    return { is_accepted: true, answer: (await mail.send(email, randomUUID())) ?? '', advice: '' }
  } catch (error) {
    return { is_accepted: false, ...explainRefusal(error) }
  }
}

function testEmail(branding: MailBranding): Promise<Rendered> {
  const { title, preview, text, spam } = emailsTexts.test
  return renderEmail({ title, preview, branding, children: [paragraph(text), quiet(spam)] })
}

// Whether the DNS of the sender's domain lets mails through: SPF, DKIM and DMARC, explained.

// DKIM (RFC 6376): the key that a provider signs a domain's mails with.

type Finding = Omit<SenderFinding, 'topic'>

/** `selector`: as the admin has entered it; empty where it is not known. Throws where the name servers do not answer. */
async function checkDkim(
  lookUp: LookUpTexts,
  domain: string,
  { provider, selector }: { provider: MailProvider | undefined; selector: string },
): Promise<Finding> {
  // Where a provider's keys have the same names for everybody, one that was entered for another counts no more.
  const entered = !provider || provider.dkim.isOwn ? selector : ''
  const selectors = entered ? [entered] : (provider?.dkim.selectors ?? [])
  const keys = await Promise.all(
    selectors.map(async (each) => {
      const name = `${each}._domainkey.${domain}`
      return (await lookUp(name)).map((value): DnsRecord => ({ type: 'TXT', name, value }))
    }),
  )
  const matches = keys.flat().filter(({ value }) => /(^|;)\s*p=/i.test(value))
  const who = provider?.name ?? 'Your provider'
  if (matches.some(({ value }) => /(^|;)\s*p=\s*[a-z\d+/]/i.test(value))) {
    return {
      state: 'good',
      explanation: `${who} can sign mails from ${domain}, and everybody can check the signature.`,
      found: matches,
      wanted: [],
    }
  }
  if (matches.length > 0) {
    return {
      state: 'wrong',
      explanation: 'The key was revoked: its record is empty. Your provider shows the one that counts now.',
      found: matches,
      wanted: [],
    }
  }
  if (entered || (provider && !provider.dkim.isOwn)) return missing(domain, who, provider, selectors)
  return {
    state: 'unclear',
    explanation: `${who} gives each customer keys with names of their own, so they cannot be looked up without that name. It is what stands before “._domainkey” where your provider shows the records of your domain: enter it above as the DKIM selector.`,
    found: [],
    wanted: [],
  }
}

function missing(
  domain: string,
  who: string,
  provider: MailProvider | undefined,
  selectors: readonly string[],
): Finding {
  const target = provider?.dkim.target
  const items = selectors.map((each): DnsRecord => ({
    type: target ? 'CNAME' : 'TXT',
    name: `${each}._domainkey.${domain}`,
    value: target?.(each, domain) ?? `The key that ${who} shows for your domain`,
  }))
  return {
    state: 'missing',
    explanation: target
      ? `Mails from ${domain} are not signed in its name. Add these records where the domain’s DNS is managed.`
      : `Mails from ${domain} are not signed in its name. ${who} shows the record to add where you have added the domain there.`,
    found: [],
    wanted: items,
  }
}

// DMARC (RFC 7489): what a domain asks to be done with mails that fail SPF and DKIM.

const consequences: Record<string, string> = {
  none: 'Mails that fail are delivered all the same. When everything above is good for some weeks, p=quarantine protects your name.',
  quarantine: 'Mails that fail go to the spam folder, so SPF or DKIM has to be good.',
  reject: 'Mails that fail are refused, so SPF or DKIM has to be good.',
}

/** A domain without a record has that of the domain above it. Throws where the name servers do not answer. */
async function checkDmarc(lookUp: LookUpTexts, domain: string): Promise<Finding> {
  for (const each of withParents(domain)) {
    const name = `_dmarc.${each}`
    const texts = (await lookUp(name)).filter((text) => /^v=DMARC1\s*(;|$)/i.test(text))
    if (texts.length > 0) return judgePolicy(texts.map((value) => ({ type: 'TXT', name, value })))
  }
  return {
    state: 'missing',
    explanation:
      'Large mail providers expect this record of everybody who sends. This one changes nothing for your mails yet.',
    found: [],
    wanted: [recordOf(`_dmarc.${domain}`)],
  }
}

function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'))
}

function judgePolicy(dnsRecords: DnsRecord[]): Finding {
  const [record] = dnsRecords
  const [, policy = ''] = /;\s*p\s*=\s*(\w+)/i.exec(record?.value ?? '') ?? []
  const consequence = consequences[policy.toLowerCase()]
  if (record && dnsRecords.length === 1 && consequence)
    return { state: 'good', explanation: consequence, found: dnsRecords, wanted: [] }
  return {
    state: 'wrong',
    explanation:
      dnsRecords.length > 1
        ? 'There are several DMARC records, so none of them counts. Keep one.'
        : 'The DMARC record names no policy (p=none, quarantine or reject), so it does not count.',
    found: dnsRecords,
    wanted: record ? [recordOf(record.name)] : [],
  }
}

function recordOf(name: string): DnsRecord {
  return { type: 'TXT', name, value: 'v=DMARC1; p=none' }
}

// SPF (RFC 7208): which servers may send for a domain.

/** More than ten look-ups make a record invalid (RFC 7208, 4.6.4). */
const maxLookUps = 10

/** Throws where the name servers do not answer. */
async function checkSpf(
  lookUp: LookUpTexts,
  domain: string,
  provider: MailProvider | undefined,
): Promise<Finding> {
  if (provider && !provider.spf) return notNeeded(provider)
  const { include, prefix = '' } = provider?.spf ?? {}
  const name = `${prefix}${domain}`
  const records = (await lookUp(name)).filter((text) => /^v=spf1(\s|$)/i.test(text))
  const items = records.map((value) => ({ type: 'TXT' as const, name, value }))
  const add = (value: string) => [{ type: 'TXT' as const, name, value }]
  const [record] = records
  if (!record) {
    return {
      state: 'missing',
      explanation: include
        ? `Nothing says which servers may send for ${name}. Add this record where the domain’s DNS is managed.`
        : `Nothing says which servers may send for ${name}. Ask your mail provider for its SPF record.`,
      found: items,
      wanted: include ? add(`v=spf1 include:${include} ~all`) : [],
    }
  }
  if (records.length > 1) {
    return {
      state: 'wrong',
      explanation: 'There are several SPF records, so none of them counts. Put this one in their place.',
      found: items,
      wanted: add(withInclude(merge(records), include)),
    }
  }
  if (!include) {
    return {
      state: 'unclear',
      explanation:
        'There is an SPF record. Whether it names your mail server cannot be told from here: compare it with what your provider asks for.',
      found: items,
      wanted: [],
    }
  }
  if (await names(lookUp, record, include)) {
    return { state: 'good', explanation: `${provider?.name} may send for ${name}.`, found: items, wanted: [] }
  }
  return {
    state: 'wrong',
    explanation: `The SPF record does not name ${provider?.name}, so its mails for ${name} look forged. Change the record to this.`,
    found: items,
    wanted: add(withInclude(record, include)),
  }
}

function notNeeded({ name }: MailProvider): Finding {
  return {
    state: 'not_needed',
    explanation: `${name} sends under a return address of its own, so your domain needs no SPF record for it. DKIM is what counts.`,
    found: [],
    wanted: [],
  }
}

/** Whether the record includes `wanted`, itself or through what it includes. */
async function names(lookUp: LookUpTexts, record: string, value: string): Promise<boolean> {
  const waiting = [record]
  const seen = new Set<string>()
  for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
    const others = Array.from(text.matchAll(/(?:^|\s)\+?(?:include:|redirect=)(\S+)/gi), ([, name = '']) =>
      name.toLowerCase(),
    )
    if (others.includes(value)) return true
    for (const name of others.filter((each) => !seen.has(each))) {
      if (seen.size === maxLookUps) return false
      seen.add(name)
      waiting.push(...(await lookUp(name)).filter((each) => /^v=spf1\s/i.test(each)))
    }
  }
  return false
}

/** Before what ends the record: nothing counts after it. */
function withInclude(record: string, include: string | undefined): string {
  if (!include || record.toLowerCase().includes(`include:${include}`)) return record
  const end = /\s+(?:[~?+-]?all|redirect=\S+)(?=\s|$)/i.exec(record)
  const at = end?.index ?? record.length
  return `${record.slice(0, at)} include:${include}${end ? record.slice(at) : ' ~all'}`
}

function merge(records: readonly string[]): string {
  const terms = records.flatMap((record) => record.trim().split(/\s+/).slice(1))
  const isEnd = (term: string) => /^[~?+-]?all$/i.test(term)
  const end = terms.find(isEnd) ?? '~all'
  return ['v=spf1', ...new Set(terms.filter((term) => !isEnd(term))), end].join(' ')
}

/** Never throws: what cannot be looked up is said to be unclear. */
export async function checkSender(
  lookUp: LookUpTexts,
  address: string,
  { host, dkim_selector: selector }: Pick<MailSettings, 'host' | 'dkim_selector'>,
): Promise<SenderDns> {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const provider = findProvider(host)
  if (!/\.[a-z][a-z\d-]*$/.test(domain)) return { address, domain, findings: [] }
  const foreign = judgeForeign(domain, provider)
  if (foreign) return { address, domain, findings: [{ topic: 'SPF', ...foreign, found: [], wanted: [] }] }
  const findings = await Promise.all([
    judge('SPF', checkSpf(lookUp, domain, provider)),
    judge('DKIM', checkDkim(lookUp, domain, { provider, selector })),
    judge('DMARC', checkDmarc(lookUp, domain)),
  ])
  return { address, domain, findings }
}

async function judge(
  topic: SenderFinding['topic'],
  check: Promise<Omit<SenderFinding, 'topic'>>,
): Promise<SenderFinding> {
  return { topic, ...(await check.catch(unreachable)) }
}

function judgeForeign(
  domain: string,
  provider: MailProvider | undefined,
): Pick<SenderFinding, 'state' | 'explanation'> | undefined {
  if (provider?.ownDomains.includes(domain))
    return {
      state: 'not_needed',
      explanation: `${domain} belongs to your provider, which has set up its records. There is nothing for you to add.`,
    }
  if (!isFreeDomain(domain)) return undefined
  return {
    state: 'wrong',
    explanation: `${domain} belongs to another provider, and only its own servers may send for it: mails through this one are refused or land in spam. Send from a domain of your own, or through that provider’s server.`,
  }
}

function unreachable(error: unknown): Omit<SenderFinding, 'topic'> {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    state: 'unclear',
    explanation: `It could not be looked up from this machine just now (${reason}).`,
    found: [],
    wanted: [],
  }
}
