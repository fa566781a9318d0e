// The passphrase that the shop makes: five groups of five letters, without those that are taken for others. 113 bits.
import { z } from 'zod'

export const passphraseLetters = 'abcdefghjkmnpqrstuvwxyz'
export const passphraseGroups = 5
export const groupLetters = 5

const passphraseShape = new RegExp(`^[${passphraseLetters}]{${passphraseGroups * groupLetters}}$`)

/**
 * A passphrase may be typed with other spaces, hyphens or capitals, and is returned as it was made. Other text stays as
 * it is.
 */
export function readPassphrase(text: string): string {
  const letters = text.replaceAll(/[\s-]/g, '').toLowerCase()
  if (!passphraseShape.test(letters)) return text
  return (letters.match(new RegExp(`.{${groupLetters}}`, 'g')) ?? []).join('-')
}

export const passphraseRequest = z.strictObject({ current_password: z.string().max(200).optional() })

/** Shown once. It counts when it was entered again, with the offer. */
export const passphraseOffer = z.object({ passphrase: z.string(), offer: z.string(), replaces: z.boolean() })
export type PassphraseOffer = z.output<typeof passphraseOffer>

export const passphraseConfirmation = z.strictObject({
  offer: z.string().max(2000),
  passphrase: z.string().max(200),
  current_password: z.string().max(200).optional(),
})
