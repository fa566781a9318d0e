// DKIM (RFC 6376): the key that a provider signs a domain's mails with.
import type { MailProvider, DnsRecord, SenderFinding } from '#contract/mail/mail-settings.ts'
import type { LookUpTexts } from '#platform/dns-texts.ts'

export type Finding = Omit<SenderFinding, 'topic'>

/** `selector`: as the admin has entered it; empty where it is not known. Throws where the name servers do not answer. */
export async function checkDkim(
  lookUp: LookUpTexts,
  domain: string,
  { provider, selector }: { provider: MailProvider | undefined; selector: string },
): Promise<Finding> {
  // A selector that was entered for another provider counts no more where this one's keys have the same names for everybody.
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
      expected: [],
    }
  }
  if (matches.length > 0) {
    return {
      state: 'wrong',
      explanation: 'The key was revoked: its record is empty. Your provider shows the one that counts now.',
      found: matches,
      expected: [],
    }
  }
  if (entered || (provider && !provider.dkim.isOwn)) return missing(domain, who, provider, selectors)
  return {
    state: 'unclear',
    explanation: `${who} gives each customer keys with names of their own, so they cannot be looked up without that name. It is what stands before “._domainkey” where your provider shows the records of your domain: enter it above as the DKIM selector. Emails are sent without it, too.`,
    found: [],
    expected: [],
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
    expected: items,
  }
}
