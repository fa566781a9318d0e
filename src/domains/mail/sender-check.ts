// The check whether the DNS of the sender’s domain lets mails through: SPF, DKIM and DMARC, explained.
import {
  type MailProvider,
  findProvider,
  isFreeDomain,
  type SenderFinding,
  type SenderDns,
  type MailSettings,
} from '#contract/mail/mail-settings.ts'
import type { LookUpTexts } from '#platform/dns-texts.ts'
import { checkDkim } from './dkim.ts'
import { checkDmarc } from './dmarc.ts'
import { checkSpf } from './spf.ts'

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
  if (foreign) return { address, domain, findings: [{ topic: 'SPF', ...foreign, found: [], expected: [] }] }
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
    expected: [],
  }
}
