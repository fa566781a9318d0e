// The forms of the account page. A call that needs a recent proof asks for it, and is repeated.
import { accountTexts } from '#words/account.ts'
import type { ComponentProps } from 'react'
import { redirect, useRevalidator } from 'react-router'
import { hc } from 'hono/client'
import type { z } from 'zod'
import type { Api } from '../../../app.ts'
import type { FormResult } from '../../forms/form.ts'
import { SchemaForm } from '../schema-form.tsx'
import { useRedirect } from '../navigation.ts'
import type { Outcome } from '../../session/accounts.ts'
import { ProblemError } from '../../api.ts'
import { askForProof, isProofMissing, isProofNeeded, sendWithProof } from '../proof-dialog.tsx'
import { renewSession } from '../../session/session.ts'
import { failure } from '../../notices/send.ts'
import { namedNotice } from '../../notices/named-notice.ts'
import { toast, type Toast } from '../../notices/toasts.tsx'

type AccountFormProps<Schema extends z.ZodObject> = Pick<
  ComponentProps<typeof SchemaForm<Schema>>,
  'schema' | 'fields' | 'values' | 'children'
> & {
  save: (values: z.output<Schema>) => Promise<FormResult>
  label?: string
}

export function AccountForm<Schema extends z.ZodObject>(props: AccountFormProps<Schema>) {
  const { save, label = accountTexts.save, ...form } = props
  const { revalidate } = useRevalidator()
  const follow = useRedirect()
  async function send(values: z.output<Schema>): Promise<FormResult> {
    const result = await follow(() => save(values))
    await revalidate()
    return result
  }
  return <SchemaForm {...form} send={send} button={label} busyButton={accountTexts.saving} isWide />
}

/** A call that needs a recent proof asks for it. */
export const { account: accountApi } = hc<Api>('/api', { fetch: sendWithProof() })

export const signInPath = '/auth?next=/account'

type Notices = {
  done: Toast
  failed?: string
  /** The field that a refusal is about, by GoTrue's code. */
  fields?: Record<string, string>
}

/** Makes the change by a call of auth-js. */
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

type ApiNotices = Pick<Notices, 'done' | 'failed'> & {
  /** The call asks for a proof itself: then a missing one was canceled. */
  asksProof?: boolean
}

/** Makes the change by a call of the shop's own API. */
export async function changeByApi(
  call: () => Promise<unknown>,
  { done, failed = accountTexts.couldNotSave, asksProof = false }: ApiNotices,
): Promise<FormResult> {
  try {
    await call()
  } catch (error) {
    leaveIfSignedOut(error)
    if (!asksProof || !isProofMissing(error)) toast(failure(failed, error))
    return { isSaved: false }
  }
  return succeed(done)
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
  toast(namedNotice('session-ended'))
  return redirect(signInPath)
}

function succeed(done: Toast): FormResult {
  toast(done)
  return { isSaved: true }
}
