// The way into the account of an order that was bought with an address only: a mailed code.
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import { Link } from '../../components/button.tsx'
import { saveTypedEmail } from '../../forms/typed-email.ts'
import { codePath } from '#contract/paths.ts'

/** The form has the address already. */
export function CodeWay({ email }: { email: string }) {
  return (
    <p className="mt-5 text-sm text-pretty break-words text-soft">
      <span>{fill(guestTexts.codeText, { email })}</span>{' '}
      <Link
        to={codePath}
        className="rounded-sm underline underline-offset-4 hover:text-ink"
        onClick={() => saveTypedEmail(email)}
      >
        {guestTexts.getCode}
      </Link>
    </p>
  )
}
