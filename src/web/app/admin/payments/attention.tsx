// Payments that wait for a decision, and the buttons that decide.
import type { ReactNode } from 'react'
import { dismissableKinds, type DismissableKind } from '#contract/payments/dismissable-kinds.ts'
import type { AttentionItem, AttentionItemOf } from '#contract/payments/needs-attention.ts'
import type { WaitingReason } from '#contract/orders/purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { TextLink } from '../links.tsx'
import { Time, formatMoney } from '../../../format/format.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { TestBadge } from '../../../purchase/status-badge.tsx'
import { type FactList, OpenAtStripe } from '../cells.tsx'
import type { AttentionApi } from '#domains/overview/attention.routes.ts'
import type { WithdrawalsApi } from '#domains/payments/withdrawals.routes.ts'
import { refundsTexts } from '#words/buying.ts'
import { responseOf } from '../../../api.ts'
import { useCurrency } from '../../../shop.ts'
import { adminClient, CallButton, DialogFormButton } from '../calls.tsx'

const titles: Record<
  Exclude<AttentionItem['kind'], 'held' | 'withdrawal' | 'unmatched_withdrawals'>,
  string
> = {
  dispute: 'A payment is disputed',
  unproven_withdrawal: 'A withdrawal that is not confirmed',
  outage: 'Nobody could pay for a while',
  refund: 'A refund did not go through',
  refund_failed: 'A refund was returned',
  code: 'A discount code was paused after a restore',
  event: 'An event from Stripe could not be processed',
  mail: 'An email could not be sent',
  backup: 'Backups are failing',
  lost_file: 'An ebook has to be uploaded again',
}

const sinceLabels: Partial<Record<AttentionItem['kind'], string>> = {
  dispute: 'Respond by',
  withdrawal: 'Requested',
  unproven_withdrawal: 'Declared',
  unmatched_withdrawals: 'The newest',
}

export function attentionTitle(item: AttentionItem): string {
  if (item.kind === 'dispute' && item.is_inquiry) return 'A bank asks about a payment'
  if (item.kind === 'backup' && item.run === 'rehearsal') return 'A backup rehearsal found problems'
  if (item.kind === 'unmatched_withdrawals')
    return item.count === 1
      ? 'A withdrawal that fits no order'
      : `${item.count} withdrawals that fit no order`
  if (item.kind === 'withdrawal') return withdrawalTitle(item)
  if (item.kind !== 'held') return titles[item.kind]
  return item.paid ? 'A payment does not match its order' : 'A payment could not be settled'
}

function withdrawalTitle({ number, binding, waits_for }: AttentionItemOf<'withdrawal'>): string {
  const order = formatOrderNumber(number)
  if (binding !== 'law') return `A buyer wants a refund of ${order}`
  const next = nextSteps[waits_for]
  return next ? `Withdrew from ${order}: ${next}` : `Withdrew from ${order}`
}

/** What the author does about a withdrawal that waits for this. */
export const nextSteps: Partial<Record<WaitingReason, string>> = {
  return: 'refund when the book is back, or on proof that it was sent',
  downloaded: 'refund all or the paper part',
}

/** A step that stands on a line of its own. */
export const asSentence = (step: string) => `${step.charAt(0).toUpperCase()}${step.slice(1)}.`

export const parcelIsOut =
  'The parcel has left, and the buyer wants the money back: refund when the book is back, or on proof that it was sent.'

export function AttentionRow({ item }: { item: AttentionItem }) {
  const { reason, stripe_url } = item
  return (
    <li className="grid gap-3 px-5 py-5">
      <div>
        <h3 className="font-semibold">{attentionTitle(item)}</h3>
        <p className="mt-0.5 max-w-3xl break-words text-pretty whitespace-pre-line">{reason}</p>
      </div>
      <dl className="flex min-w-0 flex-wrap gap-x-6 gap-y-1 text-sm text-soft tabular-nums [&_dd]:inline [&_dt]:inline">
        {[...factsOf(item), ...sinceFact(item)].map(
          ([name, value]) =>
            value && (
              <div key={name} className="min-w-0 break-words">
                <dt>{name}: </dt>
                <dd className="text-ink">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {item.kind === 'unmatched_withdrawals' && <Unmatched item={item} />}
      <div className="mt-1 flex flex-wrap items-center gap-2 max-sm:*:grow">
        <AttentionButtons item={item} />
        {isDismissable(item) && <DismissButton item={item} />}
        <OpenAtStripe url={stripe_url} />
      </div>
    </li>
  )
}

function Unmatched({ item: { declarations, count } }: { item: AttentionItemOf<'unmatched_withdrawals'> }) {
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded-sm font-semibold">Open the list</summary>
      <ul className="mt-2 grid gap-2">
        {declarations.map((each) => (
          <li key={each.email + each.declared_at} className="break-words">
            <Time at={each.declared_at} />: {each.name}, {each.email}: “{orderWords(each)}”
          </li>
        ))}
      </ul>
      {count > declarations.length && (
        <p className="mt-2 text-soft">The newest {declarations.length} are shown.</p>
      )}
    </details>
  )
}

type Declared = Pick<AttentionItemOf<'unproven_withdrawal'>, 'order_number' | 'ordered'>

function orderWords({ order_number, ordered }: Declared): string {
  return order_number === null ? ordered : formatOrderNumber(order_number)
}

/** The buttons for what the author can do about the item. */
export function AttentionButtons({ item }: { item: AttentionItem }) {
  const link = linkOf(item)
  return (
    <>
      {item.kind === 'held' && <HeldButtons item={item} />}
      {item.kind === 'withdrawal' && <WithdrawalButtons item={item} />}
      {item.kind === 'unproven_withdrawal' && <UnprovenButtons item={item} />}
      {(item.kind === 'mail' || item.kind === 'event') && <RetryButton item={item} />}
      {link && (
        <ButtonLink look="outline" to={link.to}>
          {link.label}
        </ButtonLink>
      )}
    </>
  )
}

function sinceFact({ kind, since }: AttentionItem): FactList {
  if (kind === 'outage') return []
  const className = kind === 'dispute' ? 'font-semibold text-danger' : ''
  return [[sinceLabels[kind] ?? 'Since', <Time key="since" at={since} className={className} />]]
}

function linkOf(item: AttentionItem): { to: string; label: string } | undefined {
  if (item.kind === 'dispute')
    return { to: `/admin/purchases/${item.purchase_id}/evidence`, label: 'See the evidence' }
  if (item.kind === 'withdrawal' && item.is_paper_alone)
    return { to: `/admin/purchases/${item.purchase_id}`, label: 'Refund a part' }
  if (item.kind === 'code') return { to: '/admin/discounts', label: 'See the codes' }
  if (item.kind === 'backup') return { to: '/admin/backups', label: 'Open Backups' }
  if (item.kind === 'lost_file') return { to: `/admin/products/${item.product.id}`, label: 'Upload it again' }
  return undefined
}

const bindingLabels: Record<NonNullable<AttentionItemOf<'withdrawal'>['binding']>, string> = {
  promise: 'your refund promise covers this order',
  law: 'the right of withdrawal may apply',
}

function isDismissable(item: AttentionItem): item is AttentionItemOf<DismissableKind> {
  if (item.kind === 'held') return !item.is_going_back
  return dismissableKinds.some((kind) => kind === item.kind)
}

function factsOf(item: AttentionItem): FactList {
  switch (item.kind) {
    case 'held':
      return [
        ...orderFacts(item),
        ['Price', formatMoney(item.amount, item.currency)],
        ['Paid', item.paid ? formatMoney(item.paid.total, item.paid.currency) : 'no payment found'],
      ]
    case 'dispute':
    case 'refund':
    case 'refund_failed':
      return [
        ...orderFacts(item),
        [item.kind === 'dispute' ? 'Price' : 'Refund', formatMoney(item.amount, item.currency)],
      ]
    case 'withdrawal':
      return [
        ...orderFacts(item),
        ['To refund', formatMoney(item.amount, item.currency)],
        ['The buyer says', item.words && `“${item.words}”`],
        ['You cannot refuse', item.binding && bindingLabels[item.binding]],
      ]
    case 'unproven_withdrawal':
      return [
        ['Name', item.name],
        ['Email', item.email],
        ['Says of the order', orderWords(item)],
        ...item.orders.map((order): FactList[number] => [
          formatOrderNumber(order.number),
          <span key={order.purchase_id}>
            {adminLink(`purchases/${order.purchase_id}`, order.product_name)} <TestBadge order={order} />
            <span>{` (${order.binding ? bindingLabels[order.binding] : 'no right covers this order'})`}</span>
          </span>,
        ]),
      ]
    case 'unmatched_withdrawals':
      return []
    case 'outage':
      return [['Addresses', item.emails.join(', ')]]
    case 'code':
      return [['Code', item.code]]
    case 'event':
      return [
        ['Event', item.type],
        ['Id', item.id],
      ]
    case 'backup':
      return [['Place', item.place]]
    case 'lost_file':
      return [
        ['Product', adminLink(`products/${item.product.id}`, item.product.name)],
        ['File', item.file_name],
      ]
    case 'mail':
    default:
      return [
        ['Mail', item.purchase_id ? adminLink(`purchases/${item.purchase_id}`, item.subject) : item.subject],
        ['To', item.recipient],
        ['Tries', String(item.attempts)],
      ]
  }
}

type OrderNeed = AttentionItemOf<'dispute' | 'held' | 'refund' | 'refund_failed' | 'withdrawal'>

function orderFacts(order: OrderNeed): FactList {
  const { user_id, email } = order
  return [
    ['Order', <OrderLink key="order" order={order} />],
    ['Buyer', user_id === null ? email : adminLink(`users/${user_id}`, email)],
  ]
}

type OrderLinkProps = { order: Pick<OrderNeed, 'purchase_id' | 'number' | 'product_name' | 'is_test'> }

export function OrderLink({ order }: OrderLinkProps) {
  return (
    <>
      <TextLink to={`/admin/purchases/${order.purchase_id}`}>
        {formatOrderNumber(order.number)} {order.product_name}
      </TextLink>{' '}
      <TestBadge order={order} />
    </>
  )
}

function adminLink(path: string, label: string): ReactNode {
  return (
    <TextLink key={path} to={`/admin/${path}`}>
      {label}
    </TextLink>
  )
}

const api = adminClient<AttentionApi>().payments
const withdrawals = adminClient<WithdrawalsApi>().payments.withdrawal[':id']
const refunds = adminClient<WithdrawalsApi>('Refund').payments.withdrawal[':id']
const unproven = adminClient<WithdrawalsApi>('Accept').payments.unproven_withdrawal[':id']
const failed = 'Couldn’t do that'

export const heldAccepted = {
  title: 'Accepted as paid',
  description: 'The order is completed at the amount that was paid, and the receipt is on its way.',
}
export const refundSent = () => ({ title: 'Refund on its way', description: refundsTexts.duration })

function HeldButtons({ item }: { item: AttentionItemOf<'held'> }) {
  const { id, paid, email } = item
  const isInCurrency = paid?.currency === useCurrency()
  const param = { id }
  if (item.is_going_back) return <p className="text-sm text-soft">The refund is on its way.</p>
  const sum = paid && formatMoney(paid.total, paid.currency)
  return (
    <>
      <CallButton
        label="Check again"
        call={() => responseOf(api.held[':id'].check.$post({ param }))}
        done={({ status }) => {
          if (!status) return { title: 'Nothing has changed', description: 'Stripe still reports the same.' }
          return status === 'canceled'
            ? {
                title: 'Order Canceled',
                description: 'Its checkout ended unpaid, or the money was refunded.',
              }
            : {
                title: 'Order completed',
                description: 'The payment matches now. The buyer has the receipt.',
              }
        }}
        failed={failed}
      />
      {isInCurrency && (
        <CallButton
          label="Accept as paid"
          question={{ title: `Accept ${sum}?`, action: 'Accept as paid' }}
          call={() => api.held[':id'].accept.$post({ param })}
          done={heldAccepted}
          failed={failed}
        >
          The order is completed at the amount that was paid, {sum}, and {email} gets the book and the
          receipt.
        </CallButton>
      )}
      {paid && (
        <CallButton
          label="Refund the buyer"
          question={{ title: `Refund ${sum}?`, action: 'Refund', isDanger: true }}
          call={() => api.held[':id'].refund.$post({ param })}
          done={{
            title: 'Refund on its way',
            description: 'It leaves this list once Stripe has processed it, and the buyer gets an email.',
          }}
          failed={failed}
        >
          The full amount goes back to the card or account it came from, the order is canceled, and {email}{' '}
          gets an email about it.
        </CallButton>
      )}
    </>
  )
}

function RetryButton({ item: { kind, id } }: { item: AttentionItemOf<'mail' | 'event'> }) {
  return (
    <CallButton
      label={kind === 'mail' ? 'Send again' : 'Try again'}
      call={() => api[kind][':id'].again.$post({ param: { id } })}
      done={{ title: 'Retrying', description: 'If it fails for good again, it comes back here.' }}
      failed={failed}
    />
  )
}

function WithdrawalButtons({ item }: { item: AttentionItemOf<'withdrawal'> }) {
  const { id, email, amount, currency, binding, waits_for } = item
  const param = { id }
  return (
    <>
      <CallButton
        label="Refund the buyer"
        question={{ title: `Refund ${formatMoney(amount, currency)}?`, action: 'Refund', isDanger: true }}
        call={() => refunds.refund.$post({ param, json: {} })}
        done={refundSent}
        failed="Couldn’t refund"
      >
        {waits_for === 'return' && <span>{`${parcelIsOut} `}</span>}
        <span>
          The money goes back to the card or account it came from, and {email} gets an email about it.
        </span>
      </CallButton>
      {binding === null && (
        <DialogFormButton
          button={{ look: 'quiet', children: 'Refuse' }}
          title="Refuse the refund?"
          about={`Neither your refund promise nor the right of withdrawal covers this order. ${email} gets your answer by email and keeps the order.`}
          action="Refuse"
          isDanger
          loadSchema={async () => (await import('#contract/orders/purchases.ts')).refusalRequest}
          fields={{
            sentence: { label: 'Your reason, for the buyer', rows: 3, input: { maxLength: 1000 } },
          }}
          call={(json) => withdrawals.refuse.$post({ param, json })}
          done={{
            title: 'Refused',
            description: 'The buyer gets your answer by email and keeps the order.',
          }}
          failed="Couldn’t refuse"
        />
      )}
    </>
  )
}

function UnprovenButtons({ item }: { item: AttentionItemOf<'unproven_withdrawal'> }) {
  return item.orders.map(({ purchase_id, number, product_name, email, amount, currency }) => {
    const order = formatOrderNumber(number)
    return (
      <CallButton
        key={purchase_id}
        label={`Accept for ${order}`}
        question={{ title: `Accept the withdrawal from ${order}?`, action: 'Accept', isDanger: true }}
        call={() => unproven.accept.$post({ param: { id: item.id }, json: { purchase_id } })}
        done={{
          title: 'Accepted',
          description:
            'The buyer gets an email about it. Where a parcel has to come back first, it waits on this list.',
        }}
        failed="Couldn’t accept"
      >
        {product_name}, {formatMoney(amount, currency)}, was bought by {email}. Its files cannot be downloaded
        any more, and the money goes back; where a parcel was sent, or the file of a bundle was downloaded,
        once you say so on this list.
      </CallButton>
    )
  })
}

function DismissButton({ item: { kind, id } }: { item: AttentionItemOf<DismissableKind> }) {
  return (
    <DialogFormButton
      button={{ look: isAlone[kind] ? 'outline' : 'quiet', children: 'Dismiss' }}
      title="Dismiss this?"
      about={consequence[kind]}
      action="Dismiss"
      loadSchema={async () => (await import('#contract/payments/needs-attention.ts')).dismissal}
      fields={{ note: { label: 'What you did about it', rows: 3, input: { maxLength: 1000 } } }}
      call={(json) => api[':kind'][':id'].dismissal.$post({ param: { kind, id }, json })}
      done={{ title: 'Dismissed', description: 'Your note is kept in the log.' }}
      failed={failed}
    />
  )
}

const isAlone: Partial<Record<DismissableKind, true>> = { refund: true, refund_failed: true, outage: true }

const consequence: Record<DismissableKind, string> = {
  held: 'Choose this if you have settled it elsewhere. The order is canceled, no money moves, and nothing completes it automatically. You can still accept the payment on the order’s page.',
  refund: 'This removes it from the list. No money moves.',
  refund_failed: 'Choose this if the buyer got the money in another way. No money moves.',
  event: 'The shop stops trying to process it.',
  mail: 'The shop stops trying to send it.',
  unproven_withdrawal:
    'This removes it from the list. Nobody gets an email; if it is confirmed later by the link in its email, it takes effect.',
  outage: 'This removes it from the list. The shop does not write to the people who could not pay.',
}
