// An island: what the address of a link has agreed to, and the ways to leave it.
import { useId, useState } from 'react'
import { formatDay } from '#contract/intl.ts'
import type { Subscription } from '#contract/mail/subscribers.ts'
import { samePath } from '#contract/paths.ts'
import { lettersTexts } from '#words/letters.ts'
import { fill } from '#words/texts.ts'
import { api, responseOf } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { asEntered, useForm, type FormResult } from '../../forms/form.ts'
import { failure } from '../../notices/send.ts'
import { toast } from '../../notices/toasts.tsx'
import { Message } from '../../page/message.tsx'
import { readPathId } from '../../page/use-page.ts'

type Change = 'end' | 'delete'

export function LettersConsent({ words, source, agreed_at, confirmed_at, ended_at }: Subscription) {
  const [done, setDone] = useState<Change | undefined>(ended_at ? 'end' : undefined)
  if (done === 'delete')
    return (
      <Message title={lettersTexts.deleted} text={lettersTexts.deletedText} isAnswer>
        <ButtonLink to="/" look="outline">
          {lettersTexts.back}
        </ButtonLink>
      </Message>
    )
  const isEnded = done === 'end'
  return (
    <Message
      key={String(isEnded)}
      title={isEnded ? lettersTexts.ended : lettersTexts.mine}
      text={isEnded ? lettersTexts.endedText : lettersTexts.agreedTo}
      isAnswer={isEnded}
    >
      <blockquote className="max-w-prose border-s-2 border-line ps-4 text-start text-pretty">
        {words}
      </blockquote>
      <p className="text-sm text-pretty text-soft">
        {lettersTexts.sources[source]}{' '}
        {fill(lettersTexts.agreedOn, { asked: formatDay(agreed_at), confirmed: formatDay(confirmed_at) })}
      </p>
      <div className="flex flex-wrap justify-center gap-6">
        {!isEnded && <ChangeButton change="end" onDone={setDone} />}
        <ChangeButton change="delete" onDone={setDone} />
      </div>
    </Message>
  )
}

type ChangeButtonProps = { change: Change; onDone: (change: Change) => void }

function ChangeButton({ change, onDone }: ChangeButtonProps) {
  const hintId = useId()
  const { form, isBusy } = useForm(asEntered, save, { action: samePath })

  async function save(): Promise<FormResult> {
    try {
      const param = { token: readPathId() }
      const call = api.subscriptions[':token']
      await (change === 'end' ? responseOf(call.end.$post({ param })) : responseOf(call.$delete({ param })))
      onDone(change)
      return { isSaved: true }
    } catch (error) {
      toast(failure(lettersTexts.leaveFailed, error))
      return { isSaved: false }
    }
  }

  return (
    <form {...form} className="grid max-w-64 content-start justify-items-center gap-2">
      <input type="hidden" name="letters" value={change} />
      <Button
        type="submit"
        look={change === 'end' ? 'primary' : 'outline'}
        disabled={isBusy}
        data-busy={lettersTexts.sending}
        aria-describedby={hintId}
      >
        {isBusy ? lettersTexts.sending : change === 'end' ? lettersTexts.end : lettersTexts.deleteAddress}
      </Button>
      <p id={hintId} className="text-sm text-pretty text-soft">
        {change === 'end' ? lettersTexts.endHint : lettersTexts.deleteHint}
      </p>
    </form>
  )
}
