// The message of a reader who cannot find a purchase, with all that a search needs.
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { fill } from '#words/texts.ts'

const details = ['otherAddress', 'when', 'card', 'more'] as const

/** `read`: a field of the form by its name. */
export function findPurchaseMessage(read: (name: string) => string) {
  const texts = findPurchaseTexts
  const lines = details.flatMap((name) => {
    const value = read(name).trim()
    return value ? [fill(texts.told[name], { value })] : []
  })
  return {
    name: read('name'),
    email: read('email'),
    subject: texts.subject,
    message: [texts.message, ...lines].join('\n\n'),
  }
}
