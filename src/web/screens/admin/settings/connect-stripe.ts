// Sends a pasted key of Stripe, and takes it away, and says what came of it.
import type { PaymentSetupApi } from '#features/payment-setup/routes.ts'
import { connectionRequest, type Connection } from '#features/payment-setup/contract/connection.ts'
import { adminClient, ProblemError, responseOf } from '../../../api.ts'
import { checkFields } from '../../../check-fields.ts'
import { failure } from '../../../copy.ts'
import { readText } from '../../../form.ts'
import { toast } from '../../../toasts.tsx'
import { leaveIfRefused } from '../load.ts'
import { giveOwnCode, proofAskedBy } from '../proof-fields.tsx'
import type { ProvenResult } from './use-proven-form.tsx'

export type ConnectResult = { isForRemoval: boolean } & ProvenResult

const api = adminClient<PaymentSetupApi>()
const { connection } = api.payments

export const readConnection = () => responseOf(connection.$get())

export async function changeConnection(form: FormData): Promise<ConnectResult> {
  const isForRemoval = form.has('removed')
  const secret_key = readText(form, 'secret_key')
  const problems = isForRemoval ? undefined : checkFields(connectionRequest, { secret_key })
  if (problems) return { isForRemoval, isSaved: false, problems }
  const wrong = await giveOwnCode(form)
  if (wrong) return { isForRemoval, isSaved: false, proof: { wrong } }
  const password = readText(form, 'current_password')
  const proof = password ? { current_password: password } : {}
  try {
    const call = isForRemoval
      ? connection.$delete({ json: proof })
      : connection.$put({ json: { secret_key, ...proof } })
    toast(outcomeOf(await responseOf(call)))
    return { isForRemoval, isSaved: true }
  } catch (error) {
    leaveIfRefused(error)
    const asked = proofAskedBy(error)
    if (asked) return { isForRemoval, isSaved: false, proof: asked }
    toast(failure(isForRemoval ? 'Not Removed' : 'Not Connected', error))
    const fields = error instanceof ProblemError ? error.fields : undefined
    return { isForRemoval, isSaved: false, problems: fields }
  }
}

/** Has Stripe report to the shop's present address. */
export async function moveWebhook(): Promise<undefined> {
  try {
    await responseOf(connection.webhook.$post())
    toast({ title: 'Address Changed', description: 'Stripe reports payments to the present address now.' })
  } catch (error) {
    leaveIfRefused(error)
    toast(failure('Not Changed', error))
  }
}

function outcomeOf({ mode, account }: Connection): { title: string; description: string } {
  if (mode === 'none') return { title: 'Key Removed', description: 'Nothing is for sale any more.' }
  const what = mode === 'live' ? 'The shop takes money now' : 'The shop takes test payments now'
  return { title: 'Stripe Connected', description: `${what}, for ${account?.name ?? 'your account'}.` }
}
