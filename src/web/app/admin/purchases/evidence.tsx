// The screen of an order’s evidence, to be printed for a bank.
import type { ReactNode } from 'react'
import { Time, formatUtc, formatMoney } from '../../../format/format.tsx'
import { Facts, type FactList, eventDetail, formatNetwork } from '../cells.tsx'
import { Printer } from '../../../components/further-icons.tsx'
import { fromCents, toCents } from '#contract/money.ts'
import { refundPolicy } from '#contract/orders/prices.ts'
import { describeAction } from '#contract/overview/audit.ts'
import type { Evidence } from '#contract/orders/admin-orders.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines, shippingLabel } from '#contract/orders/postal.ts'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import { responseOf } from '../../../api.ts'
import { useBook } from '../../../shop.ts'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { TextLink } from '../links.tsx'
import { Id } from '../../../components/note.tsx'
import { Failed } from '../../card.tsx'
import { adminClient, load } from '../calls.tsx'
import type { Route } from './+types/evidence.ts'

const columns = 'gap-x-6 sm:grid-cols-[13rem_1fr] print:grid-cols-[13rem_1fr]'

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-7 print:mt-5">
      <h3 className="mb-2 break-after-avoid font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function FactSection({ title, facts }: { title: string; facts: FactList }) {
  return (
    <Section title={title}>
      <Facts facts={facts} className={`${columns} max-sm:[&_dt]:mt-1 [&_dd]:tabular-nums`} />
    </Section>
  )
}

type LogSectionProps = {
  title: string
  empty: string
  rows: { id: string; at: string; what: string; more: string }[]
}

function LogSection({ title, empty, rows }: LogSectionProps) {
  return (
    <Section title={title}>
      {rows.length === 0 && <p className="break-before-avoid text-sm text-soft">{empty}</p>}
      {rows.length > 0 && (
        <ol className="divide-y divide-line border-y border-line text-sm">
          {rows.map(({ id, at, what, more }) => (
            <li key={id} className={`grid break-inside-avoid py-2 ${columns}`}>
              <Time at={at} format={formatUtc} className="text-soft tabular-nums" />
              <p className="min-w-0 break-words">
                {what}
                {more && <span className="block text-soft">{more}</span>}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

const api = adminClient<OrdersApi>()

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load('Failed to fetch purchases', () =>
    responseOf(api.purchases[':id'].evidence.$get({ param: params })),
  )
}

export default function EvidencePage({ loaderData: evidence }: Route.ComponentProps) {
  const book = useBook()
  if (!evidence) return <Failed title="The evidence could not be loaded" />
  return (
    <>
      <p className="mb-4 flex max-w-4xl flex-wrap items-center justify-between gap-2 print:hidden">
        <ButtonLink
          to={`/admin/purchases/${evidence.id}`}
          look="quiet"
          className="-ml-5 max-sm:-ml-3 max-sm:px-3"
        >
          Back to the purchase
        </ButtonLink>
        <Button look="outline" onClick={() => print()}>
          <Printer aria-hidden className="size-4.5" />
          Print
        </Button>
      </p>
      <article className="max-w-4xl rounded-md border border-line bg-surface p-5 sm:p-10 print:max-w-none print:border-0 print:p-0">
        <header className="border-b border-line pb-5">
          <p className="text-sm font-semibold text-soft">The shop of {book.title}</p>
          <h2 className="mt-1 text-2xl font-semibold">Evidence for a purchase</h2>
          <p className="mt-1 text-sm text-soft tabular-nums">
            Order {formatOrderNumber(evidence.number)}, <Id>{evidence.id}</Id>
          </p>
        </header>
        <Sections evidence={evidence} />
      </article>
    </>
  )
}

function Sections({ evidence }: { evidence: Evidence }) {
  const { mails, downloads, adjustments, events, shipment, consent } = evidence
  const { display_name, email, account, user_id } = evidence
  return (
    <>
      <FactSection
        title="Buyer"
        facts={[
          ['Name', display_name],
          ['Email', email],
          ['Address confirmed', moment(account?.email_confirmed_at)],
          ['Account since', moment(account?.created_at)],
          ['Last sign-in', moment(account?.last_sign_in_at)],
          ['Account', account && user_id],
        ]}
      />
      <FactSection title="Purchase and payment" facts={paymentFacts(evidence)} />
      {shipment && <FactSection title="Shipping" facts={shippingFacts(shipment)} />}
      <LogSection
        title="Downloads"
        empty="Nothing was downloaded."
        rows={downloads.toReversed().map(({ id, started_at, file_name, ip, user_agent }) => ({
          id,
          at: started_at,
          what: file_name,
          more: [ip && `from ${formatNetwork(ip)}`, user_agent].filter(Boolean).join(', '),
        }))}
      />
      <LogSection
        title="Emails to the buyer"
        empty="None was sent."
        rows={mails.map(({ id, created_at, subject, recipient, status, attempts, error }) => ({
          id,
          at: created_at,
          what: subject,
          more: `${status === 'unsent' ? 'written, but not sent,' : status} to ${recipient}${attempts > 1 ? ` after ${attempts} tries` : ''}${error ? `: ${error}` : ''}`,
        }))}
      />
      <LogSection
        title="Refunds and disputes"
        empty="None."
        rows={adjustments.map(({ id, created_at, kind, amount, note }) => ({
          id,
          at: created_at,
          what: `${kinds[kind]} ${formatMoney(amount, evidence.currency)}`,
          more: note,
        }))}
      />
      <LogSection
        title="Done to this purchase"
        empty="Nothing."
        rows={events.map(({ id, created_at, action, actor, subject, detail }) => ({
          id,
          at: created_at,
          what: `${actor} ${describeAction(action)} ${subject === formatOrderNumber(evidence.number) ? 'this order' : subject}`,
          more: eventDetail(detail)
            .map((each) => each.join(': '))
            .join(', '),
        }))}
      />
      {consent && (
        <FactSection
          title="Consent to instant delivery"
          facts={[
            ['Given', moment(consent.given_at)],
            ['As it was shown', consent.text],
          ]}
        />
      )}
      <Section title="Refund policy">
        <p className="max-w-2xl text-sm text-pretty">{refundPolicy(evidence)}</p>
      </Section>
    </>
  )
}

const kinds: Record<Evidence['adjustments'][number]['kind'], string> = {
  refund: 'Refund',
  refund_failed: 'Refund that did not arrive',
  dispute: 'Dispute',
  dispute_won: 'Dispute won',
}

function paymentFacts(evidence: Evidence): FactList {
  const { product, amount, taken_by_bank, currency, status, created_at, payment, dispute, shipping } =
    evidence
  const refunded = fromCents(toCents(evidence.refunded) - toCents(taken_by_bank))
  const { payment_intent, session_id_end, stripe_url, tax, discount } = payment ?? {}
  const format = (sum: number) => formatMoney(sum, currency)
  return [
    ['Product', `${product.name}, ${product.format}`],
    ['Bought', moment(created_at)],
    ['Sold by', evidence.sold_by === 'stripe' ? 'Link, a company of Stripe' : null],
    ['Paid', format(amount)],
    [evidence.sold_by === 'stripe' ? 'Of it Link’s tax' : 'Of it tax', tax ? format(tax) : null],
    [
      `Of it ${shippingLabel(shipping?.country ?? null).replace('S', 's')}`,
      shipping?.amount ? format(shipping.amount) : null,
    ],
    ['Discount', discount ? format(discount) : null],
    ['Refunded', refunded > 0 ? format(refunded) : null],
    ['Taken by the dispute', taken_by_bank > 0 ? format(taken_by_bank) : null],
    ['Status', status.replaceAll('_', ' ')],
    ['Dispute opened', moment(dispute?.opened_at ?? null)],
    ['Dispute', dispute?.status.replaceAll('_', ' ')],
    ['Answer by', moment((evidence.sold_by !== 'stripe' && dispute?.answer_by) || null)],
    [
      'Payment',
      stripe_url ? (
        <TextLink key="payment" to={stripe_url} target="_blank" rel="noreferrer">
          {payment_intent}
        </TextLink>
      ) : null,
    ],
    ['Checkout', session_id_end && `…${session_id_end}`],
    ['Mode', payment && !payment.is_live ? 'test: no real money' : null],
  ]
}

function shippingFacts(shipment: NonNullable<Evidence['shipment']>): FactList {
  const { address, carrier, tracking_number, shipped_at } = shipment
  return [
    [
      'To',
      address && (
        <address key="to" className="break-words whitespace-pre-line not-italic">
          {addressLines(address).join('\n')}
        </address>
      ),
    ],
    ['Phone', address?.phone],
    ['Sent', moment(shipped_at) ?? 'not yet'],
    ['With', carrier],
    ['Tracking number', tracking_number],
  ]
}

const moment = (iso: string | null | undefined) => (iso ? formatUtc(iso) : null)
