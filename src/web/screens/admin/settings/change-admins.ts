import type { AdminsApi } from '#domains/accounts/admins.ts'
import { adminRequest, type AdminAdded } from '#contract/accounts/users.ts'
import { responseOf } from '../../../api.ts'
import { parseForm } from '../../../read-form.ts'
import { mailedNotice } from '../../../mailed-notice.ts'
import type { Toast } from '../../../toasts.tsx'
import type { FormResult } from '../../../use-action-form.ts'
import { adminAction } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'

const api = adminClient<AdminsApi>('Save')

const outcomes: Record<AdminAdded['outcome'], (email: string) => { title: string; description: string }> = {
  invited: (email) => ({
    title: 'Admin invited',
    description: `An email with a link goes to ${email}.`,
  }),
  granted: (email) => ({ title: 'Admin added', description: `${email} is admin now.` }),
  unchanged: (email) => ({ title: 'Nothing changed', description: `${email} is admin already.` }),
}

function unsentInvitation(email: string): Toast {
  return {
    title: 'Admin invited',
    description: `Email is not set up, so ${email} was not told. Set it up, and invite ${email} again.`,
  }
}

export const adminForm = adminRequest.omit({ current_password: true })

export async function addAdmin(form: FormData): Promise<FormResult> {
  const { values: json, problems } = parseForm(adminForm, form)
  if (problems) return { isSaved: false, problems }
  return adminAction(() => responseOf(api.admins.$post({ json })), {
    done: ({ outcome }) => addedNotice(outcome, json.email),
    failed: 'Couldn’t add the admin',
  })
}

function addedNotice(outcome: AdminAdded['outcome'], email: string): Toast | Promise<Toast> {
  const notice = outcomes[outcome](email)
  return outcome === 'invited' ? mailedNotice(notice, unsentInvitation(email)) : notice
}
