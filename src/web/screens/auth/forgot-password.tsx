import { authTexts } from '#words/auth.ts'
import { fill } from '#words/fill.ts'
import { useId, useState } from 'react'
import { askForReset } from '../../accounts.ts'
import { Button } from '../../components/button.tsx'
import { useSendsMail } from '../../shop.ts'
import { EmailForm } from './email-form.tsx'

export function ForgotPassword({ onBack }: { onBack: () => void }) {
  const titleId = useId()
  const sendsMail = useSendsMail()
  const [sentTo, setSentTo] = useState<string>()
  return (
    <div className="grid content-start">
      <h2 id={titleId} className="font-display text-xl font-semibold">
        {authTexts.forgotTitle}
      </h2>
      <p className="mt-2 break-words text-soft" role="status">
        {sentTo
          ? fill(sendsMail ? authTexts.resetSent : authTexts.resetWritten, { email: sentTo })
          : authTexts.forgotText}
      </p>
      <EmailForm
        titleId={titleId}
        label={sentTo ? authTexts.sendAnother : authTexts.sendLink}
        ask={askForReset}
        onSent={setSentTo}
      />
      <Button look="quiet" onClick={onBack}>
        {authTexts.backToSignIn}
      </Button>
    </div>
  )
}
