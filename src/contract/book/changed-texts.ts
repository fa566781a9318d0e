// The texts of pages and emails that the author has changed, by their keys in the catalogue (src/words).
import { isChangeable, textProblem } from '#words/catalogue.ts'
import { typedTexts } from './book.ts'

/** Characters of one text in a draft, which may be unfinished but not endless. */
const maxTyped = 10_000

export const draftTexts = typedTexts.superRefine((changed, refinement) => {
  for (const [key, text] of Object.entries(changed)) {
    const problem = isChangeable(key) ? tooLong(text) : textProblem(key, text)
    if (problem) refinement.addIssue({ code: 'custom', path: [key], message: problem })
  }
})

export const changedTexts = typedTexts.superRefine((changed, refinement) => {
  for (const [key, text] of Object.entries(changed)) {
    const message = textProblem(key, text)
    if (message) refinement.addIssue({ code: 'custom', path: [key], message })
  }
})

function tooLong(text: string): string | undefined {
  return text.length > maxTyped ? `This must be at most ${maxTyped} characters.` : undefined
}

/** Reads what another version of the shop may have stored: texts that this one does not know or fixes are left out. */
export function knownTexts(stored: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(stored)).flatMap(([key, text]) =>
      isChangeable(key) && typeof text === 'string' && !tooLong(text) ? [[key, text]] : [],
    ),
  )
}
