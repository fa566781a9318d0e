// For who wants to be told that a product is out: the address, and what the link of its email asks.
import { fill } from '#words/fill.ts'
import { siteTexts } from '#words/site.ts'
import { tellMeTexts } from '#words/tell-me.ts'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { asEntered, readText, useForm } from '../../form.ts'
import { MessagePage } from '../../message-page.tsx'
import { showRefusal } from '../../refusal.ts'
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
  const [isSent, setIsSent] = useState(false)
  const { form, isBusy, field } = useForm(asEntered, send)

  async function send(entered: FormData) {
    try {
      const json = { email: readText(entered, 'email') }
      await responseOf(api.products[':id'].waitlist.$post({ param: { id }, json }))
      return setIsSent(true)
    } catch (error) {
      return showRefusal(tellMeTexts.failed, error)
    }
  }

  if (isSent)
    return (
      <MessagePage title={tellMeTexts.sent} text={tellMeTexts.sentText} isAnswer>
        <BackToBook />
      </MessagePage>
    )
  return (
    <MessagePage title={tellMeTexts.page} text={tellMeTexts.text}>
      <form {...form} className="grid w-full max-w-md gap-5 text-start">
        <Field
          label={tellMeTexts.email}
          type="email"
          autoComplete="email"
          readOnly={isBusy}
          {...field('email')}
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
