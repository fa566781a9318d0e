// For who wants to be told that a product is out: the address, and what the link of its email asks.
import { fill } from '#words/fill.ts'
import { siteTexts } from '#words/site.ts'
import { tellMeTexts } from '#words/tell-me.ts'
import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { useFocusBack, readText } from '../../form.ts'
import { MessagePage } from '../../message-page.tsx'
import { toast } from '../../toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import type { Route } from './+types/tell-me.ts'

/** The server does not know the fragment, which has the token: the page is drawn in the browser. */
export const clientLoader = () => null

export function meta() {
  return [{ title: tellMeTexts.page }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return <MessagePage title={tellMeTexts.page} text={tellMeTexts.text} />
}

export default function TellMe({ params: { id } }: Route.ComponentProps) {
  const token = useLocation().hash.slice(1)
  return token ? <Question key={token} token={token} /> : <Ask id={id} />
}

function Over() {
  return (
    <MessagePage title={tellMeTexts.over} text={tellMeTexts.overText} isAnswer>
      <BackToBook />
    </MessagePage>
  )
}

function BackToBook() {
  return (
    <ButtonLink to="/#book-sales" look="outline">
      {tellMeTexts.back}
    </ButtonLink>
  )
}

function Ask({ id }: { id: string }) {
  const form = useRef<HTMLFormElement>(null)
  const [isSent, setIsSent] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useFocusBack(form, isBusy)

  async function send(entered: FormData) {
    setIsBusy(true)
    setProblem(undefined)
    try {
      const json = { email: readText(entered, 'email') }
      await responseOf(api.products[':id'].waitlist.$post({ param: { id }, json }))
      setIsSent(true)
    } catch (error) {
      const wrong = error instanceof ProblemError ? error.fields?.['email'] : undefined
      setProblem(wrong)
      if (!wrong) toast(failure(tellMeTexts.failed, error))
    }
    setIsBusy(false)
  }

  if (isSent)
    return (
      <MessagePage title={tellMeTexts.sent} text={tellMeTexts.sentText} isAnswer>
        <BackToBook />
      </MessagePage>
    )
  return (
    <MessagePage title={tellMeTexts.page} text={tellMeTexts.text}>
      <form
        ref={form}
        noValidate
        className="grid w-full max-w-md gap-5 text-start"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void send(new FormData(event.currentTarget))
        }}
      >
        <Field
          label={tellMeTexts.email}
          name="email"
          type="email"
          autoComplete="email"
          readOnly={isBusy}
          problem={problem}
        />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? tellMeTexts.sending : tellMeTexts.send}
        </Button>
      </form>
    </MessagePage>
  )
}

/** Opening the link does nothing: mail scanners open links too. */
function Question({ token }: { token: string }) {
  const [isBusy, setIsBusy] = useState(false)
  const [answer, setAnswer] = useState<{ title: string; text: string } | 'over'>()

  async function give(call: 'confirm' | 'end') {
    setIsBusy(true)
    try {
      const { product_name: product } = await responseOf(
        api['release-waitlist'][call].$post({ json: { token } }),
      )
      const { done, doneText, ended, endedText } = tellMeTexts
      const [title, text] = call === 'confirm' ? [done, doneText] : [ended, endedText]
      setAnswer({ title, text: fill(text, { product }) })
    } catch (error) {
      if (error instanceof ProblemError && error.status === 403) setAnswer('over')
      else toast(failure(siteTexts.unexpected, error))
    }
    setIsBusy(false)
  }

  if (answer === 'over') return <Over />
  if (answer)
    return (
      <MessagePage {...answer} isAnswer>
        <BackToBook />
      </MessagePage>
    )
  return (
    <MessagePage title={tellMeTexts.question} text={tellMeTexts.questionText}>
      <p className="flex flex-wrap justify-center gap-3">
        <Button disabled={isBusy} onClick={() => void give('confirm')}>
          {tellMeTexts.yes}
        </Button>
        <Button look="outline" disabled={isBusy} onClick={() => void give('end')}>
          {tellMeTexts.no}
        </Button>
      </p>
    </MessagePage>
  )
}
