import type { PaymentSetupApi } from '#features/payment-setup/routes.ts'
import { connectionRequest, type Connection } from '#features/payment-setup/contract/connection.ts'
import { responseOf } from '../../../api.ts'
import { parseForm } from '../../../read-form.ts'
import type { FormResult } from '../../../use-action-form.ts'
import { adminAction } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'

const { connection } = adminClient<PaymentSetupApi>('Save').payments

export const readConnection = () => responseOf(connection.$get())

export const keyForm = connectionRequest.pick({ secret_key: true })

export async function saveKey(form: FormData): Promise<FormResult> {
  const { values: json, problems } = parseForm(keyForm, form)
  if (problems) return { isSaved: false, problems }
  const call = () => responseOf(connection.$put({ json }))
  return adminAction(call, { done: connectionNotice, failed: 'Couldn’t connect' })
}

export const removeKey = () => responseOf(connection.$delete({ json: {} }))

export const moveWebhook = () => responseOf(connection.webhook.$post())

export function connectionNotice({ mode, account }: Connection): { title: string; description: string } {
  if (mode === 'none') return { title: 'Key removed', description: 'Nothing is for sale any more.' }
  const what = mode === 'live' ? 'The shop takes money now' : 'The shop takes test payments now'
  return { title: 'Stripe connected', description: `${what}, for ${account?.name ?? 'your account'}.` }
}
