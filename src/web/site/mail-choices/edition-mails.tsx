// An island. What the reader has chosen comes with the page; while the database is away, it is known once a choice is saved.
import { useState } from 'react'
import { mailChoicesTexts } from '#words/mail-choices.ts'
import { lettersTexts } from '#words/letters.ts'
import type { LinkedMailChoices } from '#contract/delivery/editions.ts'
import { samePath } from '#contract/paths.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { failure } from '../../notices/send.ts'
import { asEntered, useForm, type FormResult } from '../../forms/form.ts'
import { Message } from '../../page/message.tsx'
import { toast } from '../../notices/toasts.tsx'
import { readPathId } from '../../page/use-page.ts'

export function EditionMails({ has_editions, gets_letters = false }: Partial<LinkedMailChoices>) {
  const texts = mailChoicesTexts
  const [isOn, setIsOn] = useState(has_editions)
  const [isOver, setIsOver] = useState(false)
  const { form, isBusy } = useForm(asEntered, save, { action: samePath })
  const isStopped = isOn === false

  async function save(): Promise<FormResult> {
    try {
      const param = { token: readPathId() }
      const choices = { has_editions: isStopped }
      const saved = await responseOf(api['mail-choices'][':token'].$put({ param, json: choices }))
      setIsOn(saved.has_editions)
      return { isSaved: true }
    } catch (error) {
      if (error instanceof ProblemError && error.status === 404) setIsOver(true)
      else toast(failure(texts.failed, error))
      return { isSaved: false }
    }
  }

  if (isOver)
    return (
      <Message title={texts.over} text={texts.overText} isAnswer>
        <ButtonLink to="/account">{texts.account}</ButtonLink>
      </Message>
    )
  const label = isStopped ? texts.again : texts.stop
  return (
    <Message title={texts.page} text={isOn === undefined ? texts.about : isOn ? texts.on : texts.off}>
      <p className="text-pretty text-soft">{texts.others}</p>
      <form {...form}>
        <input type="hidden" name="has_editions" value={String(isStopped)} />
        <Button
          type="submit"
          look={isStopped ? 'outline' : 'primary'}
          disabled={isBusy}
          data-busy={texts.busy}
        >
          {isBusy ? texts.busy : label}
        </Button>
      </form>
      {gets_letters && <LeaveLetters />}
    </Message>
  )
}

/** The link of an email ends the letters, and cannot switch them on. */
function LeaveLetters() {
  const [isEnded, setIsEnded] = useState(false)
  const { form, isBusy } = useForm(asEntered, end, { action: samePath })

  async function end(): Promise<FormResult> {
    try {
      const param = { token: readPathId() }
      await responseOf(api['mail-choices'][':token'].letters.end.$post({ param }))
      setIsEnded(true)
      return { isSaved: true }
    } catch (error) {
      toast(failure(lettersTexts.leaveFailed, error))
      return { isSaved: false }
    }
  }

  return (
    <section className="grid justify-items-center gap-4 border-t border-line pt-6">
      <h2 className="text-xl font-semibold">{lettersTexts.mine}</h2>
      <p role="status" className="text-pretty text-soft">
        {isEnded ? lettersTexts.endedText : lettersTexts.getThem}
      </p>
      {!isEnded && (
        <form {...form}>
          <input type="hidden" name="letters" value="end-by-choices" />
          <Button type="submit" look="outline" disabled={isBusy} data-busy={lettersTexts.sending}>
            {isBusy ? lettersTexts.sending : lettersTexts.end}
          </Button>
        </form>
      )}
    </section>
  )
}
