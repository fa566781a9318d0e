// Looks up TXT records in the DNS.
import { Resolver } from 'node:dns/promises'
import { errorCode } from './errors.ts'

export type LookUpTexts = (name: string) => Promise<string[]>

const timeouts = { timeout: 2_000, tries: 2 }

export function openDnsLookUp(): LookUpTexts {
  const resolver = new Resolver(timeouts)
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      if (['ENODATA', 'ENOTFOUND'].includes(errorCode(error) ?? '')) return []
      throw error
    }
  }
}
