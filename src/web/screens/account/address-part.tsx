import { accountTexts } from '#words/account.ts'
import { authTexts } from '#words/auth.ts'
import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { z } from 'zod'
import { addressForm, type OwnAccount } from '#contract/accounts/own-account.ts'
import { changeAddress, resendAddressChange } from '../../accounts.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { fillParts } from '../../fill-parts.tsx'
import { LinkNotSent } from '../../link-not-sent.tsx'
import { readText } from '../../form.ts'
import { useMe } from '../../session.ts'
import { useSendsMail } from '../../shop.ts'
import { parseForm } from '../../read-form.ts'
import { toast } from '../../toasts.tsx'
import type { FormResult } from '../../use-action-form.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { change, leaveIfSignedOut } from './account-action.ts'
import { AccountForm } from './account-form.tsx'

export async function saveAddress(form: FormData): Promise<FormResult> {
  const { values, problems } = parseForm(addressForm, form)
  if (problems) return { isSaved: false, problems }
  const { same, sent } = accountTexts.address
  if (values.email === readText(form, 'present')) return { isSaved: false, problems: { email: same } }
  return change(() => changeAddress(values.email), {
    done: { title: sent },
    fields: { validation_failed: 'email' },
  })
}

export function sendAddressLinkAgain(form: FormData): Promise<FormResult> {
  const done = { title: accountTexts.address.sentAgain }
  return change(() => resendAddressChange(readText(form, 'present')), { done })
}

export async function cancelAddressChange(): Promise<FormResult> {
  const { canceled, couldNotCancel } = accountTexts.address
  try {
    await responseOf(api.account['new-address'].$delete())
  } catch (error) {
    leaveIfSignedOut(error)
    toast(failure(couldNotCancel, error))
    return { isSaved: false }
  }
  toast({ title: canceled })
  return { isSaved: true }
}

export function AddressPart({ account }: { account: OwnAccount }) {
  const { email, new_email, missing } = account
  const { title, text } = accountTexts.address
  return (
    <Card title={title} contentClass="grid gap-5 p-5">
      <p className="text-pretty">{fillParts(text, { email: <Address>{email}</Address> })}</p>
      {new_email ? (
        <Waiting email={email} new_email={new_email} missing={missing} />
      ) : (
        <Change email={email} />
      )}
    </Card>
  )
}

function Address({ children }: { children: string }) {
  return <strong className="font-semibold wrap-anywhere">{children}</strong>
}

function Change({ email }: Pick<OwnAccount, 'email'>) {
  const texts = accountTexts.address
  const sendsMail = useSendsMail()
  const [isOpen, open] = useState(false)
  if (!isOpen)
    return (
      <p>
        <Button look="outline" className="max-sm:w-full" onClick={() => open(true)}>
          {texts.change}
        </Button>
      </p>
    )
  return (
    <AccountForm<z.infer<typeof addressForm>> intent="address" label={texts.send}>
      {(field) => (
        <>
          <input type="hidden" name="present" value={email} />
          <Field
            label={texts.new}
            hint={sendsMail ? texts.hint : undefined}
            type="email"
            autoComplete="email"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that had the focus has gone
            autoFocus
            {...field('email')}
          />
        </>
      )}
    </AccountForm>
  )
}

type WaitingProps = { email: string; new_email: string; missing: OwnAccount['missing'] }

function Waiting({ email, new_email, missing }: WaitingProps) {
  const texts = accountTexts.address
  const { isAdmin } = useMe()
  const isMissing = { old: missing.includes('current'), new: missing.includes('new') }
  const addresses = { new: <Address>{new_email}</Address>, old: <Address>{email}</Address> }
  const waiting =
    isMissing.old && isMissing.new ? texts.waiting : isMissing.new ? texts.waitingForNew : texts.waitingForOld
  const sendsMail = useSendsMail()
  const fetcher = useFetcher<FormResult>()
  const isBusy = fetcher.state !== 'idle'
  const submit = (intent: string) => void fetcher.submit({ intent, present: email }, { method: 'post' })
  return (
    <div className="grid gap-4 rounded-md border border-line bg-ink/5 p-4">
      <p role="status" className="text-pretty">
        {sendsMail ? (
          fillParts(waiting, addresses)
        ) : (
          <LinkNotSent email={isMissing.new ? new_email : email} />
        )}
      </p>
      {isMissing.old && !isAdmin && (
        <p className="text-sm text-pretty text-soft">
          {fillParts(texts.lostOld, { old: addresses.old, contact: <WriteToUs /> })}
        </p>
      )}
      <p className="flex flex-wrap gap-3">
        <Button
          look="outline"
          disabled={isBusy}
          className="max-sm:w-full"
          onClick={() => submit('addressAgain')}
        >
          {sendsMail ? texts.again : authTexts.writeEmailAgain}
        </Button>
        <Button
          look="quiet"
          disabled={isBusy}
          className="max-sm:w-full"
          onClick={() => submit('addressCancel')}
        >
          {texts.cancel}
        </Button>
      </p>
    </div>
  )
}

function WriteToUs() {
  return (
    <a href="/#contact" className="rounded-sm text-ink underline underline-offset-4">
      {authTexts.writeToUs}
    </a>
  )
}
