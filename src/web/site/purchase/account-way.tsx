// The way into the account of an order that was bought with an address only: a mailed code, or the dashboard of who is signed in.
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import { Link } from '../../components/button.tsx'
import { saveTypedEmail } from '../../forms/typed-email.ts'
import { codePath } from '#contract/paths.ts'
import { useSession } from '../../session/use-session.ts'

type Way = {
  email: string
  /** Names the address, with which the buyer signs in. */
  words: string
  wordsSignedIn?: string
  className?: string
}

/** The form of the code has the address already. */
export function AccountWay({
  email,
  words,
  wordsSignedIn = findPurchaseTexts.signedIn,
  className = '',
}: Way) {
  const session = useSession()
  const isSignedIn = session?.user.email?.toLowerCase() === email.toLowerCase()
  return (
    <p className={`text-sm text-pretty break-words text-soft ${className}`}>
      <span>{fill(isSignedIn ? wordsSignedIn : words, { email })}</span>{' '}
      <Link
        to={isSignedIn ? '/dashboard' : codePath}
        className="rounded-sm underline underline-offset-4 hover:text-ink"
        onClick={() => {
          if (!isSignedIn) saveTypedEmail(email)
        }}
      >
        {isSignedIn ? guestTexts.openDashboard : guestTexts.getCode}
      </Link>
    </p>
  )
}
