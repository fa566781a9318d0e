// The screen of what needs the author’s attention.
import { Time } from '../../../format/format.tsx'
import { TriangleAlert, CircleCheck } from '../icons.tsx'
import type { ReactNode } from 'react'
import { Link, useRouteLoaderData } from 'react-router'
import type { AttentionCount, PaymentFault, AttentionRequest } from '#contract/payments/needs-attention.ts'
import type { PaymentSetupApi } from '#domains/settings/payment-setup.routes.ts'
import { adminClient, loadPage, CallButton } from '../calls.tsx'
import type { AttentionApi } from '#domains/overview/attention.routes.ts'
import { Note } from '../../../components/note.tsx'
import type { clientLoader as adminLoader } from '../admin.tsx'
import { ListCard } from '../list-screen.tsx'
import type { Route } from './+types/payments.ts'
import { NeedRow } from './attention.tsx'

const faultsApi = adminClient<PaymentSetupApi>()

const titles: Record<PaymentFault['kind'], string> = {
  key: 'Stripe does not accept your key, so nobody can pay',
  permission: 'Your Stripe key lacks a permission',
  product: 'Stripe does not sell this product',
  tax: 'Stripe Tax is not set up, so nobody can pay',
  price: 'Nobody can pay this price',
  copy: 'This copy of the shop takes no payments',
  webhook: 'Stripe still reports to the shop’s former address',
}

type Props = { faults: readonly PaymentFault[]; payments: AttentionCount['payments'] }

function Faults({ faults, payments }: Props) {
  if (faults.length === 0) return null
  const dashboard = `https://dashboard.stripe.com/${payments === 'live' ? '' : 'test/'}`
  return (
    <section
      aria-labelledby="payment-faults"
      className="rounded-lg border border-danger bg-surface [&_a]:rounded-sm [&_a]:font-semibold [&_a]:underline [&_a]:underline-offset-4"
    >
      <h2 id="payment-faults" className="flex items-center gap-3 px-5 pt-5 text-lg font-semibold text-danger">
        <TriangleAlert aria-hidden className="size-5 shrink-0" />
        Payments do not work as they should
      </h2>
      <p className="px-5 pt-1 text-pretty text-soft">
        Each of these disappears once it works again. A missing permission also disappears when Stripe has not
        refused the call for six hours.
      </p>
      <ul className="mt-2 divide-y divide-line">
        {faults.map((fault) => (
          <Fault
            key={`${fault.kind} ${fault.about} ${fault.product?.id}`}
            fault={fault}
            dashboard={dashboard}
          />
        ))}
      </ul>
    </section>
  )
}

function Fault({ fault, dashboard }: { fault: PaymentFault; dashboard: string }) {
  const { kind, words, product, since } = fault
  return (
    <li className="grid gap-2 px-5 py-4">
      <h3 className="font-semibold">
        {titles[kind]}
        {product && (
          <span>
            {': '}
            <Link to={`/admin/products/${product.id}`}>{product.name}</Link>
          </span>
        )}
      </h3>
      {kind === 'price' || kind === 'webhook' || kind === 'copy' ? (
        <p className="text-pretty">{words}</p>
      ) : (
        <blockquote className="max-w-3xl border-l-2 border-line pl-3 break-words text-pretty">
          {words}
        </blockquote>
      )}
      {kind === 'copy' && <ConfirmCopy site_url={fault.about ?? ''} />}
      <p className="max-w-3xl text-sm text-pretty text-soft">
        {adviceOf(fault, dashboard)}
        {kind !== 'price' && since && (
          <span>
            {' Since '}
            <Time at={since} />.
          </span>
        )}
      </p>
    </li>
  )
}

function ConfirmCopy({ site_url }: { site_url: string }) {
  return (
    <p>
      <CallButton
        label="This is the shop now"
        busyLabel="One moment..."
        question={{ title: `Take payments at ${site_url}?`, action: 'This is the shop now' }}
        call={() => faultsApi.payments.connection.confirmation.$post({ json: { site_url } })}
        done={{ title: 'Confirmed', description: 'This is the shop now: it takes payments.' }}
        failed="Couldn’t confirm"
      >
        Confirm this only if the shop that this data came from no longer runs. Otherwise both would handle the
        same payments, and both would send the books.
      </CallButton>
    </p>
  )
}

function adviceOf({ kind, about }: PaymentFault, dashboard: string): ReactNode {
  if (kind === 'price' || kind === 'product')
    return 'Change what Stripe complains about; buyers are told to write to you.'
  if (kind === 'tax') {
    return (
      <>
        Stripe still wants to know this. Set it up{' '}
        <StripeLink to={`${dashboard}settings/tax`}>at Stripe</StripeLink>, or turn it off in the{' '}
        <Link to="/admin/settings/tax">settings</Link>.
      </>
    )
  }
  if (kind === 'copy')
    return 'If this copy is only for trying things out, leave it as it is, or replace the live Stripe key with a test key first.'
  if (kind === 'webhook')
    return (
      <>
        Change it to the new address in the <Link to="/admin/settings/payments">settings</Link>.
      </>
    )
  const keys = <StripeLink to={`${dashboard}apikeys`}>at Stripe</StripeLink>
  if (kind === 'key')
    return (
      <>
        Make a new key {keys}, and paste it in the <Link to="/admin/settings/payments">settings</Link>. A key
        that the environment of the shop sets is replaced there (STRIPE_SECRET_KEY).
      </>
    )
  return (
    <>
      It may not call <code className="break-all">{about}</code>. Give the key this permission {keys}.
    </>
  )
}

function StripeLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

const api = adminClient<AttentionApi>().payments

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch what needs attention', request, (query: AttentionRequest) =>
    api.$get({ query }),
  )
}

export default function NeedsAttention({ loaderData: page }: Route.ComponentProps) {
  const payments = useRouteLoaderData<typeof adminLoader>('admin/admin')?.counts?.payments ?? 'test'
  return (
    <div className="grid gap-6">
      {page && <Faults faults={page.faults} payments={payments} />}
      {!(page && page.faults.length > 0 && page.items.length === 0) && (
        <ListCard
          title="Needs attention"
          page={page}
          failed="What needs attention could not be loaded"
          empty={
            <Note icon={CircleCheck} title="Nothing needs attention">
              Disputes, payments that do not match, buyers who want a refund, refunds that did not go through,
              emails that could not be sent and failing backups appear here.
            </Note>
          }
        >
          {(need) => <NeedRow key={`${need.kind} ${need.id}`} need={need} />}
        </ListCard>
      )}
    </div>
  )
}
