// Islands: the way to the own purchases, and a message to the author.
import { useState } from 'react'
import { findPurchaseTexts } from '#words/find-purchase.ts'
import { guestTexts } from '#words/guest.ts'
import { findPurchaseNext, findPurchasePath } from '#contract/paths.ts'
import { findPurchaseMessage, searchProblems } from '#contract/readers/find-purchase-message.ts'
import { api, responseOf } from '../../api.ts'
import { byBrowser } from '../../forms/browser-validation.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { fillParts } from '../../format/fill-parts.tsx'
import { readText, useForm, type Check, type FormResult, showRefusal } from '../../forms/form.ts'
import { useSession } from '../../session/use-session.ts'

/** Whom it greets by their address is known once it is alive. */
export function SignInByCode() {
  const texts = findPurchaseTexts
  const session = useSession()
  if (!session)
    return (
      <ButtonLink
        to={`/auth?next=${encodeURIComponent(findPurchaseNext)}&form=code`}
        className="signed-in:invisible"
      >
        {guestTexts.getCode}
      </ButtonLink>
    )
  return (
    <div className="grid justify-items-center gap-3">
      <p>
        {fillParts(texts.signedIn, {
          email: <strong className="break-words">{session.user.email}</strong>,
        })}
      </p>
      <ButtonLink to="/dashboard">{texts.open}</ButtonLink>
    </div>
  )
}

async function write(form: FormData): Promise<FormResult> {
  try {
    await responseOf(api.contact.$post({ json: findPurchaseMessage((name) => readText(form, name)) }))
    return { isSaved: true }
  } catch (error) {
    return showRefusal(findPurchaseTexts.failed, error)
  }
}

const checkFilled = byBrowser()

const check: Check<FormData> = (form) => {
  const { values, problems: empty } = checkFilled(form)
  const entered = values ?? new FormData(form)
  const problems = { ...empty, ...searchProblems((name) => readText(entered, name)) }
  return Object.keys(problems).length > 0 ? { problems } : { values: entered }
}

export function WriteForm() {
  const texts = findPurchaseTexts
  const email = useSession()?.user.email
  const [isSent, setIsSent] = useState(false)
  const { form, isBusy, field } = useForm(check, send, { action: findPurchasePath })
  async function send(entered: FormData) {
    const result = await write(entered)
    if (result.isSaved) setIsSent(true)
    return result
  }
  if (isSent)
    return (
      <p role="status" className="mt-6 font-semibold">
        {texts.sent}
      </p>
    )
  return (
    <form {...form}>
      <fieldset disabled={isBusy} className="mt-6 grid gap-5">
        <Field label={texts.name} autoComplete="name" {...field('name')} />
        <Field
          label={texts.email}
          type="email"
          autoComplete="email"
          defaultValue={email}
          {...field('email')}
        />
        <Field
          label={texts.otherAddress}
          {...field('otherAddress')}
          required={false}
          autoComplete="off"
          maxLength={254}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={texts.when} {...field('when')} required={false} autoComplete="off" maxLength={100} />
          <Field
            label={texts.card}
            {...field('card')}
            required={false}
            autoComplete="off"
            inputMode="numeric"
            maxLength={4}
          />
        </div>
        <TextField label={texts.more} {...field('more')} required={false} rows={3} maxLength={2000} />
        <p>
          <Button type="submit" data-busy={texts.busy}>
            {isBusy ? texts.busy : texts.write}
          </Button>
        </p>
      </fieldset>
    </form>
  )
}
