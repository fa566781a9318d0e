// The list of what waits for the author: the first rows of three lists, each of which has a screen of its own.
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { AttentionItem, PaymentFault } from '#contract/payments/needs-attention.ts'
import type { Message } from '#contract/readers/messages.ts'
import type { AdminShipment, ShipmentList } from '#contract/orders/admin-orders.ts'
import type { WebhookState } from '#contract/mail/webhook.ts'
import type { Today as TodayFacts, Undelivered } from '#contract/overview/today.ts'
import { manualPath } from '#contract/overview/manual.ts'
import type { Verdict } from '#contract/checks.ts'
import { describeVerdict, joinSentences, toSentence } from '#contract/verdict-words.ts'
import { formatCalendarDay, formatCount, formatDate, Time } from '../../../format/format.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../card.tsx'
import { Note } from '../../../components/note.tsx'
import { TestBadge } from '../../../purchase/status-badge.tsx'
import { StrongLink, TextLink } from '../links.tsx'
import { CircleCheck } from '../icons.tsx'
import { attentionTitle, AttentionButtons, OrderLink } from '../payments/attention.tsx'
import { parcelName } from '../shipping/parcels.tsx'
import { euPaperLacks } from '../eu-paper-lacks.ts'
import { taxAnswer, taxQuestions } from '../tax-questions.ts'
import { shownSteps, stepTitles, type ShownStep } from '../setup/step-titles.ts'
import { besideSold, soldInWords } from '../sold-in-words.ts'
import type { AttentionApi } from '#domains/overview/attention.routes.ts'
import type { MessagesApi } from '#domains/readers/readers.routes.ts'
import type { ShipmentsApi } from '#domains/orders/shipments.routes.ts'
import { responseOf } from '../../../api.ts'
import type { clientLoader as adminLoader } from '../admin.tsx'
import { maxCounted } from '../admin-views.ts'
import { adminClient } from '../calls.tsx'
import { useFormatMoney } from '../../../format/money.tsx'

/** Each list shows this many rows; the rest stands on its screen. */
const maxRows = 3

type TodayProps = {
  waiting: Waiting
  today: TodayFacts | undefined
  /** Nothing was sold ever, as the figures below say. */
  isBeforeFirstSale: boolean
  /** The author still has to set up the shop, so something waits. */
  isInSetup: boolean
  /** Where the setup goes on that was begun with the author's book. */
  setupStep: ShownStep | undefined
}

export function Today({ waiting, today, isBeforeFirstSale, isInSetup, setupStep }: TodayProps) {
  const { attention, parcels, messages } = waiting
  const { items, faults } = attention ?? { items: [], faults: [] }
  // These faults ask a question after a move or a restore (docs/decisions/0025).
  const copies = faults.filter(isQuestion)
  const rows = [
    setupStep && <SetupRow key="setup" step={setupStep} />,
    ...(today?.undelivered ?? []).map((each) => <UndeliveredRow key={each.purchase_id} undelivered={each} />),
    ...(today ? unusual(today) : []),
    copies.length > 0 && (
      <FaultsRow key="copy" faults={copies} title="Is this the shop now?" action="Answer" />
    ),
    faults.length > copies.length && (
      <FaultsRow
        key="faults"
        faults={faults.filter((fault) => !isQuestion(fault))}
        title="Payments do not work as they should"
        action="See what to do"
      />
    ),
    ...items.slice(0, maxRows).map((item) => <AttentionRow key={`${item.kind} ${item.id}`} item={item} />),
    ...(parcels?.items ?? [])
      .slice(0, maxRows)
      .map((parcel) => <ParcelRow key={parcel.purchase_id} parcel={parcel} />),
    parcels && parcels.to_ship.count > maxRows && (
      <MoreRow key="parcels" to="/admin/shipping">
        All {formatCount(parcels.to_ship.count)}
        {parcels.to_ship.isMore && <span>{'+'}</span>}
        <span> parcels to ship</span>
      </MoreRow>
    ),
    ...(messages?.items ?? [])
      .slice(0, maxRows)
      .map((message) => <MessageRow key={message.id} message={message} />),
    messages && messages.unanswered > maxRows && (
      <MoreRow key="messages" to="/admin/messages?state=new">
        All unanswered messages
      </MoreRow>
    ),
  ].filter(Boolean)
  const isWhole = today && attention && parcels && messages
  const isCalm = rows.length === 0 && isWhole
  if (isCalm && isBeforeFirstSale && isInSetup && !today.local_site) return null
  return (
    <Card
      title="Today"
      action={items.length + faults.length > 0 && <AllAttention />}
      contentClass="divide-y divide-line"
    >
      {today && !isBeforeFirstSale && <TodaySales {...today} />}
      {rows.length > 0 && <ul className="divide-y divide-line">{rows}</ul>}
      {isCalm && !isInSetup && (
        <Note icon={CircleCheck} title="Nothing waits for you">
          Parcels to ship, messages, refunds that are asked for and whatever fails appear here.
        </Note>
      )}
      {!isWhole && (
        <p className="px-5 py-4 text-danger">
          Part of this list could not be loaded. Please reload the page.
        </p>
      )}
      {parcels && parcels.pre_orders.count > 0 && <PreOrders {...parcels.pre_orders} />}
      {today?.local_site && <LocalSite check={today.local_site} />}
    </Card>
  )
}

function AllAttention() {
  const counts = useRouteLoaderData<typeof adminLoader>('admin/admin')?.counts
  const more = counts && counts.count >= maxCounted ? '+' : ''
  return (
    <StrongLink to="/admin/payments" className="text-sm tabular-nums">
      {counts ? `Needs attention: ${formatCount(counts.count)}${more}` : 'Needs attention'}
    </StrongLink>
  )
}

/** They wait for their day and not for the author, so they stand below what does. */
function PreOrders({ count, isMore, release_on }: ShipmentList['pre_orders']) {
  const all = `${formatCount(count)}${isMore ? '+' : ''} pre-ordered ${count === 1 ? 'parcel' : 'parcels'}`
  const day = release_on && formatCalendarDay(release_on)
  return (
    <p className="px-5 py-3 text-sm text-soft">
      <StrongLink to="/admin/shipping?view=pre_orders">{all}</StrongLink>
      {day && <span>{count === 1 ? `: the book is out on ${day}` : `: the first is out on ${day}`}</span>}
    </p>
  )
}

/** Waits for nothing, so it does not stand among what does. */
function LocalSite({ check }: { check: Verdict }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3.5">
      <div className="min-w-0 grow basis-72">
        <h3 className="font-semibold">Put your shop on the internet</h3>
        <p className="text-sm break-words text-soft">{describeVerdict(check)}</p>
      </div>
      <ButtonLink look="outline" className="max-sm:grow" to={manualPath('internet')}>
        See how
      </ButtonLink>
    </div>
  )
}

/** `isExcerpt`: the beginning of a text that stands whole on another screen. */
type RowProps = { title: ReactNode; children?: ReactNode; isExcerpt?: boolean; actions: ReactNode }

function Row({ title, children, isExcerpt, actions }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3.5">
      <div className="min-w-0 grow basis-72">
        <h3 className="font-semibold break-words">{title}</h3>
        {children && (
          <p className={`text-sm break-words text-soft ${isExcerpt ? 'line-clamp-2' : ''}`}>{children}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 *:min-w-24 max-sm:w-full max-sm:*:grow">{actions}</div>
    </li>
  )
}

type LinkRowProps = Omit<RowProps, 'actions'> & { to: string; action: string }

function LinkRow({ to, action, ...row }: LinkRowProps) {
  const link = (
    <ButtonLink look="outline" to={to}>
      {action}
    </ButtonLink>
  )
  return <Row {...row} actions={link} />
}

function SetupRow({ step }: { step: ShownStep }) {
  const place = `step ${shownSteps.indexOf(step) + 1} of ${shownSteps.length}`
  return (
    <LinkRow
      title={`Continue the setup: ${place}, ${stepTitles[step]}`}
      to="/admin/setup"
      action="Continue the setup"
    >
      Visitors see the sample until you open the shop with your book.
    </LinkRow>
  )
}

function MoreRow({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li className="px-5 py-3 text-sm">
      <StrongLink to={to}>{children}</StrongLink>
    </li>
  )
}

function unusual({
  unsaid_refund_days,
  tax_question,
  quiet_since,
  unready,
  left_at_old_price,
  eu_paper_lacks,
  webhook,
  unrehearsed,
}: TodayFacts): ReactNode[] {
  return [
    unsaid_refund_days && (
      <LinkRow
        key="refund"
        title={`Your ${unsaid_refund_days}-day refund is not on the page`}
        to="/admin/book?part=promises"
        action="Show it"
      >
        Write its line under “Promises and rating”, and publish.
      </LinkRow>
    ),
    tax_question && (
      <LinkRow key="tax" title={taxQuestions[tax_question].title} to={taxAnswer.to} action={taxAnswer.label}>
        {taxQuestions[tax_question].text}
      </LinkRow>
    ),
    quiet_since && (
      <LinkRow key="quiet" title={`No sale since ${formatDate(quiet_since)}`} to="/" action="View the shop">
        That is unusually long for this shop. Start to buy your own book, to see whether Stripe’s page opens.
      </LinkRow>
    ),
    ...unready.map(({ product_id, name, release_on }) => (
      <LinkRow
        key={`unready ${product_id}`}
        title={
          release_on
            ? `${name} comes out on ${formatCalendarDay(release_on)}, without a file`
            : `Buyers of ${name} wait for a file`
        }
        to={`/admin/products/${product_id}`}
        action="Open the product"
      >
        {release_on
          ? 'Everybody who has ordered it gets it as soon as there is a file.'
          : 'They can download it as soon as it is uploaded.'}
      </LinkRow>
    )),
    ...left_at_old_price.map(({ product_id, name, count }) => (
      <LinkRow
        key={`old price ${product_id}`}
        title={`${name} can still be paid at the price before`}
        to="/admin/purchases?status=pending"
        action="See the orders"
      >
        {count === 1 ? 'One payment page is' : `${formatCount(count)} payment pages are`} open at Stripe with
        that price, and could not be closed. Each closes by itself, 25 hours after it was opened at the
        latest.
      </LinkRow>
    )),
    ...eu_paper_lacks.map((lack) => {
      const { text, ...row } = euPaperLacks[lack]
      return (
        <LinkRow key={lack} {...row}>
          {text}
        </LinkRow>
      )
    }),
    webhook && webhookRow(webhook),
    ...unrehearsed.map(({ place, check }) => (
      <LinkRow key={place} title="A backup has not been rehearsed" to="/admin/backups" action="Open Backups">
        {describeVerdict(check)}
      </LinkRow>
    )),
  ]
}

/** A copy is asked about as the payments are. */
const webhookOff: Partial<Record<WebhookState, string>> = {
  locked: 'Its address cannot be opened any more, because the shop has another AUTH_SECRET.',
  gone: 'The receiver answered that it is gone. Orders, and who joins or leaves your letters, are not sent.',
  restored:
    'The shop was restored from a backup, and the one before may run on. Switch it on once this is the shop.',
}

function webhookRow({ state, host, given_up }: NonNullable<TodayFacts['webhook']>): ReactNode {
  const off = webhookOff[state]
  if (!off && (state !== 'on' || given_up === 0)) return undefined
  const count = given_up === 1 ? 'one delivery' : `${formatCount(given_up)} deliveries`
  return (
    <LinkRow
      key="webhook"
      title={off ? 'The webhook is off' : 'The webhook was not taken'}
      to="/admin/settings/webhook"
      action="Open Webhook"
    >
      {off ?? `${host} did not take ${count} in the last week, after three days of attempts.`}
    </LinkRow>
  )
}

const undeliveredReasons: Record<Undelivered['reason'], string> = {
  receipt: 'no mail server has accepted the receipt for an hour',
  downloads: 'three downloads within an hour, none of them complete',
  sign_ins: 'the buyer failed to sign in three times',
}

function UndeliveredRow({ undelivered }: { undelivered: Undelivered }) {
  const { purchase_id, number, product_name, email, reason } = undelivered
  return (
    <LinkRow
      title={
        <>
          {formatOrderNumber(number)} may not have arrived <TestBadge order={undelivered} />
        </>
      }
      to={`/admin/purchases/${purchase_id}`}
      action="See what happened"
    >
      {product_name} · {email} · {undeliveredReasons[reason]}
    </LinkRow>
  )
}

const isQuestion = ({ kind }: PaymentFault) => kind === 'copy'

type FaultsRowProps = { faults: readonly PaymentFault[]; title: string; action: string }

/** Each of them stands with its advice on the screen of what needs attention. */
function FaultsRow({ faults, title, action }: FaultsRowProps) {
  return (
    <LinkRow title={title} to="/admin/payments" action={action}>
      {joinSentences(...faults.map(({ check }) => toSentence(check.says)))}
    </LinkRow>
  )
}

function AttentionRow({ item }: { item: AttentionItem }) {
  const orders = 'number' in item ? [item] : 'orders' in item ? item.orders : []
  return (
    <Row title={attentionTitle(item)} actions={<AttentionButtons item={item} />}>
      {'number' in item ? null : item.reason}
      {orders.map((order) => (
        <span key={order.purchase_id} className="block">
          <OrderLink order={order} /> · {order.email}
        </span>
      ))}
      {item.kind === 'dispute' && (
        <span className="block font-semibold text-danger">
          Respond by <Time at={item.since} />
        </span>
      )}
    </Row>
  )
}

const ShipDialog = lazy(() => import('../shipping/ship-dialog.tsx'))

function ParcelRow({ parcel }: { parcel: AdminShipment }) {
  const [isShipping, setIsShipping] = useState(false)
  const { purchase_id, product_name, address, is_test, updated_at, created_at } = parcel
  const name = parcelName(parcel)
  return (
    <Row
      title={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          Ship {name} <TestBadge order={parcel} />
        </span>
      }
      actions={
        <>
          {address && (
            <ButtonLink look="quiet" to={`/admin/shipping/slips?ids=${purchase_id}`}>
              Packing slip
            </ButtonLink>
          )}
          <Button look="outline" aria-label={`Ship parcel ${name}`} onClick={() => setIsShipping(true)}>
            Ship
          </Button>
          {isShipping && (
            <Suspense>
              <ShipDialog
                parcels={[{ purchase_id, name, address, is_test, updated_at }]}
                onClose={() => setIsShipping(false)}
              />
            </Suspense>
          )}
        </>
      }
    >
      {!address && <span className="font-semibold text-danger">No address yet · </span>}
      <span>
        <TextLink to={`/admin/purchases/${purchase_id}`}>{product_name}</TextLink> · bought on{' '}
        <Time at={created_at} format={formatDate} />
      </span>
    </Row>
  )
}

function MessageRow({ message: { id, name, subject, message, created_at } }: { message: Message }) {
  return (
    <LinkRow
      title={
        <>
          {name}: {subject}
        </>
      }
      to={`/admin/messages/${id}`}
      action="Reply"
      isExcerpt
    >
      <Time at={created_at} /> · {message}
    </LinkRow>
  )
}

const attentionApi = adminClient<AttentionApi>()
const shipmentsApi = adminClient<ShipmentsApi>()
const messagesApi = adminClient<MessagesApi>()

type Waiting = Awaited<ReturnType<typeof readWaiting>>

/** Each is undefined when it could not be loaded: the figures are shown without it. */
export async function readWaiting() {
  const [attention, parcels, messages] = await Promise.all([
    responseOf(attentionApi.payments.$get({ query: {} })).catch(() => undefined),
    responseOf(shipmentsApi.shipments.$get({ query: {} })).catch(() => undefined),
    responseOf(messagesApi.messages.$get({ query: { state: 'new' } })).catch(() => undefined),
  ])
  return { attention, parcels, messages }
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
const average = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

type TodaySalesProps = Pick<TodayFacts, 'day' | 'sales' | 'is_given_away' | 'usual'>

function TodaySales({ day, sales, is_given_away: isGivenAway, usual }: TodaySalesProps) {
  const formatMoney = useFormatMoney()
  const { sold, free, revenue, refunded } = sales
  const isGift = isGivenAway && sold === 0 && refunded === 0
  const count = soldInWords(sales, { isGivenAway: isGift })
  const money = sold > 0 || refunded > 0 ? `${count}, ${formatMoney(revenue)}` : 'No sale yet'
  const copies = free > 0 ? count : 'No free copy yet'
  const beside = besideSold(sales, { isGivenAway: isGift })
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5 py-4 tabular-nums">
      <p className="text-2xl font-semibold sm:text-3xl">
        {isGift ? copies : money}
        {refunded > 0 && <span className="text-base font-normal text-soft">{' after refunds'}</span>}
        {beside.length > 0 && (
          <span className="text-base font-normal text-soft">{` · ${beside.join(' · ')}`}</span>
        )}
      </p>
      {usual && (
        <p className="text-sm text-soft">
          {`A usual ${weekday.format(new Date(day))}: `}
          {isGift
            ? `${average.format(usual.free)} free copies`
            : `${average.format(usual.sold)} sold, ${formatMoney(usual.revenue)}`}
        </p>
      )}
    </div>
  )
}
