// The message of a reader who cannot find a purchase, with all that a search needs.
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { fill } from '#words/texts.ts'
import type { FieldProblems } from '../field-rules.ts'

const details = ['otherAddress', 'when', 'card', 'more'] as const

/** What the shop's own form asks for; the name and the address are checked as those of any message. */
export function searchProblems(read: (name: string) => string): FieldProblems | undefined {
  // Keyboards for Japanese write digits of full width.
  const card = read('card').normalize('NFKC').trim()
  if (!card || /^[0-9]{4}$/.test(card)) return undefined
  return { card: findPurchaseTexts.cardDigits }
}

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
