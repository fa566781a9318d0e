import { accountTexts } from '#words/account.ts'
import { useId } from 'react'
import { useFetcher } from 'react-router'
import type { OwnAccount } from '#contract/accounts/own-account.ts'
import type { MailChoices } from '#contract/delivery/editions.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { readText } from '../../form.ts'
import { toast } from '../../toasts.tsx'
import type { FormResult } from '../../use-action-form.ts'
import { Card } from '../../components/card.tsx'
import { fillParts } from '../../fill-parts.tsx'
import { leaveIfSignedOut } from './account-action.ts'

export async function saveMailChoices(form: FormData): Promise<FormResult> {
  const json = { has_editions: readText(form, 'has_editions') === 'yes' }
  try {
    await responseOf(api.account['mail-choices'].$put({ json }))
  } catch (error) {
    leaveIfSignedOut(error)
    toast(failure(accountTexts.couldNotSave, error))
    return { isSaved: false }
  }
  toast({ title: accountTexts.emails.saved })
  return { isSaved: true }
}

type EmailsPartProps = { account: OwnAccount; choices: MailChoices }

/** The other kinds cannot be turned off: each belongs to a purchase or guards the account. */
export function EmailsPart({ account, choices }: EmailsPartProps) {
  const { title, purchases, account: ofAccount, only, sentTo } = accountTexts.emails
  return (
    <Card title={title} contentClass="grid gap-3 p-5 text-pretty">
      <ul className="grid list-disc gap-1 ps-5">
        <li>{purchases}</li>
        <li>{ofAccount}</li>
      </ul>
      <EditionsChoice choices={choices} />
      <p className="text-soft">
        {only}{' '}
        {fillParts(sentTo, {
          email: <strong className="font-semibold break-words text-ink">{account.email}</strong>,
        })}
      </p>
    </Card>
  )
}

/** Shown as chosen while it is saved, and as it was after a failure. */
function EditionsChoice({ choices }: { choices: MailChoices }) {
  const fetcher = useFetcher<FormResult>()
  const id = useId()
  const chosen = fetcher.formData?.get('has_editions')
  const isOn = chosen ? chosen === 'yes' : choices.has_editions
  const fields = { intent: 'mailChoices', has_editions: isOn ? '' : 'yes' }
  return (
    <p className="flex gap-3">
      <input
        type="checkbox"
        id={id}
        checked={isOn}
        disabled={fetcher.state !== 'idle'}
        className="mt-1 size-4.5 shrink-0 accent-ink"
        onChange={() => void fetcher.submit(fields, { method: 'post' })}
      />
      <label htmlFor={id}>{accountTexts.emails.editions}</label>
    </p>
  )
}
