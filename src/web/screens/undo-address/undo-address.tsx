// For who has the mailbox of an account's address from before, signed in or not. Only pressing the button changes something:
// mail scanners open links too.
import { accountTexts } from '#words/account.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { toast } from '../../toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { MessagePage } from '../../message-page.tsx'

/** In the fragment, which browsers send to no server. */
export function clientLoader(): { token: string } {
  return { token: location.hash.slice(1) }
}

export function meta() {
  return [{ title: accountTexts.undoAddress.page }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return <MessagePage title={accountTexts.undoAddress.page} text={accountTexts.undoAddress.text} />
}

type State = { step: 'ask' | 'over' } | { step: 'done'; token_hash: string }

export default function UndoAddress({ loaderData: { token } }: { loaderData: { token: string } }) {
  const texts = accountTexts.undoAddress
  const [state, setState] = useState<State>({ step: token ? 'ask' : 'over' })
  const [isBusy, setIsBusy] = useState(false)
  const navigate = useNavigate()

  async function undo() {
    setIsBusy(true)
    try {
      const { token_hash } = await responseOf(api.account['undo-address'].$post({ json: { token } }))
      setState({ step: 'done', token_hash })
      void navigate('/account/undo', { replace: true })
    } catch (error) {
      if (error instanceof ProblemError && error.status === 403) setState({ step: 'over' })
      else toast(failure(texts.failed, error))
    }
    setIsBusy(false)
  }

  if (state.step === 'over')
    return (
      <MessagePage title={texts.over} text={texts.overText} isAnswer>
        <ButtonLink to="/#contact">{texts.write}</ButtonLink>
      </MessagePage>
    )
  if (state.step === 'done')
    return (
      <MessagePage title={texts.done} text={texts.doneText} isAnswer>
        <ButtonLink to={`/?token_hash=${state.token_hash}&type=recovery&redirect_to=/account`} replace>
          {texts.choose}
        </ButtonLink>
      </MessagePage>
    )
  return (
    <MessagePage title={texts.page} text={texts.text}>
      <p className="text-pretty">{texts.effects}</p>
      <Button disabled={isBusy} onClick={() => void undo()}>
        {isBusy ? texts.busy : texts.button}
      </Button>
    </MessagePage>
  )
}
