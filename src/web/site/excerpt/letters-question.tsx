// The question below the excerpt, where the box for letters was ticked: only its press puts the address on the list.
import { useState } from 'react'
import type { AskedSubscriber } from '#contract/mail/subscribers.ts'
import { formatDay } from '#contract/intl.ts'
import { lettersPath } from '#contract/paths.ts'
import { excerptTexts } from '#words/excerpt.ts'
import { lettersTexts } from '#words/letters.ts'
import { siteTexts } from '#words/site.ts'
import { fill } from '#words/texts.ts'
import { api, responseOf } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { failure } from '../../notices/send.ts'
import { toast } from '../../notices/toasts.tsx'

export function LettersQuestion({ token, asked }: { token: string; asked: AskedSubscriber }) {
  const [answer, setAnswer] = useState<AskedSubscriber>()
  const [isBusy, setIsBusy] = useState(false)

  async function confirm() {
    setIsBusy(true)
    try {
      setAnswer(await responseOf(api.excerpt.letters.$post({ json: { token } })))
    } catch (error) {
      toast(failure(siteTexts.unexpected, error))
    }
    setIsBusy(false)
  }

  const { state, email, words, ended_at } = answer ?? asked
  if (state === 'not_offered') return null
  return (
    <section
      aria-labelledby="letters"
      aria-live="polite"
      className="mt-4 grid w-full max-w-xl justify-items-center gap-4 rounded-lg border border-line bg-surface px-6 py-6"
    >
      <h2 id="letters" className="font-display text-2xl text-balance">
        {titleOf(state, ended_at)}
      </h2>
      {state === 'confirmed' && <p className="text-pretty">{fill(excerptTexts.lettersDone, { email })}</p>}
      {state === 'ended' && <p className="text-pretty text-soft">{lettersTexts.leftText}</p>}
      {state !== 'unconfirmed' && (
        <ButtonLink to={lettersPath} look="outline">
          {lettersTexts.again}
        </ButtonLink>
      )}
      {state === 'unconfirmed' && (
        <>
          <p className="text-pretty">{fill(lettersTexts.questionText, { email })}</p>
          <p className="text-sm text-pretty text-soft">{excerptTexts.lettersText}</p>
          <p className="text-pretty">{words}</p>
          <Button look="outline" disabled={isBusy} onClick={() => void confirm()}>
            {excerptTexts.lettersYes}
          </Button>
        </>
      )}
    </section>
  )
}

function titleOf(state: AskedSubscriber['state'], ended_at: string | null): string {
  if (state === 'confirmed') return lettersTexts.done
  if (state === 'ended') return fill(lettersTexts.left, { date: ended_at ? formatDay(ended_at) : '' })
  return siteTexts.letters
}
