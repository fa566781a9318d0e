import type { Connection } from '#contract/operations/connection.ts'
import type { SaleMode } from '#contract/catalog/sale-mode.ts'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { formatDate } from '../../../format.ts'
import { useLastLoaded } from '../../../use-last-loaded.ts'
import { changedSaleMode } from '../../../page-state.ts'
import type { FormResult } from '../../../use-action-form.ts'
import { CallButton } from '../call-button.tsx'
import { load } from '../admin-client.ts'
import type { Route } from './+types/payments.ts'
import { loadGroup, type SaveResult } from './save-group.ts'
import {
  connectionNotice,
  moveWebhook,
  readConnection,
  removeKey,
  saveKey,
  StripeKeyForm,
} from './stripe-key-form.tsx'
import { TestPurchase } from './test-purchase.tsx'
import { isWithoutKey, saveWithoutKey, WithoutKey } from './without-key.tsx'

export async function clientLoader() {
  const [found, group] = await Promise.all([
    load('Failed to fetch the settings', readConnection),
    loadGroup('payments'),
  ])
  if (!found || !group) return undefined
  changedSaleMode.set(found.sale_mode)
  return { ...found, group }
}

type Result = { without_key?: SaveResult; secret_key?: FormResult }

export async function clientAction({ request }: Route.ClientActionArgs): Promise<Result> {
  const form = await request.clone().formData()
  return isWithoutKey(form)
    ? { without_key: await saveWithoutKey(request) }
    : { secret_key: await saveKey(form) }
}

export default function PaymentSettings({ loaderData, actionData }: Route.ComponentProps) {
  const found = useLastLoaded(loaderData)
  if (!found) return <LoadFailed card="Payments" title="The settings could not be loaded" />
  return (
    <div className="grid gap-6">
      <Card title="Payments" action={<ModeBadge mode={found.mode} />} contentClass="grid gap-4 px-5 py-5">
        <State connection={found} />
      </Card>
      {found.mode === 'none' && found.sale_mode !== 'key_missing' && (
        <Card title="While Stripe is not connected" contentClass="grid gap-4 px-5 py-5">
          {found.sale_mode === 'sample' && (
            <p className="max-w-prose text-pretty text-soft">
              This applies once your own book has replaced the sample.
            </p>
          )}
          <WithoutKey found={found.group} result={actionData?.without_key} />
        </Card>
      )}
      {!found.is_from_environment && <StripeKeyForm connection={found} result={actionData?.secret_key} />}
      {found.mode === 'test' && found.key?.is_readable !== false && <TestPurchase connection={found} />}
    </div>
  )
}

const modes = { none: 'not set up', test: 'test mode', live: 'live' } satisfies Record<
  Connection['mode'],
  string
>

function ModeBadge({ mode }: Pick<Connection, 'mode'>) {
  return <Badge look={mode === 'live' ? 'highlighted' : 'toned'}>{modes[mode]}</Badge>
}

function State({ connection }: { connection: Connection }) {
  const { mode, sale_mode, account, key, is_from_environment } = connection
  if (sale_mode !== 'paid')
    return (
      <p className="max-w-prose text-pretty text-soft">The shop takes no money{withoutMoney[sale_mode]}</p>
    )
  return (
    <>
      {key && !key.is_readable ? (
        <p role="alert" className="max-w-prose text-pretty text-danger">
          The stored key cannot be opened any more, because the shop has another AUTH_SECRET. Until you paste
          it again, nobody can buy.
        </p>
      ) : (
        <Payments connection={connection} />
      )}
      {account && <p className="text-sm break-all text-soft">{account.id}</p>}
      {key && (
        <p className="text-sm break-words text-soft">
          {`The key${key.ends_in ? ` ends in …${key.ends_in}. It` : ''} was set by ${key.set_by} on ${formatDate(key.set_at)}.`}
        </p>
      )}
      {is_from_environment && (
        <p className="max-w-prose text-sm text-pretty text-soft">
          The environment of the shop sets the key (STRIPE_SECRET_KEY). To set it here, remove it there and
          start the shop again.
        </p>
      )}
      {!is_from_environment && <RemoveKey mode={mode} />}
    </>
  )
}

const connectIt =
  'Connect an account at Stripe to be paid. Begin with its test key, try a purchase, then paste the live key.'

const withoutMoney: Record<Exclude<SaleMode, 'paid'>, string> = {
  sample: `: anyone who buys the sample gets it at once, for free. ${connectIt}`,
  free: `: anyone who asks for your book gets it at once, for free. ${connectIt}`,
  not_for_sale: `, so your book is not for sale yet. ${connectIt}`,
  key_missing:
    ', and nothing is for sale: this shop used to have a Stripe key, and without one it would give your book away. Set STRIPE_SECRET_KEY again where the shop is started, or paste the key below.',
}

function Payments({ connection }: { connection: Connection }) {
  const { mode, account, is_from_environment, has_webhook, former_webhook } = connection
  return (
    <>
      <p className="max-w-prose text-pretty">
        {whereMoneyGoes(mode, account?.name)}{' '}
        {!former_webhook && webhookStates[has_webhook ? 'at once' : 'late']}
      </p>
      {former_webhook && (
        <p role="alert" className="max-w-prose text-pretty text-danger">
          Stripe still reports payments to the former address of the shop, {former_webhook}. Until it reports
          to the present one, the shop may hear of payments late.
        </p>
      )}
      {(former_webhook ?? !has_webhook) && !is_from_environment && (
        <p>
          <CallButton
            look="primary"
            label="Let Stripe report to the current address"
            busyLabel="Asking Stripe..."
            call={moveWebhook}
            done={{
              title: 'Address changed',
              description: 'Stripe reports payments to the current address now.',
            }}
            failed="Couldn’t save the change"
          />
        </p>
      )}
    </>
  )
}

const webhookStates = {
  'at once': 'Stripe tells the shop of each payment at once.',
  late: 'Stripe does not tell the shop of payments, so the shop asks Stripe every minute.',
}

function whereMoneyGoes(mode: Connection['mode'], name: string | undefined): string {
  const to = name ? ` to ${name}` : ''
  return mode === 'live'
    ? `Buyers pay real money${to}.`
    : `Test payments go${to || ' to Stripe'}: no real money is taken.`
}

function RemoveKey({ mode }: Pick<Connection, 'mode'>) {
  return (
    <p>
      <CallButton
        label="Remove the key"
        question={{ title: 'Take no more payments?', action: 'Remove the key', isDanger: true }}
        call={removeKey}
        done={connectionNotice}
        failed="Couldn’t remove"
      >
        Without a key nothing is for sale: the cards say “Available soon”.
        {mode === 'live' && (
          <span>
            {
              ' Refunds and disputes of orders that were paid are then handled at Stripe only, until you paste a key of the same account again.'
            }
          </span>
        )}
      </CallButton>
    </p>
  )
}
