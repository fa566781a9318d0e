// Makes and removes admins, and says what came of it.
import type { AdminsApi } from '#features/users/admins-routes.ts'
import { adminRequest, type AdminAdded } from '#features/users/contract/admins.ts'
import type { UsersApi } from '#features/users/routes.ts'
import { adminClient, ProblemError, responseOf } from '../../../api.ts'
import { checkFields } from '../../../check-fields.ts'
import { failure } from '../../../copy.ts'
import { readText } from '../../../form.ts'
import { mailedNotice } from '../../../mailed-notice.ts'
import { toast, type Toast } from '../../../toasts.tsx'
import { provenClient } from '../asked-proof.tsx'
import { leaveIfRefused } from '../load.ts'
import { giveOwnCode, proofAskedBy } from '../proof-fields.tsx'
import type { ProvenResult } from './use-proven-form.tsx'

const api = adminClient<AdminsApi>()
const usersApi = provenClient<UsersApi>()

const outcomes: Record<AdminAdded['outcome'], (email: string) => { title: string; description: string }> = {
  invited: (email) => ({
    title: 'Admin Invited',
    description: `A mail with a link goes to ${email}.`,
  }),
  granted: (email) => ({ title: 'Admin Added', description: `${email} is admin now.` }),
  unchanged: (email) => ({ title: 'Nothing Changed', description: `${email} is admin already.` }),
}

/** Its link works from the invited person's own mailbox only. */
function keptInvitation(email: string): Toast {
  return {
    title: 'Admin Invited',
    description: `Mail is not set up, so ${email} was not told. Set it up, and invite ${email} again.`,
  }
}

export async function addAdmin(form: FormData): Promise<ProvenResult> {
  const json = { email: readText(form, 'email') }
  const problems = checkFields(adminRequest, json)
  if (problems) return { isSaved: false, problems }
  const wrong = await giveOwnCode(form)
  if (wrong) return { isSaved: false, proof: { wrong } }
  const current_password = readText(form, 'current_password') || undefined
  try {
    const call = api.admins.$post({ json: { ...json, ...(current_password && { current_password }) } })
    const { outcome } = await responseOf(call)
    const notice = outcomes[outcome](json.email)
    toast(outcome === 'invited' ? await mailedNotice(notice, keptInvitation(json.email)) : notice)
    return { isSaved: true }
  } catch (error) {
    leaveIfRefused(error)
    const proof = proofAskedBy(error)
    if (proof) return { isSaved: false, proof }
    toast(failure('Not Added', error))
    return { isSaved: false, problems: error instanceof ProblemError ? error.fields : undefined }
  }
}

/** Undefined: what is being entered for another admin stays. */
export async function removeAdmin(form: FormData): Promise<undefined> {
  try {
    const param = { id: readText(form, 'removed'), role: 'admin' as const }
    await responseOf(usersApi.users[':id'].roles[':role'].$delete({ param, json: {} }))
    toast({ title: 'Admin Removed' })
  } catch (error) {
    leaveIfRefused(error)
    toast(failure('Not Removed', error))
  }
}
