// TXT records, asked for with little patience.
import { Resolver } from 'node:dns/promises'
import { errorCode } from './errors.ts'

/** The texts at a name, each as one; none where there are none. Throws where the name servers do not answer. */
export type LookUpTexts = (name: string) => Promise<string[]>

/** In milliseconds, a try. */
const patience = { timeout: 2_000, tries: 2 }

export function openDnsLookUp(): LookUpTexts {
  const resolver = new Resolver(patience)
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      if (['ENODATA', 'ENOTFOUND'].includes(errorCode(error) ?? '')) return []
      throw error
    }
  }
}
