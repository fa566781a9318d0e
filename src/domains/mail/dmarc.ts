// DMARC (RFC 7489): what a domain asks to be done with mails that fail SPF and DKIM.
import type { DnsRecord } from '#contract/mail/mail-settings.ts'
import type { LookUpTexts } from '#platform/dns-texts.ts'
import type { Finding } from './dkim.ts'

const consequences: Record<string, string> = {
  none: 'Mails that fail are delivered all the same. When everything above is good for some weeks, p=quarantine protects your name.',
  quarantine: 'Mails that fail go to the spam folder, so SPF or DKIM has to be good.',
  reject: 'Mails that fail are refused, so SPF or DKIM has to be good.',
}

/** A domain without a record has that of the domain above it. Throws where the name servers do not answer. */
export async function checkDmarc(lookUp: LookUpTexts, domain: string): Promise<Finding> {
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
    expected: [recordOf(`_dmarc.${domain}`)],
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
    return { state: 'good', explanation: consequence, found: dnsRecords, expected: [] }
  return {
    state: 'wrong',
    explanation:
      dnsRecords.length > 1
        ? 'There are several DMARC records, so none of them counts. Keep one.'
        : 'The DMARC record names no policy (p=none, quarantine or reject), so it does not count.',
    found: dnsRecords,
    expected: record ? [recordOf(record.name)] : [],
  }
}

function recordOf(name: string): DnsRecord {
  return { type: 'TXT', name, value: 'v=DMARC1; p=none' }
}
