// Whether the shop speaks of the author's letters, and what it says of them.
import type { LettersTerms } from '#contract/mail/letters.ts'
import type { Services } from '#platform/services.ts'

/** Null where the author has not switched them on, and where the shop sends no mail: nothing of them is shown or stored. */
export function lettersTerms({
  settings,
  mail,
}: {
  settings: Pick<Services['settings'], 'get'>
  mail: Pick<Services['mail'], 'sendsMail'>
}): LettersTerms | null {
  const { is_on, ...terms } = settings.get().letters
  return is_on && mail.sendsMail() ? terms : null
}
