// An island: asks for the address, and what the link of its email asks.
import { useState } from 'react'
import { fill } from '#words/texts.ts'
import { siteTexts } from '#words/site.ts'
import { tellMeTexts } from '#words/buying.ts'
import { samePath } from '#contract/paths.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { byBrowser } from '../../forms/browser-validation.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { failure } from '../../notices/send.ts'
import { readText, useForm, showRefusal } from '../../forms/form.ts'
import { Message } from '../../page/message.tsx'
import { toast } from '../../notices/toasts.tsx'
import { readPathId, useFragment } from '../../page/use-page.ts'

export function TellMe() {
  const token = useFragment()
  return token ? <Question key={token} token={token} /> : <Ask />
}

function Over() {
  return (
    <Message title={tellMeTexts.over} text={tellMeTexts.overText} isAnswer>
      <BackToBook />
    </Message>
  )
}

function BackToBook() {
  return (
    <ButtonLink to="/#book-sales" look="outline">
      {tellMeTexts.back}
    </ButtonLink>
  )
}

const check = byBrowser()

function Ask() {
  const [isSent, setIsSent] = useState(false)
  const { form, isBusy, field } = useForm(check, send, { action: samePath })

  async function send(entered: FormData) {
    try {
      const json = { email: readText(entered, 'email') }
      await responseOf(api.products[':id'].waitlist.$post({ param: { id: readPathId() }, json }))
      return setIsSent(true)
    } catch (error) {
      return showRefusal(tellMeTexts.failed, error)
    }
  }

  if (isSent)
    return (
      <Message title={tellMeTexts.sent} text={tellMeTexts.sentText} isAnswer>
        <BackToBook />
      </Message>
    )
  return (
    <Message title={tellMeTexts.page} text={tellMeTexts.text}>
      <form {...form} className="grid w-full max-w-md gap-5 text-start linked:hidden">
        <Field
          label={tellMeTexts.email}
          type="email"
          autoComplete="email"
          readOnly={isBusy}
          {...field('email')}
        />
        <Button type="submit" disabled={isBusy} data-busy={tellMeTexts.sending}>
          {isBusy ? tellMeTexts.sending : tellMeTexts.send}
        </Button>
      </form>
    </Message>
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
      <Message {...answer} isAnswer>
        <BackToBook />
      </Message>
    )
  return (
    <Message title={tellMeTexts.question} text={tellMeTexts.questionText}>
      <p className="flex flex-wrap justify-center gap-3">
        <Button disabled={isBusy} onClick={() => void give('confirm')}>
          {tellMeTexts.yes}
        </Button>
        <Button look="outline" disabled={isBusy} onClick={() => void give('end')}>
          {tellMeTexts.no}
        </Button>
      </p>
    </Message>
  )
}
