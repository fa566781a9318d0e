// An island. Opening the link does nothing: mail scanners open links too.
import { useState } from 'react'
import { purchaseMovedTexts } from '#words/purchase-moved.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { failure } from '../../notices/send.ts'
import { Message } from '../../page/message.tsx'
import { toast } from '../../notices/toasts.tsx'
import { readFragment, useIsAlive } from '../../page/use-page.ts'

export function Objection() {
  const isAlive = useIsAlive()
  const { page, text } = purchaseMovedTexts
  return isAlive ? <Ask /> : <Message title={page} text={text} />
}

function Ask() {
  const texts = purchaseMovedTexts
  const [token] = useState(readFragment)
  const [step, setStep] = useState<'ask' | 'over' | 'done'>(token ? 'ask' : 'over')
  const [message, setMessage] = useState('')
  const [isBusy, setIsBusy] = useState(false)

  async function object() {
    setIsBusy(true)
    try {
      await responseOf(api['moved-purchases'].objection.$post({ json: { token, message } }))
      setStep('done')
      history.replaceState(history.state, '', location.pathname)
    } catch (error) {
      if (error instanceof ProblemError && error.status === 403) setStep('over')
      else toast(failure(texts.failed, error))
    }
    setIsBusy(false)
  }

  if (step === 'done') return <Message title={texts.done} text={texts.doneText} isAnswer />
  if (step === 'over')
    return (
      <Message title={texts.over} text={texts.overText} isAnswer>
        <ButtonLink to="/#contact">{texts.write}</ButtonLink>
      </Message>
    )
  return (
    <Message title={texts.page} text={texts.text}>
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
    </Message>
  )
}
