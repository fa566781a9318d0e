// What the page's forms send. A call that needs a recent proof asks for it, and is repeated.
import { accountTexts } from '#words/account.ts'
import type { ReactNode } from 'react'
import { useFetcher, redirect } from 'react-router'
import { Button } from '../../components/button.tsx'
import { useActionForm, type FormResult, parseForm } from '../../use-checked-form.ts'
import { siteTexts } from '#words/site.ts'
import { type Outcome, changeName, changePassword } from '../../accounts.ts'
import { ProblemError } from '../../api.ts'
import { askForProof, isProofNeeded } from '../../proof-dialog.tsx'
import { renewSession } from '../../session.ts'
import { toast, type Toast } from '../../toasts.tsx'
import type { z } from 'zod'
import { profileForm, type OwnAccount } from '#contract/accounts/own-account.ts'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { authTexts } from '#words/auth.ts'
import { newPassword } from '#contract/accounts/accounts.ts'
import { passwordRule } from '#contract/password-length.ts'
import { PasswordField } from '../../components/password-field.tsx'

type AccountFormProps<Values> = {
  /** Which of the page's actions saves it. */
  intent: string
  label?: string
  isEmptied?: boolean
  children: (field: ReturnType<typeof useActionForm<Values>>['field']) => ReactNode
}

/** A form of the page; each has a fetcher of its own, so that one that is sent does not disable the others. */
export function AccountForm<Values>(props: AccountFormProps<Values>) {
  const { intent, label = accountTexts.save, isEmptied, children } = props
  const fetcher = useFetcher<FormResult>()
  const isBusy = fetcher.state !== 'idle'
  const { form, field, markChanged } = useActionForm<Values>(fetcher.data, { isBusy, isEmptied })
  return (
    <fetcher.Form ref={form} method="post" noValidate onInput={markChanged}>
      <fieldset disabled={isBusy} className="grid gap-5">
        <input type="hidden" name="intent" value={intent} />
        {children(field)}
        <p>
          <Button busy={isBusy} type="submit" className="max-sm:w-full">
            {isBusy ? accountTexts.saving : label}
          </Button>
        </p>
      </fieldset>
    </fetcher.Form>
  )
}

export const signInPath = '/auth?next=/account'

type Notices = {
  done: Toast
  failed?: string
  /** By GoTrue's code: the field that such a refusal is about. */
  fields?: Record<string, string>
}

/** By auth-js. */
export async function change(
  call: () => Promise<Outcome>,
  { done, failed = accountTexts.couldNotSave, fields = {} }: Notices,
): Promise<FormResult> {
  const outcome = await withProof(call)
  if (!outcome) return { isSaved: false }
  const { problem, code = '' } = outcome
  if (code === 'session_not_found') throw leave()
  if (!problem) return succeed(done)
  const field = fields[code]
  if (!field) toast({ title: failed, description: problem, destructive: true })
  return { isSaved: false, problems: field ? { [field]: problem } : undefined }
}

/** Undefined when the user canceled the proof. */
export async function withProof<Result extends Outcome>(
  call: () => Promise<Result>,
): Promise<Result | undefined> {
  const outcome = await call()
  if (!isProofNeeded(outcome.code)) return outcome
  // A factor may have been added elsewhere: the renewed session says so.
  if (outcome.code === 'insufficient_aal') await renewSession()
  return (await askForProof()) ? call() : undefined
}

export function leaveIfSignedOut(error: unknown): void {
  if (error instanceof ProblemError && error.status === 401)
    throw error.isAfterSignOut ? redirect('/') : leave()
}

function leave(): Response {
  toast({ title: siteTexts.signedOut, description: siteTexts.sessionEnded })
  return redirect(signInPath)
}

function succeed(done: Toast): FormResult {
  toast(done)
  return { isSaved: true }
}

export async function saveProfile(form: FormData): Promise<FormResult> {
  const { values, problems } = parseForm(profileForm, form)
  if (problems) return { isSaved: false, problems }
  return change(() => changeName(values.display_name), { done: { title: accountTexts.profile.saved } })
}

export function ProfilePart({ account }: { account: OwnAccount }) {
  return (
    <Card title={accountTexts.profile.title} contentClass="p-5">
      <AccountForm<z.infer<typeof profileForm>> intent="profile">
        {(field) => (
          <Field
            label={accountTexts.profile.name}
            hint={accountTexts.profile.hint}
            required={false}
            autoComplete="name"
            maxLength={200}
            defaultValue={account.display_name ?? ''}
            {...field('display_name')}
          />
        )}
      </AccountForm>
    </Card>
  )
}

export async function savePassword(form: FormData): Promise<FormResult> {
  const { values, problems } = parseForm(newPassword, form)
  if (problems) return { isSaved: false, problems }
  const fields = { weak_password: 'password', same_password: 'password' }
  return change(() => changePassword(values.password), {
    done: { title: accountTexts.password.saved },
    fields,
  })
}

export function PasswordPart({ account: { has_password, email } }: { account: OwnAccount }) {
  const { title, first, change: text, firstText, save } = accountTexts.password
  return (
    <Card title={has_password ? title : first} contentClass="grid gap-5 p-5">
      <p className="text-pretty">{has_password ? text : firstText}</p>
      <AccountForm<z.infer<typeof newPassword>> intent="password" label={save} isEmptied>
        {(field) => (
          <>
            {/* For password managers, which save the password with it. */}
            <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
            <PasswordField
              label={authTexts.newPassword}
              hint={passwordRule()}
              autoComplete="new-password"
              maxLength={200}
              {...field('password')}
            />
          </>
        )}
      </AccountForm>
    </Card>
  )
}
