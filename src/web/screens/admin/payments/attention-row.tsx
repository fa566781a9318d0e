import type { ReactNode } from 'react'
import {
  dismissableKind,
  type DismissableKind,
  type Need,
  type NeedOf,
} from '#features/payments/contract/needs-attention.ts'
import type { Binding } from '#features/withdrawals/contract/withdrawals.ts'
import { formatOrderNumber } from '#features/purchases/contract/order-number.ts'
import { TextLink } from '../../../components/text-link.tsx'
import { Time } from '../../../time.tsx'
import { formatMoney } from '../../../format.ts'
import { ButtonLink } from '../../../components/button.tsx'
import { OpenAtStripe } from '../open-at-stripe.tsx'
import { DismissButton, HeldButtons, RetryButton, WithdrawalButtons } from './attention-buttons.tsx'

const titles: Record<Exclude<Need['kind'], 'held'>, string> = {
  dispute: 'A payment is disputed',
  withdrawal: 'A buyer wants a refund',
  outage: 'Nobody could pay for a while',
  refund: 'A refund did not go through',
  refund_failed: 'A refund was returned',
  code: 'A discount code was paused after a restore',
  event: 'An event from Stripe could not be processed',
  mail: 'An email could not be sent',
  backup: 'Backups are failing',
  lost_file: 'An ebook has to be uploaded again',
}

const sinceLabels: Partial<Record<Need['kind'], string>> = {
  dispute: 'Respond by',
  withdrawal: 'Requested',
}

function titleOf(need: Need): string {
  if (need.kind === 'dispute' && need.is_inquiry) return 'A bank asks about a payment'
  if (need.kind === 'backup' && need.run === 'rehearsal') return 'A backup rehearsal found problems'
  if (need.kind !== 'held') return titles[need.kind]
  return need.paid ? 'A payment does not match its purchase' : 'A payment could not be settled'
}

export function NeedRow({ need }: { need: Need }) {
  const { since, reason, stripe_url } = need
  const link = linkOf(need)
  return (
    <li className="grid gap-3 px-5 py-5">
      <div>
        <h3 className="font-semibold">{titleOf(need)}</h3>
        <p className="mt-0.5 max-w-3xl break-words text-pretty whitespace-pre-line">{reason}</p>
      </div>
      <dl className="flex min-w-0 flex-wrap gap-x-6 gap-y-1 text-sm text-soft tabular-nums [&_dd]:inline [&_dt]:inline">
        <NeedFacts need={need} />
        {need.kind !== 'outage' && (
          <Fact name={sinceLabels[need.kind] ?? 'Since'}>
            <Time at={since} className={need.kind === 'dispute' ? 'font-semibold text-danger' : ''} />
          </Fact>
        )}
      </dl>
      <div className="mt-1 flex flex-wrap items-center gap-2 max-sm:*:grow">
        {need.kind === 'held' && <HeldButtons need={need} />}
        {need.kind === 'withdrawal' && <WithdrawalButtons need={need} />}
        {(need.kind === 'mail' || need.kind === 'event') && <RetryButton need={need} />}
        {link && (
          <ButtonLink look="outline" to={link.to}>
            {link.label}
          </ButtonLink>
        )}
        {isDismissable(need) && <DismissButton need={need} />}
        <OpenAtStripe url={stripe_url} />
      </div>
    </li>
  )
}

function linkOf(need: Need): { to: string; label: string } | undefined {
  if (need.kind === 'dispute')
    return { to: `/admin/purchases/${need.purchase_id}/evidence`, label: 'See the evidence' }
  if (need.kind === 'code') return { to: '/admin/discounts', label: 'See the codes' }
  if (need.kind === 'backup') return { to: '/admin/backups', label: 'Open Backups' }
  if (need.kind === 'lost_file') return { to: `/admin/products/${need.product.id}`, label: 'Upload it again' }
  return undefined
}

const bindingLabels: Record<Binding, string> = {
  promise: 'your refund promise covers this purchase',
  law: 'the right of withdrawal may apply',
}

function isDismissable(need: Need): need is NeedOf<DismissableKind> {
  if (need.kind === 'held') return !need.is_going_back
  return dismissableKind.safeParse(need.kind).success
}

function NeedFacts({ need }: { need: Need }) {
  if (need.kind === 'held')
    return (
      <>
        <OrderFacts need={need} />
        <Fact name="Price">{formatMoney(need.amount, need.currency)}</Fact>
        <Fact name="Paid">
          {need.paid ? formatMoney(need.paid.total, need.paid.currency) : 'no payment found'}
        </Fact>
      </>
    )
  if (need.kind === 'dispute' || need.kind === 'refund' || need.kind === 'refund_failed')
    return (
      <>
        <OrderFacts need={need} />
        <Fact name={need.kind === 'dispute' ? 'Price' : 'Refund'}>
          {formatMoney(need.amount, need.currency)}
        </Fact>
      </>
    )
  if (need.kind === 'withdrawal')
    return (
      <>
        <OrderFacts need={need} />
        <Fact name="To refund">{formatMoney(need.amount, need.currency)}</Fact>
        {need.words && <Fact name="The buyer says">“{need.words}”</Fact>}
        {need.binding && <Fact name="You cannot refuse">{bindingLabels[need.binding]}</Fact>}
      </>
    )
  if (need.kind === 'outage')
    return need.emails.length > 0 && <Fact name="Addresses">{need.emails.join(', ')}</Fact>
  if (need.kind === 'code') return <Fact name="Code">{need.code}</Fact>
  if (need.kind === 'event')
    return (
      <>
        <Fact name="Event">{need.type}</Fact>
        <Fact name="Id">{need.id}</Fact>
      </>
    )
  if (need.kind === 'backup') return <Fact name="Place">{need.place}</Fact>
  if (need.kind === 'lost_file')
    return (
      <>
        <Fact name="Product">
          <AdminLink to={`/admin/products/${need.product.id}`}>{need.product.name}</AdminLink>
        </Fact>
        <Fact name="File">{need.file_name}</Fact>
      </>
    )
  return (
    <>
      <Fact name="Mail">
        {need.purchase_id ? (
          <AdminLink to={`/admin/purchases/${need.purchase_id}`}>{need.subject}</AdminLink>
        ) : (
          need.subject
        )}
      </Fact>
      <Fact name="To">{need.recipient}</Fact>
      <Fact name="Tries">{need.attempts}</Fact>
    </>
  )
}

function OrderFacts({
  need,
}: {
  need: NeedOf<'dispute' | 'held' | 'refund' | 'refund_failed' | 'withdrawal'>
}) {
  return (
    <>
      <Fact name="Order">
        <AdminLink to={`/admin/purchases/${need.purchase_id}`}>
          {formatOrderNumber(need.number)} {need.product_name}
        </AdminLink>
      </Fact>
      <Fact name="Buyer">
        <AdminLink to={`/admin/users/${need.user_id}`}>{need.email}</AdminLink>
      </Fact>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 break-words">
      <dt>{name}: </dt>
      <dd className="text-ink">{children}</dd>
    </div>
  )
}

function AdminLink({ to, children }: { to: string; children: ReactNode }) {
  return <TextLink to={to}>{children}</TextLink>
}
