// An island: asks for an address for the author's letters, and what the link of the email asks.
import { useCallback, useState, type ReactNode } from 'react'
import type { AskedSubscriber } from '#contract/mail/subscribers.ts'
import { lettersWords } from '#contract/mail/letters-words.ts'
import { formatDay } from '#contract/intl.ts'
import { lettersPath } from '#contract/paths.ts'
import { lettersTexts } from '#words/letters.ts'
import { siteTexts } from '#words/site.ts'
import { fill } from '#words/texts.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { byBrowser } from '../../forms/browser-validation.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { failure } from '../../notices/send.ts'
import { readText, useForm, showRefusal } from '../../forms/form.ts'
import { Honeypot } from '../../forms/honeypot.tsx'
import { Mailed } from '../../page/mailed.tsx'
import { Message } from '../../page/message.tsx'
import { toast } from '../../notices/toasts.tsx'
import { useFragment, useLoaded } from '../../page/use-page.ts'
import { useLettersTerms } from '../../shop.ts'

export function Letters() {
  const token = useFragment()
  return token ? <Question key={token} token={token} /> : <Ask />
}

function BackToBook() {
  return (
    <ButtonLink to="/" look="outline">
      {lettersTexts.back}
    </ButtonLink>
  )
}

const check = byBrowser()

function Ask() {
  const terms = useLettersTerms()
  const [typed, setTyped] = useState<{ email: string; isSent: boolean }>()
  const { form, isBusy, field } = useForm(check, ask, { action: lettersPath })

  async function ask(entered: FormData) {
    try {
      const json = {
        email: readText(entered, 'email'),
        words: readText(entered, 'words'),
        website: readText(entered, 'website'),
      }
      await responseOf(api.letters.$post({ json }))
      return setTyped({ email: json.email, isSent: true })
    } catch (error) {
      return showRefusal(lettersTexts.failed, error)
    }
  }

  if (!terms)
    return (
      <Message title={lettersTexts.off} text={lettersTexts.offText}>
        <BackToBook />
      </Message>
    )
  if (typed?.isSent)
    return (
      <Mailed
        title={lettersTexts.sent}
        text={lettersTexts.sentText}
        email={typed.email}
        onOther={() => setTyped({ ...typed, isSent: false })}
      >
        <BackToBook />
      </Mailed>
    )
  const words = lettersWords(terms)
  return (
    <Message title={siteTexts.letters} text={words}>
      <form {...form} className="grid w-full max-w-md gap-5 text-start linked:hidden">
        <Field
          label={lettersTexts.email}
          type="email"
          autoComplete="email"
          readOnly={isBusy}
          {...field('email')}
          {...(typed && { defaultValue: typed.email, autoFocus: true })}
        />
        <Honeypot />
        <input type="hidden" name="words" value={words} />
        <p className="text-sm text-pretty text-soft">{lettersTexts.text}</p>
        <Button type="submit" disabled={isBusy} data-busy={lettersTexts.sending}>
          {isBusy ? lettersTexts.sending : lettersTexts.send}
        </Button>
      </form>
    </Message>
  )
}

type Answer = AskedSubscriber | 'over' | 'refused' | 'left'

async function send(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ProblemError && error.status === 403) return 'over'
    toast(failure(siteTexts.unexpected, error))
    return undefined
  }
}

/** Opening the link does nothing: mail scanners open links, too. */
function Question({ token }: { token: string }) {
  const [isBusy, setIsBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer>()
  const { loaded: question } = useLoaded(
    useCallback(() => send(() => responseOf(api.letters.show.$post({ json: { token } }))), [token]),
  )

  async function press(call: () => Promise<Answer>) {
    setIsBusy(true)
    setAnswer(await send(call))
    setIsBusy(false)
  }

  const confirm = () => press(() => responseOf(api.letters.confirm.$post({ json: { token } })))
  const refuse = (result: 'refused' | 'left' = 'refused') =>
    press(async () => {
      await responseOf(api.letters.refuse.$post({ json: { token } }))
      return result
    })

  const shown = answer ?? question
  if (shown === undefined) return <Message title={lettersTexts.question} />
  if (shown === 'over') return <Result title={lettersTexts.over} text={lettersTexts.overText} isAgain />
  if (shown === 'refused') return <Result title={lettersTexts.refused} text={lettersTexts.refusedText} />
  if (shown === 'left')
    return <Result key="left" title={lettersTexts.ended} text={lettersTexts.refusedText} />
  const { state, email, words, ended_at } = shown
  if (state === 'ended')
    return (
      <Result
        title={fill(lettersTexts.left, { date: ended_at ? formatDay(ended_at) : '' })}
        text={lettersTexts.leftText}
        isAgain
      />
    )
  if (state === 'not_offered')
    return (
      <Message title={lettersTexts.off} text={lettersTexts.offText}>
        <Button look="outline" disabled={isBusy} onClick={() => void refuse()}>
          {lettersTexts.deleteAddress}
        </Button>
      </Message>
    )
  if (state === 'confirmed')
    return (
      <Result title={lettersTexts.done} text={fill(lettersTexts.doneText, { email })}>
        <Button look="outline" disabled={isBusy} onClick={() => void refuse('left')}>
          {lettersTexts.end}
        </Button>
      </Result>
    )
  return (
    <Message title={lettersTexts.question} text={fill(lettersTexts.questionText, { email })}>
      <p className="max-w-prose text-pretty">{words}</p>
      <p className="flex flex-wrap justify-center gap-3">
        <Button disabled={isBusy} onClick={() => void confirm()}>
          {lettersTexts.yes}
        </Button>
        <Button look="outline" disabled={isBusy} onClick={() => void refuse()}>
          {lettersTexts.no}
        </Button>
      </p>
    </Message>
  )
}

type ResultProps = { title: string; text: string; isAgain?: boolean; children?: ReactNode }

function Result({ title, text, isAgain = false, children }: ResultProps) {
  return (
    <Message title={title} text={text} isAnswer>
      <p className="flex flex-wrap justify-center gap-3">
        {children}
        {isAgain && <ButtonLink to={lettersPath}>{lettersTexts.again}</ButtonLink>}
        <BackToBook />
      </p>
    </Message>
  )
}
