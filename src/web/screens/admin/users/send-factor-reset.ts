// Resets a user's second factor after the admin has proven who they are.
import type { UsersApi } from '#features/users/routes.ts'
import { adminClient, ProblemError } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { readText } from '../../../form.ts'
import { toast } from '../../../toasts.tsx'
import { leaveIfRefused } from '../load.ts'
import { giveOwnCode, wrongPassword, type ProofProblem } from '../proof-fields.tsx'

const api = adminClient<UsersApi>()

export type ResetResponse = { isDone: true } | { isDone: false; wrong: ProofProblem }

export async function sendFactorReset(id: string, form: FormData): Promise<ResetResponse> {
  const wrong = await giveOwnCode(form)
  if (wrong) return { isDone: false, wrong }
  const json = { current_password: readText(form, 'current_password') }
  try {
    await api.users[':id']['factor-reset'].$post({ param: { id }, json })
    toast({ title: 'Second Factor Reset' })
    return { isDone: true }
  } catch (error) {
    leaveIfRefused(error)
    if (error instanceof ProblemError && error.code === 'auth.invalid_credentials') {
      return { isDone: false, wrong: wrongPassword }
    }
    const notice = failure('Not Reset', error)
    toast(notice)
    return { isDone: false, wrong: { field: undefined, problem: notice.title } }
  }
}
