// What the page's forms send. A call that needs a recent proof asks for it, and is repeated.
import { accountTexts } from '#words/account.ts'
import type { ReactNode } from 'react'
import { useFetcher, redirect } from 'react-router'
import { Button } from '../../components/button.tsx'
import { useActionForm, type FormResult } from '../../use-checked-form.ts'
import { siteTexts } from '#words/site.ts'
import type { Outcome } from '../../accounts.ts'
import { ProblemError } from '../../api.ts'
import { askForProof, isProofNeeded } from '../../proof-dialog.tsx'
import { renewSession } from '../../session.ts'
import { toast, type Toast } from '../../toasts.tsx'

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
