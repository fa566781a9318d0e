import { accountTexts } from '#words/account.ts'
import { fill } from '#words/fill.ts'
import { hc } from 'hono/client'
import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { OwnErasure } from '#contract/operations/own-data.ts'
import type { Api } from '../../../app.ts'
import { responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { formatDate } from '../../format.tsx'
import { isProofMissing, sendWithProof } from '../proof-dialog.tsx'
import { toast } from '../../toasts.tsx'
import type { FormResult } from '../../form.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { leaveIfSignedOut } from './profile-part.tsx'

const { erasure: api } = hc<Api>('/api', { fetch: sendWithProof() }).account

export const askForErasure = () => save(() => responseOf(api.$post()), accountTexts.erasure.asked)

export const cancelErasure = () => save(() => responseOf(api.$delete()), accountTexts.erasure.stays)

async function save(call: () => Promise<OwnErasure>, title: string): Promise<FormResult> {
  try {
    await call()
  } catch (error) {
    leaveIfSignedOut(error)
    if (!isProofMissing(error)) toast(failure(accountTexts.couldNotSave, error))
    return { isSaved: false }
  }
  toast({ title })
  return { isSaved: true }
}

export function ErasurePart({ erasure }: { erasure: OwnErasure }) {
  const { title, text, gone, purchases, locked, copies, open, admin } = accountTexts.erasure
  return (
    <Card title={title} contentClass="grid gap-4 p-5">
      {erasure.due_at && (
        <Callout>
          <p className="font-semibold">
            {fill(accountTexts.erasure.due, { date: formatDate(erasure.due_at) })}
          </p>
          {erasure.has_open_orders && <p className="mt-1">{open}</p>}
        </Callout>
      )}
      <p>{text}</p>
      <ul className="grid list-disc gap-2 ps-5 text-pretty marker:text-soft">
        {[gone, purchases, locked, copies].map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {erasure.has_open_orders && !erasure.due_at && <p className="text-pretty">{open}</p>}
      {erasure.is_admin ? (
        <p className="text-pretty">{admin}</p>
      ) : (
        <Actions isAsked={erasure.due_at !== null} />
      )}
    </Card>
  )
}

function Actions({ isAsked }: { isAsked: boolean }) {
  const { keep, ask, question, questionText } = accountTexts.erasure
  const fetcher = useFetcher<FormResult>()
  const [isAsking, setIsAsking] = useState(false)
  const isBusy = fetcher.state !== 'idle'
  const submit = (intent: string) => void fetcher.submit({ intent }, { method: 'post' })
  return (
    <p>
      <Button
        look="outline"
        disabled={isBusy}
        className="max-sm:w-full"
        onClick={() => (isAsked ? submit('keep') : setIsAsking(true))}
      >
        {isAsked ? keep : ask}
      </Button>
      {isAsking && (
        <Confirm
          title={question}
          action={ask}
          isDanger
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false)
            submit('erase')
          }}
        >
          <p>{questionText}</p>
        </Confirm>
      )}
    </p>
  )
}
