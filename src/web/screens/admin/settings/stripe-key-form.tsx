import type { z } from 'zod'
import { connectionRequest, type Connection } from '#contract/operations/connection.ts'
import type { PaymentSetupApi } from '#domains/operations/payment-setup.routes.ts'
import { Card } from '../../../components/card.tsx'
import { ActionForm } from '../action-form.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { parseForm } from '../../../read-form.ts'
import { responseOf } from '../../../api.ts'
import { adminAction } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'
import { useActionForm, type FormResult } from '../../../use-action-form.ts'

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

type StripeKeyFormProps = { connection: Pick<Connection, 'mode'>; result: FormResult | undefined }

export function StripeKeyForm({ connection: { mode }, result }: StripeKeyFormProps) {
  const state = useActionForm<z.infer<typeof keyForm>>(result, {
    isEmptied: true,
  })
  return (
    <Card title={mode === 'none' ? 'Connect Stripe' : 'Another key'}>
      <ActionForm state={state} button="Check and connect" busyButton="Asking Stripe...">
        <p className="max-w-prose text-pretty text-soft">{adviceFor(mode)}</p>
        <PasswordField
          label="Secret key"
          autoComplete="off"
          hint="In Stripe’s dashboard under Developers, API keys. It begins with sk_test_ or sk_live_; a restricted key begins with rk_. It is stored encrypted and never shown again."
          {...state.field('secret_key')}
        />
      </ActionForm>
    </Card>
  )
}

function adviceFor(mode: Connection['mode']): string {
  if (mode === 'none')
    return 'Paste the secret key of your account. The shop checks it with Stripe right away and tells Stripe where to report payments.'
  if (mode === 'test')
    return 'Paste the live key when the test purchase works. Test orders then leave all sums for good, and open test checkouts end.'
  return 'Paste the new key after you have rolled it at Stripe. With a key of another account, orders that were paid stay as they are, but their refunds and disputes are handled in the dashboard of the account they were paid to: this shop no longer reaches them. The change is refused while payments are open.'
}
