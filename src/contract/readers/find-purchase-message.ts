// What who cannot find a purchase writes to the author: with all that a search needs.
import { accountTexts } from '#words/account.ts'

const details = ['otherAddress', 'when', 'card', 'more'] as const

/** `read`: a field of the form by its name. */
export function findPurchaseMessage(read: (name: string) => string) {
  const texts = accountTexts.findPurchase
  const known = details.map((name) => [texts[name], read(name).trim()] as const)
  const lines = known.filter(([, value]) => value !== '').map(([label, value]) => `${label}\n${value}`)
  return {
    name: read('name'),
    email: read('email'),
    subject: texts.subject,
    message: [texts.message, ...lines].join('\n\n'),
  }
}
