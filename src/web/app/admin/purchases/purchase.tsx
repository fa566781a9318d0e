// The screen of one order.
import { isOnPaper } from '#contract/catalog/formats.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { Time, formatMoney } from '../../../format/format.tsx'
import { Card, Failed } from '../../card.tsx'
import { Check, type Icon } from '../../../components/icons.tsx'
import { Circle, CircleAlert } from '../icons.tsx'
import {
  eventsOf,
  verdictOf,
  type DeliveryEvent,
  type Look,
  MoveButton,
  Moves,
  ShipmentCard,
} from './delivery.tsx'
import type { AttentionApi } from '#domains/overview/attention.routes.ts'
import { OpenAtStripe, Fact } from '../cells.tsx'
import { adminClient, load, CallButton, useLastLoaded } from '../calls.tsx'
import { heldAccepted } from '../payments/attention.tsx'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import { responseOf } from '../../../api.ts'
import { Badge, type BadgeLook } from '../../../components/note.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { wasPaid } from '#contract/orders/purchase-status.ts'
import { mailedNotice } from '../../../notices/mail-notice.ts'
import { BuyersLink } from '../buyers-link.tsx'
import { NeighborLinks } from '../links.tsx'
import { CustomerCard, PurchaseFacts, hasMoneyLeft, Refund, TakeBack } from './purchase-facts.tsx'
import type { Route } from './+types/purchase.ts'

const api = adminClient<OrdersApi>()

const icons: Record<Look, Icon> = { good: Check, bad: CircleAlert, plain: Circle }
const colors: Record<Look, string> = { good: 'text-success', bad: 'text-danger', plain: 'text-soft' }

/** The events of the order, oldest first; above them whether the file reached its buyer. */
function TimelineCard({ purchase }: { purchase: OrderDetail }) {
  const verdict = verdictOf(purchase)
  return (
    <Card title="Timeline">
      {verdict && (
        <p className="flex items-start gap-3 px-5 pt-4 font-semibold break-words">
          <Mark look={verdict.look} />
          <span className="min-w-0">{verdict.text}</span>
        </p>
      )}
      <ol className="grid gap-3 px-5 pt-4 pb-5">
        {eventsOf(purchase).map((event) => (
          <Event key={`${event.at} ${event.text}`} event={event} />
        ))}
      </ol>
    </Card>
  )
}

function Event({ event: { at, look, text, more, detail } }: { event: DeliveryEvent }) {
  return (
    <li className="grid gap-x-5 gap-y-0.5 text-sm sm:grid-cols-[12rem_minmax(0,1fr)]">
      <Time at={at} className="text-soft tabular-nums" />
      <span className="flex items-start gap-2 break-words">
        <Mark look={look} isSmall />
        <span className="min-w-0">
          {text}
          {more && <span className="block text-soft">{more}</span>}
          {detail && <span className="block text-danger">{detail}</span>}
        </span>
      </span>
    </li>
  )
}

function Mark({ look, isSmall = false }: { look: Look; isSmall?: boolean }) {
  const Shape = icons[look]
  return (
    <Shape
      aria-hidden
      className={`mt-0.5 shrink-0 ${isSmall ? 'size-4' : 'size-5'} ${colors[look]}`}
      strokeWidth={isSmall ? 1.75 : 2}
    />
  )
}

const dismissedApi = adminClient<AttentionApi>().payments

type DismissedProps = { purchase: OrderDetail; dismissed: NonNullable<OrderDetail['dismissed']> }

function Dismissed({ purchase: { id, email, currency }, dismissed }: DismissedProps) {
  const { at, reason, paid, stripe_url } = dismissed
  const sum = paid && formatMoney(paid.total, paid.currency)
  return (
    <Card title="Payment dismissed" contentClass="grid gap-4 px-5 py-4">
      <p className="max-w-prose text-pretty">
        {sum ? `A payment of ${sum} was held` : 'This purchase was held without a payment'}: {reason} It was
        dismissed on <Time at={at} />. Nothing completes it automatically, whatever Stripe reports or is in
        stock.
      </p>
      <p className="flex flex-wrap gap-2 max-sm:*:grow">
        {paid?.currency === currency && (
          <CallButton
            label="Accept after all"
            busyLabel="One moment..."
            question={{ title: `Accept ${sum} after all?`, action: 'Accept as paid' }}
            call={() => dismissedApi.dismissed[':id'].accept.$post({ param: { id }, json: {} })}
            done={heldAccepted}
            failed="Couldn’t accept"
          >
            The shop asks Stripe whether the money is still there. If so, the order is completed at the amount
            that was paid, and {email} gets the book and the receipt.
          </CallButton>
        )}
        <OpenAtStripe url={stripe_url} />
      </p>
    </Card>
  )
}

/** The button revokes a link that came into wrong hands. */
function EndLinks({ purchase: { id, open_links, product } }: { purchase: OrderDetail }) {
  if (open_links === 0) return null
  return (
    <CallButton
      label="Revoke the links"
      question={{ title: 'Revoke the links?', action: 'Revoke the links', isDanger: true }}
      call={() => responseOf(api.purchases[':id'].links.$delete({ param: { id } }))}
      done={{
        title: 'Links revoked',
        description: 'No earlier link opens this order any more.',
      }}
      failed="Couldn’t revoke the links"
    >
      Links in receipts, and links that you or the buyer have made, open{' '}
      {isOnPaper(product.format) ? 'this order' : 'this order with its files'} without an account for 30 days.
      All of them stop working. The next receipt has a new link, and the customer can also sign in.
    </CallButton>
  )
}

type DisputeProps = {
  purchase: Pick<OrderDetail, 'id' | 'sold_by'>
  dispute: NonNullable<OrderDetail['dispute']>
}

type State = { name: string; look: BadgeLook; meaning: string }

const noMoneyTaken = 'This is an inquiry: no money was taken.'

/** The keys are Stripe's words, docs.stripe.com/api/disputes/object#dispute_object-status. */
const states: Record<string, State> = {
  needs_response: {
    name: 'answer needed',
    look: 'danger',
    meaning: 'The bank has taken the money. Without an answer in time it is lost.',
  },
  under_review: { name: 'under review', look: 'danger', meaning: 'The bank has your answer and decides.' },
  appeal_needs_response: {
    name: 'answer needed',
    look: 'danger',
    meaning: 'The decision is appealed. Without an answer in time the money is lost.',
  },
  appeal_under_review: {
    name: 'under review',
    look: 'danger',
    meaning: 'The decision is appealed, and the bank decides.',
  },
  warning_needs_response: {
    name: 'answer needed',
    look: 'danger',
    meaning: `${noMoneyTaken} Without an answer in time a dispute may follow.`,
  },
  warning_under_review: { name: 'under review', look: 'plain', meaning: noMoneyTaken },
  warning_closed: { name: 'closed', look: 'plain', meaning: `${noMoneyTaken} No dispute followed.` },
  prevented: { name: 'prevented', look: 'plain', meaning: 'It was resolved before it became a dispute.' },
  won: { name: 'won', look: 'highlighted', meaning: 'The bank decided for you: the money is back.' },
  lost: { name: 'lost', look: 'danger', meaning: 'The bank decided for the buyer, who keeps the money.' },
}

function stateOf(status: string): State {
  const unknown = { name: status.replaceAll('_', ' '), look: 'plain', meaning: '' } as const
  return states[status] ?? unknown
}

const ofLink: State = {
  name: 'Link answers',
  look: 'plain',
  meaning: 'Link has sold this file and answers the bank. There is nothing to do here.',
}

function Dispute({ purchase, dispute }: DisputeProps) {
  const { opened_at, answer_by, status, stripe_url } = dispute
  const isLeftToLink = purchase.sold_by === 'stripe'
  const isAsked = status.endsWith('needs_response')
  const { name, look, meaning } = isLeftToLink && isAsked ? ofLink : stateOf(status)
  return (
    <Card
      title="Dispute"
      action={<Badge look={look}>{name}</Badge>}
      contentClass="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 px-5 py-4"
    >
      <div>
        {meaning && <p>{meaning}</p>}
        <dl className="mt-3 flex flex-wrap gap-x-12 gap-y-3 tabular-nums [&_dt]:text-sm [&_dt]:text-soft">
          <Fact name="Opened">
            <Time at={opened_at} />
          </Fact>
          {answer_by && !isLeftToLink && (
            <Fact name="Answer by" className="font-semibold text-danger">
              <Time at={answer_by} />
            </Fact>
          )}
        </dl>
      </div>
      <p className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
        {!isLeftToLink && (
          <ButtonLink look="outline" to={`/admin/purchases/${purchase.id}/evidence`}>
            Evidence for the bank
          </ButtonLink>
        )}
        <OpenAtStripe url={stripe_url} />
      </p>
    </Card>
  )
}

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load('Failed to fetch purchases', () => responseOf(api.purchases[':id'].$get({ param: params })))
}

export default function PurchasePage({ loaderData, params }: Route.ComponentProps) {
  const last = useLastLoaded(loaderData)
  // A look at a refund that fails takes nothing off the screen; the order before is not this one.
  const purchase = last?.id === params.id ? last : loaderData
  if (!purchase) return <Failed title="The purchase could not be loaded" />
  return (
    <div className="grid gap-6 *:min-w-0 xl:grid-cols-[minmax(0,1fr)_22rem] xl:grid-rows-[auto_auto_1fr] xl:items-start">
      <div className="xl:col-span-2">
        <NeighborLinks label="Orders" path="/admin/purchases" neighbors={purchase.neighbors} />
      </div>
      <div className="grid gap-6">
        <PurchaseFacts purchase={purchase} />
        {purchase.dismissed && <Dismissed purchase={purchase} dismissed={purchase.dismissed} />}
        {purchase.dispute && <Dispute purchase={purchase} dispute={purchase.dispute} />}
      </div>
      <aside aria-label="Customer and delivery" className="grid gap-6 xl:row-span-2">
        <CustomerCard purchase={purchase}>
          {wasPaid(purchase.status) && <Repairs purchase={purchase} />}
        </CustomerCard>
        {purchase.shipment && <ShipmentCard purchase={purchase} shipment={purchase.shipment} />}
        {hasMoneyLeft(purchase) && <Refund purchase={purchase} />}
        {purchase.can_take_back && <TakeBack purchase={purchase} />}
      </aside>
      <div className="grid gap-6">
        <TimelineCard purchase={purchase} />
        <Moves purchase={purchase} />
      </div>
    </div>
  )
}

function Repairs({ purchase }: { purchase: OrderDetail }) {
  const { id, mails, email } = purchase
  const hasReceipt = mails.some((mail) => mail.kind === 'receipt' && mail.status === 'sent')
  return (
    <p className="flex flex-wrap gap-2 *:grow">
      <MoveButton purchase={purchase} />
      {purchase.is_guest && <BuyersLink purchase_id={id} />}
      <EndLinks purchase={purchase} />
      {email && (
        <CallButton
          label={hasReceipt ? 'Send the receipt again' : 'Send the receipt'}
          call={() => responseOf(api.purchases[':id'].receipt.$post({ param: { id } }))}
          done={({ is_on_its_way }) =>
            is_on_its_way
              ? mailedNotice(
                  { title: 'Receipt sent', description: 'It is on its way to the customer.' },
                  { title: 'Receipt saved', description: 'Email is not set up, so it was not sent.' },
                )
              : {
                  title: 'Not sent again',
                  description:
                    'A receipt was written a moment ago. Please wait two minutes before the next one.',
                }
          }
          failed="Couldn’t send"
        />
      )}
    </p>
  )
}
