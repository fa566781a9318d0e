// Resets a user's second factor after the admin has proven who they are.
import type { UsersApi } from '#features/users/routes.ts'
import { giveCode } from '../../../accounts.ts'
import { adminClient, ProblemError } from '../../../api.ts'
import { readCode, readText } from '../../../code-form.tsx'
import { failure } from '../../../copy.ts'
import { toast } from '../../../toasts.tsx'
import { leaveIfRefused } from '../load.ts'

const api = adminClient<UsersApi>()

/** `field` is the one that `problem` is about. */
export type ResetResponse =
  | { isDone: true; field?: undefined; problem?: undefined }
  | { isDone: false; field: 'password' | 'code' | undefined; problem: string }

export async function sendFactorReset(id: string, form: FormData): Promise<ResetResponse> {
  const codeProblem = form.has('code') ? await giveOwnCode(form) : undefined
  if (codeProblem) return { isDone: false, field: 'code', problem: codeProblem }
  const json = { current_password: readText(form, 'current_password') }
  try {
    await api.users[':id']['factor-reset'].$post({ param: { id }, json })
    toast({ title: 'Second Factor Reset' })
    return { isDone: true }
  } catch (error) {
    leaveIfRefused(error)
    if (error instanceof ProblemError && error.code === 'auth.invalid_credentials') {
      return { isDone: false, field: 'password', problem: 'This is not your password.' }
    }
    const notice = failure('Not Reset', error)
    toast(notice)
    return { isDone: false, field: undefined, problem: notice.title }
  }
}

async function giveOwnCode(form: FormData): Promise<string | undefined> {
  const code = readCode(form)
  if (!code) return 'The code has six digits.'
  return (await giveCode(readText(form, 'factor'), code)).problem
}
