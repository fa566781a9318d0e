// For who cannot find a purchase: first under the own address, then by a message to the author that has what a search needs.
import { accountTexts } from '#words/account.ts'
import { useState } from 'react'
import { findPurchaseNext } from '#contract/accounts/find-purchase.ts'
import { api, responseOf } from '../../api.ts'
import { asEntered, readText, useForm, type FormResult } from '../../form.ts'
import { fillParts } from '../../fill-parts.tsx'
import { MessagePage } from '../../message-page.tsx'
import { showRefusal } from '../../refusal.ts'
import { useSession } from '../../use-session.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field, TextField } from '../../components/field.tsx'

const details = ['otherAddress', 'when', 'card', 'more'] as const

async function write(form: FormData): Promise<FormResult> {
  const texts = accountTexts.findPurchase
  const known = details.map((name) => [texts[name], readText(form, name).trim()] as const)
  const lines = known.filter(([, value]) => value !== '').map(([label, value]) => `${label}\n${value}`)
  const json = {
    name: readText(form, 'name'),
    email: readText(form, 'email'),
    subject: texts.subject,
    message: [texts.message, ...lines].join('\n\n'),
  }
  try {
    await responseOf(api.contact.$post({ json }))
    return { isSaved: true }
  } catch (error) {
    return showRefusal(texts.failed, error)
  }
}

export function meta() {
  return [{ title: accountTexts.findPurchase.page }, { name: 'robots', content: 'noindex' }]
}

export default function FindPurchase() {
  const texts = accountTexts.findPurchase
  const [isSent, setIsSent] = useState(false)
  const session = useSession()
  return (
    <MessagePage title={texts.page} text={texts.underAddress}>
      {session ? (
        <div className="grid justify-items-center gap-3">
          <p>
            {fillParts(texts.signedIn, {
              email: <strong className="break-words">{session.user.email}</strong>,
            })}
          </p>
          <ButtonLink to="/dashboard">{texts.open}</ButtonLink>
        </div>
      ) : (
        <ButtonLink to={`/auth?next=${encodeURIComponent(findPurchaseNext)}&form=code`}>
          {texts.code}
        </ButtonLink>
      )}
      <section className="mt-6 w-full max-w-xl border-t border-line pt-8 text-start">
        <h2 className="font-display text-2xl">{texts.notThere}</h2>
        <p className="mt-2 text-pretty text-soft">{texts.mistyped}</p>
        {isSent ? (
          <p role="status" className="mt-6 font-semibold">
            {texts.sent}
          </p>
        ) : (
          <WriteForm email={session?.user.email} onSent={() => setIsSent(true)} />
        )}
      </section>
    </MessagePage>
  )
}

type WriteFormProps = { email: string | undefined; onSent: () => void }

function WriteForm({ email, onSent }: WriteFormProps) {
  const texts = accountTexts.findPurchase
  const { form, isBusy, field } = useForm(asEntered, send)
  async function send(entered: FormData) {
    const result = await write(entered)
    if (result.isSaved) onSent()
    return result
  }
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
          name="otherAddress"
          required={false}
          autoComplete="off"
          maxLength={254}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={texts.when} name="when" required={false} autoComplete="off" maxLength={100} />
          <Field
            label={texts.card}
            name="card"
            required={false}
            autoComplete="off"
            inputMode="numeric"
            maxLength={4}
          />
        </div>
        <TextField label={texts.more} name="more" required={false} rows={3} maxLength={2000} />
        <p>
          <Button type="submit">{isBusy ? texts.busy : texts.write}</Button>
        </p>
      </fieldset>
    </form>
  )
}
