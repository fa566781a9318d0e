// SPF (RFC 7208): which servers may send for a domain.
import type { MailProvider } from '#contract/mail/mail-settings.ts'
import type { LookUpTexts } from '#platform/dns-texts.ts'
import type { Finding } from './dkim.ts'

/** More than ten look-ups make a record invalid (RFC 7208, 4.6.4). */
const maxLookUps = 10

/** Throws where the name servers do not answer. */
export async function checkSpf(
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
      expected: include ? add(`v=spf1 include:${include} ~all`) : [],
    }
  }
  if (records.length > 1) {
    return {
      state: 'wrong',
      explanation: 'There are several SPF records, so none of them counts. Put this one in their place.',
      found: items,
      expected: add(withInclude(merge(records), include)),
    }
  }
  if (!include) {
    return {
      state: 'unclear',
      explanation:
        'There is an SPF record. Whether it names your mail server cannot be told from here: compare it with what your provider asks for.',
      found: items,
      expected: [],
    }
  }
  if (await names(lookUp, record, include)) {
    return {
      state: 'good',
      explanation: `${provider?.name} may send for ${name}.`,
      found: items,
      expected: [],
    }
  }
  return {
    state: 'wrong',
    explanation: `The SPF record does not name ${provider?.name}, so its mails for ${name} look forged. Change the record to this.`,
    found: items,
    expected: add(withInclude(record, include)),
  }
}

function notNeeded({ name }: MailProvider): Finding {
  return {
    state: 'not_needed',
    explanation: `${name} sends under a return address of its own, so your domain needs no SPF record for it. DKIM is what counts.`,
    found: [],
    expected: [],
  }
}

/** True where the record includes `value`, itself or through what it includes. */
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

/** Inserts before what ends the record: nothing counts after it. */
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
