import { authTexts } from '#words/auth.ts'
import { fillParts } from '../../fill-parts.tsx'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { askForCode } from '../../accounts.ts'
import { Button } from '../../components/button.tsx'
import { EmailForm } from './email-form.tsx'
import { MailedCodeForm } from './mailed-code-form.tsx'

export function SignInByCode({ onBack }: { onBack: () => void }) {
  const titleId = useId()
  const [sentTo, setSentTo] = useState<string>()
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="font-display text-xl font-semibold">
        {authTexts.getCodeTitle}
      </h2>
      <p className="mt-2 text-pretty break-words text-soft" role="status">
        {sentTo
          ? fillParts(authTexts.codeOnItsWay, {
              email: <strong className="font-semibold break-words text-ink">{sentTo}</strong>,
            })
          : authTexts.getCodeText}
      </p>
      {sentTo ? (
        <MailedCodeForm email={sentTo} type="email" welcome={authTexts.welcomeBack} />
      ) : (
        <EmailForm titleId={titleId} label={authTexts.sendCode} ask={askForCode} onSent={setSentTo} />
      )}
      {sentTo && (
        <p className="mt-4 text-center text-sm">
          <Link
            to="/find-purchase"
            className="rounded-sm text-soft underline underline-offset-4 hover:text-ink"
          >
            {authTexts.findPurchase}
          </Link>
        </p>
      )}
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {sentTo && (
          <Button look="quiet" onClick={() => setSentTo(undefined)}>
            {authTexts.otherEmail}
          </Button>
        )}
        <Button look="quiet" onClick={onBack}>
          {authTexts.backToSignIn}
        </Button>
      </div>
    </section>
  )
}
