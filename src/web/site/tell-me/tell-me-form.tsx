// An island: asks for the address, and what the link of its email asks.
import { useCallback, useState } from 'react'
import { fill } from '#words/texts.ts'
import { legalTexts, siteTexts } from '#words/site.ts'
import { lettersTexts } from '#words/letters.ts'
import { cardsTexts, formatsTexts, tellMeTexts } from '#words/buying.ts'
import { formatDay } from '#contract/intl.ts'
import type { Product } from '#contract/catalog/products.ts'
import { isPreorder } from '#contract/catalog/preorder.ts'
import { samePath } from '#contract/paths.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { byBrowser } from '../../forms/browser-validation.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { failure } from '../../notices/send.ts'
import { readText, useForm, showRefusal } from '../../forms/form.ts'
import { Mailed } from '../../page/mailed.tsx'
import { Message } from '../../page/message.tsx'
import { toast } from '../../notices/toasts.tsx'
import { readPathId, useFragment, useLoaded } from '../../page/use-page.ts'
import { useSaleMode } from '../../shop.ts'

type Awaited = { awaited: Product | undefined }

export function TellMe({ awaited }: Awaited) {
  const token = useFragment()
  return token ? <Question key={token} {...{ token, awaited }} /> : <Ask awaited={awaited} />
}

/** Says which format is waited for, and until when, where a day is set. */
function AwaitedProduct({ awaited }: Awaited) {
  if (!awaited) return null
  const { name, format, release, is_available_soon } = awaited
  const soon = is_available_soon ? cardsTexts.soon : undefined
  const when = release ? fill(cardsTexts.outOn, { date: formatDay(release.on) }) : soon
  return (
    <p className="wrap-anywhere">
      <span className="block text-sm font-semibold text-gold-text">{formatsTexts.names[format]}</span>
      <span className="block font-display text-xl">{name}</span>
      <span className="block text-soft">{when}</span>
    </p>
  )
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

function Ask({ awaited }: Awaited) {
  const [typed, setTyped] = useState<{ email: string; isSent: boolean }>()
  const { form, isBusy, field } = useForm(check, send, { action: samePath })
  const mode = useSaleMode()

  async function send(entered: FormData) {
    try {
      const json = { email: readText(entered, 'email') }
      await responseOf(api.products[':id'].waitlist.$post({ param: { id: readPathId() }, json }))
      return setTyped({ email: json.email, isSent: true })
    } catch (error) {
      return showRefusal(tellMeTexts.failed, error)
    }
  }

  if (typed?.isSent)
    return (
      <Mailed
        title={tellMeTexts.sent}
        text={tellMeTexts.sentText}
        email={typed.email}
        onOther={() => setTyped({ ...typed, isSent: false })}
      >
        <BackToBook />
      </Mailed>
    )
  if (awaited && !isPreorder(awaited) && mode !== 'not_for_sale')
    return (
      <Message title={tellMeTexts.out} text={awaited.name}>
        <BackToBook />
      </Message>
    )
  return (
    <Message title={tellMeTexts.page} text={tellMeTexts.text}>
      <AwaitedProduct awaited={awaited} />
      <form {...form} className="grid w-full max-w-md gap-5 text-start linked:hidden">
        <Field
          label={tellMeTexts.email}
          type="email"
          autoComplete="email"
          readOnly={isBusy}
          {...field('email')}
          {...(typed && { defaultValue: typed.email, autoFocus: true })}
        />
        <Button type="submit" disabled={isBusy} data-busy={tellMeTexts.sending}>
          {isBusy ? tellMeTexts.sending : tellMeTexts.send}
        </Button>
      </form>
    </Message>
  )
}

type Answer = { product_name: string; state: 'unconfirmed' | 'confirmed' | 'ended' } | 'over'

async function send(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ProblemError && error.status === 403) return 'over'
    toast(failure(siteTexts.unexpected, error))
    return undefined
  }
}

const calls = api['release-waitlist']

/** Opening the link does nothing: mail scanners open links too. */
function Question({ token, awaited }: Awaited & { token: string }) {
  const [isBusy, setIsBusy] = useState(false)
  const [repeats, setRepeats] = useState(0)
  const [answer, setAnswer] = useState<Answer>()
  const { loaded: question, reload } = useLoaded(
    useCallback(
      async () => (await send(() => responseOf(calls.show.$post({ json: { token } })))) ?? 'failed',
      [token],
    ),
  )

  async function press(call: () => Promise<Answer>) {
    setIsBusy(true)
    const result = await send(call)
    if (result) setAnswer(result)
    setIsBusy(false)
  }

  async function loadAgain() {
    setIsBusy(true)
    setRepeats(repeats + 1)
    await reload()
    setIsBusy(false)
  }

  const body = { json: { token } }
  const confirm = () =>
    press(async () => ({ ...(await responseOf(calls.confirm.$post(body))), state: 'confirmed' }))
  const end = () => press(async () => ({ ...(await responseOf(calls.end.$post(body))), state: 'ended' }))

  const shown = answer ?? question
  if (shown === undefined) return <Message title={tellMeTexts.question} />
  if (shown === 'failed')
    return (
      <Message key={`failed ${repeats}`} title={legalTexts.notLoaded} isAnswer>
        <Button disabled={isBusy} onClick={() => void loadAgain()}>
          {siteTexts.tryAgain}
        </Button>
      </Message>
    )
  if (shown === 'over') return <Over />
  const { product_name: product, state } = shown
  if (state === 'ended')
    return (
      <Message key="ended" title={tellMeTexts.ended} text={fill(tellMeTexts.endedText, { product })} isAnswer>
        <BackToBook />
      </Message>
    )
  if (state === 'confirmed')
    return (
      <Message title={tellMeTexts.done} text={fill(tellMeTexts.doneText, { product })} isAnswer>
        <p className="flex flex-wrap justify-center gap-3">
          <Button look="outline" disabled={isBusy} onClick={() => void end()}>
            {lettersTexts.deleteAddress}
          </Button>
          <BackToBook />
        </p>
      </Message>
    )
  return (
    <Message title={tellMeTexts.question} text={tellMeTexts.questionText} isAnswer={repeats > 0}>
      <AwaitedProduct awaited={awaited} />
      <p className="flex flex-wrap justify-center gap-3">
        <Button disabled={isBusy} onClick={() => void confirm()}>
          {tellMeTexts.yes}
        </Button>
        <Button look="outline" disabled={isBusy} onClick={() => void end()}>
          {tellMeTexts.no}
        </Button>
      </p>
    </Message>
  )
}
