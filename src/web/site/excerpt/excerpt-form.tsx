// An island: asks for an address for the excerpt, and shows what the link of the email gives.
import { use, useCallback, useState, type ReactNode } from 'react'
import type { ExcerptFile } from '#contract/catalog/excerpt-file.ts'
import type { LinkedExcerpt } from '#contract/mail/excerpt-requests.ts'
import { excerptPath } from '#contract/paths.ts'
import { excerptTexts } from '#words/excerpt.ts'
import { siteTexts } from '#words/site.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { save } from '../../browser-download.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { formatFileSize } from '../../format/format.tsx'
import { byBrowser } from '../../forms/browser-validation.ts'
import { FormAnswerContext, readText, showRefusal, useForm } from '../../forms/form.ts'
import { Honeypot } from '../../forms/honeypot.tsx'
import { LettersBox } from '../../forms/letters-box.tsx'
import { failure } from '../../notices/send.ts'
import { toast } from '../../notices/toasts.tsx'
import { Mailed } from '../../page/mailed.tsx'
import { Message } from '../../page/message.tsx'
import { useFragment, useLoaded } from '../../page/use-page.ts'
import { useExcerpt, useLettersTerms } from '../../shop.ts'
import { LettersQuestion } from './letters-question.tsx'

export function Excerpt() {
  const token = useFragment()
  return token ? <Linked key={token} token={token} /> : <Ask />
}

function Facts({ file_format, file_size }: ExcerptFile) {
  return (
    <p className="text-sm text-soft tabular-nums">{`${file_format.toUpperCase()}, ${formatFileSize(file_size)}`}</p>
  )
}

function BackToBook() {
  return (
    <ButtonLink to="/" look="outline">
      {excerptTexts.back}
    </ButtonLink>
  )
}

const check = byBrowser()

function Ask() {
  const file = useExcerpt()
  const hasLetters = useLettersTerms() !== null
  const posted = use(FormAnswerContext)
  const [typed, setTyped] = useState<{ email: string; letters: string | undefined; isSent: boolean }>()
  const { form, isBusy, field } = useForm(check, ask, { action: excerptPath })

  async function ask(entered: FormData) {
    try {
      const email = readText(entered, 'email')
      const letters = readText(entered, 'letters') || undefined
      await responseOf(api.excerpt.$post({ json: { email, letters, website: readText(entered, 'website') } }))
      return setTyped({ email, letters, isSent: true })
    } catch (error) {
      return showRefusal(excerptTexts.failed, error)
    }
  }

  if (!file)
    return (
      <Message title={excerptTexts.off} text={excerptTexts.offText}>
        <BackToBook />
      </Message>
    )
  if (typed?.isSent)
    return (
      <Mailed
        title={excerptTexts.sent}
        text={excerptTexts.sentText}
        email={typed.email}
        onOther={() => setTyped({ ...typed, isSent: false })}
      >
        <BackToBook />
      </Mailed>
    )
  return (
    <Message title={excerptTexts.page} text={excerptTexts.text}>
      <form {...form} className="grid w-full max-w-md gap-5 text-start linked:hidden">
        <Field
          label={excerptTexts.email}
          type="email"
          autoComplete="email"
          readOnly={isBusy}
          {...field('email')}
          {...(typed && { defaultValue: typed.email, autoFocus: true })}
        />
        <Honeypot />
        <LettersBox ticked={typed?.letters ?? posted?.values['letters']} />
        <Button type="submit" disabled={isBusy} data-busy={excerptTexts.sending}>
          {isBusy ? excerptTexts.sending : excerptTexts.send}
        </Button>
        <p className="text-center text-sm text-balance text-soft">
          {hasLetters ? excerptTexts.deletedUnlessLetters : excerptTexts.deleted}
        </p>
      </form>
      <div className="linked:hidden">
        <Facts {...file} />
      </div>
    </Message>
  )
}

const isOver = (error: unknown) => error instanceof ProblemError && error.status === 403

/** Undefined while it could not be loaded. */
async function load(token: string): Promise<LinkedExcerpt | 'over' | undefined> {
  try {
    return await responseOf(api.excerpt.show.$post({ json: { token } }))
  } catch (error) {
    if (isOver(error)) return 'over'
    toast(failure(siteTexts.unexpected, error))
    return undefined
  }
}

/** Opening the link does nothing: mail scanners open links, too. */
function Linked({ token }: { token: string }) {
  const { loaded, reload } = useLoaded(useCallback(() => load(token), [token]))
  const [isBusy, setIsBusy] = useState(false)

  async function download() {
    setIsBusy(true)
    try {
      const { url } = await responseOf(api.excerpt.download.$post({ json: { token } }))
      save(url)
    } catch (error) {
      toast(failure(excerptTexts.downloadFailed, error))
      await reload()
    }
    setIsBusy(false)
  }

  if (loaded === undefined) return <Message title={excerptTexts.opening} />
  if (loaded === 'over') return <End title={excerptTexts.over} text={excerptTexts.overText} />
  const { file, is_replaced, downloads_left, letters } = loaded
  const question = letters && <LettersQuestion token={token} asked={letters} />
  if (!file)
    return (
      <End title={excerptTexts.removed} text={excerptTexts.removedText}>
        {question}
      </End>
    )
  if (downloads_left === 0)
    return (
      <End title={excerptTexts.over} text={excerptTexts.usedUp}>
        {question}
      </End>
    )
  return (
    <Message title={excerptTexts.ready} text={excerptTexts.readyText}>
      {is_replaced && <p className="text-pretty text-soft">{excerptTexts.replaced}</p>}
      <Button disabled={isBusy} className="min-h-13 px-7 text-lg" onClick={() => void download()}>
        {isBusy ? excerptTexts.downloading : excerptTexts.download}
      </Button>
      <Facts {...file} />
      {question}
      <BackToBook />
    </Message>
  )
}

type EndProps = { title: string; text: string; children?: ReactNode }

function End({ title, text, children }: EndProps) {
  const isOffered = useExcerpt() !== null
  return (
    <Message title={title} text={text} isAnswer>
      <p className="flex flex-wrap justify-center gap-3">
        {isOffered && <ButtonLink to={excerptPath}>{excerptTexts.again}</ButtonLink>}
        <BackToBook />
      </p>
      {children}
    </Message>
  )
}
