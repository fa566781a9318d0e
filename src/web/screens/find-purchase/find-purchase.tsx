// For who cannot find a purchase: first under the own address, then by a message to the author that has what a search needs.
import { accountTexts } from '#words/account.ts'
import { useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { findPurchaseNext } from '#contract/accounts/find-purchase.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { useFocusBack, useFocusWrong, readText } from '../../form.ts'
import { fillParts } from '../../fill-parts.tsx'
import { MessagePage } from '../../message-page.tsx'
import { useSession } from '../../session.ts'
import { toast } from '../../toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Field, TextField } from '../../components/field.tsx'
import type { Route } from './+types/find-purchase.ts'

type Outcome = { isSent: boolean; fields?: FieldProblems | undefined }

const details = ['otherAddress', 'when', 'card', 'more'] as const

export async function clientAction({ request }: Route.ClientActionArgs): Promise<Outcome> {
  const form = await request.formData()
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
    return { isSent: true }
  } catch (error) {
    const fields = error instanceof ProblemError ? error.fields : undefined
    if (!fields) toast(failure(texts.failed, error))
    return { isSent: false, fields }
  }
}

export function meta() {
  return [{ title: accountTexts.findPurchase.page }, { name: 'robots', content: 'noindex' }]
}

export default function FindPurchase({ actionData }: Route.ComponentProps) {
  const texts = accountTexts.findPurchase
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
        {actionData?.isSent ? (
          <p role="status" className="mt-6 font-semibold">
            {texts.sent}
          </p>
        ) : (
          <WriteForm answer={actionData} email={session?.user.email} />
        )}
      </section>
    </MessagePage>
  )
}

type WriteFormProps = { answer: Outcome | undefined; email: string | undefined }

function WriteForm({ answer, email }: WriteFormProps) {
  const texts = accountTexts.findPurchase
  const form = useRef<HTMLFormElement>(null)
  const isSending = useNavigation().formMethod !== undefined
  useFocusBack(form, isSending)
  useFocusWrong(form, answer?.fields)
  return (
    <Form ref={form} method="post" noValidate>
      <fieldset disabled={isSending} className="mt-6 grid gap-5">
        <Field label={texts.name} name="name" autoComplete="name" problem={answer?.fields?.['name']} />
        <Field
          label={texts.email}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          problem={answer?.fields?.['email']}
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
          <Button type="submit">{isSending ? texts.busy : texts.write}</Button>
        </p>
      </fieldset>
    </Form>
  )
}
