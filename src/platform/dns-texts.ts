import { Resolver } from 'node:dns/promises'
import { errorCode } from './errors.ts'

export type LookUpTexts = (name: string) => Promise<string[]>

/** Milliseconds for each of two tries. */
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
