import { authTexts } from '#words/auth.ts'
import { fillParts } from '../fill-parts.tsx'

/** In a shop that sends no mail. */
export function LinkNotSent({ email }: { email: string }) {
  return fillParts(authTexts.linkWritten, {
    email: <strong className="font-semibold text-ink break-words">{email}</strong>,
    contact: (
      <a href="/#contact" className="rounded-sm text-ink underline underline-offset-4">
        {authTexts.writeToAuthor}
      </a>
    ),
  })
}
