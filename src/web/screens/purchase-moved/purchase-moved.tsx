// For who has the mailbox from which the author has moved a purchase away. Opening the link does nothing: mail scanners
// open links too.
import { accountTexts } from '#words/account.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { MessagePage } from '../../message-page.tsx'
import { toast } from '../../toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'

/** In the fragment, which browsers send to no server. */
export function clientLoader(): { token: string } {
  return { token: location.hash.slice(1) }
}

export function meta() {
  return [{ title: accountTexts.purchaseMoved.page }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return <MessagePage title={accountTexts.purchaseMoved.page} text={accountTexts.purchaseMoved.text} />
}

export default function PurchaseMoved({ loaderData: { token } }: { loaderData: { token: string } }) {
  const texts = accountTexts.purchaseMoved
  const [step, setStep] = useState<'ask' | 'over' | 'done'>(token ? 'ask' : 'over')
  const [message, setMessage] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const navigate = useNavigate()

  async function object() {
    setIsBusy(true)
    try {
      await responseOf(api['moved-purchases'].objection.$post({ json: { token, message } }))
      setStep('done')
      void navigate('/purchase-moved', { replace: true })
    } catch (error) {
      if (error instanceof ProblemError && error.status === 403) setStep('over')
      else toast(failure(texts.failed, error))
    }
    setIsBusy(false)
  }

  if (step === 'done') return <MessagePage title={texts.done} text={texts.doneText} isAnswer />
  if (step === 'over')
    return (
      <MessagePage title={texts.over} text={texts.overText} isAnswer>
        <ButtonLink to="/#contact">{texts.write}</ButtonLink>
      </MessagePage>
    )
  return (
    <MessagePage title={texts.page} text={texts.text}>
      <div className="w-full max-w-xl text-start">
        <TextField
          label={texts.label}
          required={false}
          rows={4}
          maxLength={2000}
          disabled={isBusy}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
      </div>
      <Button disabled={isBusy} onClick={() => void object()}>
        {isBusy ? texts.busy : texts.button}
      </Button>
    </MessagePage>
  )
}
