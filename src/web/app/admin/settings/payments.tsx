// The settings screen of payments: the connection to Stripe, a trial of it, and what is sold without it.
import { Link } from 'react-router'
import { connectionRequest, type Connection } from '#contract/settings/settings.ts'
import { manualPath } from '#contract/overview/manual.ts'
import { Badge, Callout } from '../../../components/note.tsx'
import { type SaveResult, loadGroup } from './settings-form.tsx'
import type { PaymentSetupApi } from '#domains/settings/payment-setup.routes.ts'
import { Card, LoadFailed } from '../../card.tsx'
import { CallButton, useAdminCall, adminClient, load, useRefresh, useLastLoaded } from '../calls.tsx'
import { SchemaForm } from '../../schema-form.tsx'
import { responseOf } from '../../../api.ts'
import type { ReactNode } from 'react'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { CircleCheck } from '../icons.tsx'
import { TextLink } from '../links.tsx'
import type { SaleMode } from '#contract/catalog/products.ts'
import { formatDate } from '../../../format/format.tsx'
import { changedSaleMode } from '../../../page/page-state.ts'
import type { Route } from './+types/payments.ts'
import { PaymentMethods, WithoutKey, saveWithoutKey } from './shared-with-setup.tsx'

const { connection } = adminClient<PaymentSetupApi>('Save').payments

const readConnection = () => responseOf(connection.$get())

const keyForm = connectionRequest.pick({ secret_key: true })

const removeKey = () => responseOf(connection.$delete({ json: {} }))

const moveWebhook = () => responseOf(connection.webhook.$post())

function connectionNotice({ mode, account }: Connection): { title: string; description: string } {
  if (mode === 'none') return { title: 'Key removed', description: 'Nothing is for sale any more.' }
  const what = mode === 'live' ? 'The shop takes money now' : 'The shop takes test payments now'
  return { title: 'Stripe connected', description: `${what}, for ${account?.name ?? 'your account'}.` }
}

function StripeKeyForm({ connection: { mode } }: { connection: Pick<Connection, 'mode'> }) {
  const [, run] = useAdminCall()
  return (
    <Card title={mode === 'none' ? 'Connect Stripe' : 'Another key'}>
      <SchemaForm
        schema={keyForm}
        fields={{
          secret_key: {
            label: 'Secret key',
            hint: 'In Stripe’s dashboard under Developers, API keys. It begins with sk_test_ or sk_live_; a restricted key begins with rk_. It is stored encrypted and never shown again.',
          },
        }}
        className="p-5"
        button="Check and connect"
        busyButton="Asking Stripe..."
        send={(json) =>
          run(() => responseOf(connection.$put({ json })), {
            done: connectionNotice,
            failed: 'Couldn’t connect',
          })
        }
      >
        <p className="max-w-prose text-pretty text-soft">{adviceFor(mode)}</p>
      </SchemaForm>
    </Card>
  )
}

function adviceFor(mode: Connection['mode']): string {
  if (mode === 'none')
    return 'Paste the secret key of your account. The shop checks it with Stripe right away and tells Stripe where to report payments.'
  if (mode === 'test')
    return 'Paste the live key when the test purchase works. Open test checkouts end then; test orders stay out of all totals.'
  return 'Paste the new key after you have rolled it at Stripe. With a key of another account, orders that were paid stay as they are, but their refunds and disputes are handled in the dashboard of the account they were paid to: this shop no longer reaches them. The change is refused while payments are open.'
}

/** The purchase is made in another tab. */
const refreshMs = 5_000

function TestPurchase({ connection }: { connection: Connection }) {
  const { test_order: order, refused_checkouts: refusals, is_from_environment } = connection
  const isDone = order?.is_refunded === true
  useRefresh(!isDone, refreshMs)
  const number = order && formatOrderNumber(order.number)
  const goLive = is_from_environment
    ? 'To be paid, set STRIPE_SECRET_KEY to the live key where the shop is started, and start it again.'
    : 'Paste the live key above to be paid.'
  return (
    <Card title="Try it">
      <ol className="grid gap-4 px-5 py-5">
        <Step isDone={order !== null} title="Buy your own book">
          <a href="/#book-sales" target="_blank" rel="noreferrer" className="rounded-sm underline">
            Open the shop
          </a>{' '}
          and buy. Pay with the card 4242 4242 4242 4242, any later date and any three digits.
          {refusals.map(({ product, words }) => (
            <Callout key={product} className="mt-3 text-ink">
              Stripe opened no payment page for {product}. It says: {words}
            </Callout>
          ))}
        </Step>
        <Step isDone={order?.is_paid === true} title="The payment arrives">
          {order?.is_paid ? `The shop has seen the payment of ${number}.` : 'The shop waits for it.'}
        </Step>
        <Step isDone={isDone} title="Refund it">
          {order?.is_paid && !isDone ? (
            <span>
              Open{' '}
              <Link to={`/admin/purchases/${order.id}`} className="rounded-sm underline">
                order {number}
              </Link>{' '}
              and refund all of it.
            </span>
          ) : (
            <span>{isDone ? `The shop has seen the refund of ${number}.` : 'After the payment.'}</span>
          )}
        </Step>
        <Step isDone={false} title={is_from_environment ? 'Set the live key' : 'Paste the live key'}>
          {isDone ? `All works. ${goLive}` : 'When the steps above are done.'}
        </Step>
      </ol>
    </Card>
  )
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      {isDone ? (
        <CircleCheck aria-hidden className="mt-px size-5 shrink-0 text-success" />
      ) : (
        <span aria-hidden className="mt-px size-5 shrink-0 rounded-full border-2 border-line" />
      )}
      <div className="min-w-0">
        <p className="font-semibold">
          {title}
          <span className="sr-only">{isDone ? ', done' : ', not done yet'}</span>
        </p>
        <div className="text-sm text-pretty text-soft">{children}</div>
      </div>
    </li>
  )
}

export async function clientLoader() {
  const [payments, group] = await Promise.all([
    load('Failed to fetch the settings', readConnection),
    loadGroup('payments'),
  ])
  if (!payments || !group) return undefined
  changedSaleMode.set(payments.sale_mode)
  return { ...payments, group }
}

export function clientAction({ request }: Route.ClientActionArgs): Promise<SaveResult> {
  return saveWithoutKey(request)
}

export default function PaymentSettings({ loaderData, actionData }: Route.ComponentProps) {
  const result = useLastLoaded(loaderData)
  if (!result) return <LoadFailed card="Payments" title="The settings could not be loaded" />
  return (
    <div className="grid gap-6">
      <Card title="Payments" action={<ModeBadge mode={result.mode} />} contentClass="grid gap-4 px-5 py-5">
        <State connection={result} />
        <p className="max-w-prose text-sm text-pretty text-soft">
          <PaymentMethods />
        </p>
      </Card>
      {result.mode === 'none' && result.sale_mode !== 'key_missing' && (
        <Card title="While Stripe is not connected" contentClass="grid gap-4 px-5 py-5">
          {result.sale_mode === 'sample' && (
            <p className="max-w-prose text-pretty text-soft">
              This applies once your own book has replaced the sample.
            </p>
          )}
          <WithoutKey found={result.group} result={actionData} />
        </Card>
      )}
      {!result.is_from_environment && <StripeKeyForm connection={result} />}
      {result.mode === 'test' && result.key?.is_readable !== false && <TestPurchase connection={result} />}
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
      {account && <p className="text-sm break-all text-soft">{`Stripe account ${account.id}`}</p>}
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
  const { mode, account, is_from_environment, has_webhook, former_webhook, unreachable } = connection
  const isLate = former_webhook !== null || !has_webhook
  const isSaidBelow = former_webhook !== null || (!has_webhook && unreachable !== null)
  return (
    <>
      <p className="max-w-prose text-pretty">
        {whereMoneyGoes(mode, account?.name)}{' '}
        {!isSaidBelow && webhookStates[has_webhook ? 'at once' : 'late']}
      </p>
      {former_webhook && (
        <p role="alert" className="max-w-prose text-pretty text-danger">
          Stripe still reports payments to the former address of the shop, {former_webhook}. Until it reports
          to the present one, the shop may hear of payments late.
        </p>
      )}
      {isLate && unreachable && <Unreachable {...unreachable} />}
      {isLate && !unreachable && !is_from_environment && (
        <p className="grid justify-items-start gap-2">
          <CallButton
            look={mode === 'test' ? 'outline' : 'primary'}
            label="Let Stripe report to the current address"
            busyLabel="Asking Stripe..."
            call={moveWebhook}
            done={{
              title: 'Address changed',
              description: 'Stripe reports payments to the current address now.',
            }}
            failed="Couldn’t save the change"
          />
          {mode === 'test' && (
            <span className="text-sm text-pretty text-soft">
              A test works without it, too, within a minute. With the live key, the shop sets it up by itself.
            </span>
          )}
        </p>
      )}
    </>
  )
}

const unreachableReasons = {
  computer: 'opens on this computer only',
  network: 'opens in your own network only',
  no_https: 'has no https',
} satisfies Record<NonNullable<Connection['unreachable']>['reason'], string>

function Unreachable({ url, reason }: NonNullable<Connection['unreachable']>) {
  return (
    <Callout role="note">
      {`Stripe cannot report to ${url}, which ${unreachableReasons[reason]}. The shop asks Stripe every minute instead, which is enough to try it. For reports at once, `}
      <TextLink to={manualPath('internet')}>put your shop on the internet</TextLink>.
    </Callout>
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
