// The facts of a purchase, and its refund.
import { useState, type ReactNode } from 'react'
import type { LockedBuyersApi } from '#domains/privacy/own-data.routes.ts'
import type { LockedBuyer } from '#contract/privacy/erasures.ts'
import { addressLines, shippingLabel } from '#contract/orders/postal.ts'
import { responseOf } from '../../../api.ts'
import { adminClient, CallButton, useAdminCall, useRefresh } from '../calls.tsx'
import { adminRefundRequest } from '#contract/orders/purchases.ts'
import { isCompleted, wasPaid } from '#contract/orders/purchase-status.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { isOnPaper } from '#contract/catalog/formats.ts'
import type { OrderDetail } from '#contract/orders/admin-orders.ts'
import { NameLink, StrongLink } from '../links.tsx'
import { readableAddress } from '../readable-address.ts'
import { Time, formatCalendarDay, formatMoney, currencySign, toDecimal } from '../../../format/format.tsx'
import { Badge, Id } from '../../../components/note.tsx'
import { Card } from '../../card.tsx'
import { ForSupport, Fact, OrderBadges } from '../cells.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { z } from 'zod'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import { fromCents, toCents } from '#contract/money.ts'
import { wholeCents } from '#contract/fields.ts'
import { useForm } from '../../../forms/form.ts'
import { bySchema } from '../../parse-form.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Field } from '../../../components/field.tsx'
import { PriceField } from '../price-field.tsx'
import { mailedNotice } from '../../../notices/mail-notice.ts'
import { asSentence, nextSteps, parcelIsOut, refundSent } from '../payments/attention.tsx'

const api = adminClient<LockedBuyersApi>('Show the name')

/** The account was erased; who paid is kept for the tax office. */
function LockedBuyerFact({ purchase_id }: { purchase_id: string }) {
  const [buyer, setBuyer] = useState<LockedBuyer>()
  if (buyer) return <Buyer buyer={buyer} />
  const show = async () =>
    setBuyer(
      await responseOf(api.purchases[':id']['locked-buyer'].$post({ param: { id: purchase_id }, json: {} })),
    )
  return (
    <span className="mt-2 block">
      <CallButton
        label="Show who paid"
        question={{ title: 'Show who paid?', action: 'Show the name' }}
        call={show}
        done={{ title: 'Recorded in the log' }}
        failed="Couldn’t show who paid"
      >
        This buyer had their account erased. The name is kept for authorities only, and the log records that
        you looked at it.
      </CallButton>
    </span>
  )
}

/** It ends with the beginning of the next. */
const lastYear = (locked_until: string) => new Date(locked_until).getUTCFullYear() - 1

function Buyer({
  buyer: { email, display_name, address, invoice_url, locked_until },
}: {
  buyer: LockedBuyer
}) {
  const lines = [display_name, email, ...(address ? addressLines(address) : [])].filter(Boolean)
  return (
    <span className="mt-2 block text-sm break-words" role="status">
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
      {invoice_url && (
        <a href={invoice_url} className="block underline underline-offset-4">
          Invoice
        </a>
      )}
      <span className="block text-soft">Kept until the end of {lastYear(locked_until)}</span>
    </span>
  )
}

/** `children`: what the author can do for them. */
export function CustomerCard({ purchase, children }: { purchase: OrderDetail; children: ReactNode }) {
  const { id, user_id, display_name, email } = purchase
  const address = readableAddress(email)
  return (
    <Card title="Customer" contentClass="grid gap-4 px-5 py-4">
      <div className="min-w-0">
        {user_id === null ? (
          <span className="font-semibold wrap-anywhere">{address}</span>
        ) : (
          <NameLink to={`/admin/users/${user_id}`} className="wrap-anywhere">
            {display_name ?? address}
          </NameLink>
        )}
        {display_name && <span className="block text-sm wrap-anywhere text-soft">{address}</span>}
        {purchase.is_buyer_locked && <LockedBuyerFact purchase_id={id} />}
      </div>
      {children}
    </Card>
  )
}

type GivenCopy = NonNullable<OrderDetail['given']>

export function PurchaseFacts({ purchase }: { purchase: OrderDetail }) {
  const { id, number, product } = purchase
  return (
    <Card
      title={`Order ${formatOrderNumber(number)}`}
      action={
        <span className="flex items-center gap-4">
          {hasEvidenceOnly(purchase) && (
            <StrongLink to={`/admin/purchases/${id}/evidence`} className="text-sm">
              Evidence for the bank
            </StrongLink>
          )}
          <OrderBadges order={purchase} />
        </span>
      }
    >
      <dl className="grid gap-x-8 gap-y-4 px-5 py-4 sm:grid-cols-2 [&_dt]:text-sm [&_dt]:text-soft">
        <Fact name="Product">
          <span className="flex flex-wrap items-center gap-2">
            {product.name}
            {!product.name.toLowerCase().includes(product.format) && <Badge>{product.format}</Badge>}
          </span>
        </Fact>
        <Fact name="Amount">
          <Amount purchase={purchase} />
        </Fact>
        {purchase.sold_by === 'stripe' && <Fact name="Sold by">Link, a company of Stripe</Fact>}
        {purchase.release_on && wasPaid(purchase.status) && (
          <Fact name="Pre-order">Out on {formatCalendarDay(purchase.release_on)}</Fact>
        )}
        {purchase.given && (
          <Fact name="Given to">
            <GivenTo given={purchase.given} />
          </Fact>
        )}
        {purchase.paid_with && (
          <Fact name="A gift, paid with">
            <OrderLink order={purchase.paid_with} />
          </Fact>
        )}
        {purchase.withdrawal && (
          <Fact name={purchase.withdrawal.right === 'law' ? 'Withdrew' : 'Refund requested'}>
            <Withdrawal withdrawal={purchase.withdrawal} isOpen={purchase.open_withdrawal !== null} />
          </Fact>
        )}
      </dl>
      <div className="border-t border-line px-5 py-3">
        <ForSupport>
          <p className="mt-3 flex flex-wrap items-center gap-3 tabular-nums">
            <Id>{id}</Id>
            <CopyButton
              label="Copy"
              name="Copy the id of the purchase"
              text={id}
              copied={{ title: 'Id copied' }}
              notCopied={{ title: 'Couldn’t copy', description: 'Please select it and copy it by hand.' }}
            />
          </p>
        </ForSupport>
      </div>
    </Card>
  )
}

/** Disputed before the state of disputes was stored, and not asked about since: there is no card with the link. */
function hasEvidenceOnly({ dispute, adjustments }: OrderDetail): boolean {
  return !dispute && adjustments.some(({ kind }) => kind === 'dispute')
}

type WithdrawalProps = { withdrawal: NonNullable<OrderDetail['withdrawal']>; isOpen: boolean }

function Withdrawal({ withdrawal, isOpen }: WithdrawalProps) {
  const { declared_at, reason, waits_for, refusal } = withdrawal
  const details = [
    reason && `The buyer says “${reason}”`,
    isOpen && asSentence((waits_for && nextSteps[waits_for]) || 'waits for your decision'),
    refusal && `You refused it: “${refusal}”`,
  ].filter(Boolean)
  return (
    <>
      <Time at={declared_at} />
      <Details details={details} />
    </>
  )
}

const givenStates: Record<GivenCopy['state'], string> = {
  scheduled: 'the email goes out',
  on_its_way: 'the email is on its way since',
  sent: 'not opened; the email was sent',
  failed: 'the email could not be delivered',
  opened: 'opened',
}

function GivenTo({ given: { email, state, at, order } }: { given: GivenCopy }) {
  return (
    <>
      <span className="break-words">{readableAddress(email) || 'an erased account'}</span>
      <span className="block text-sm text-soft">
        {givenStates[state]} <Time at={at} />
        {order && (
          <span>
            : <OrderLink order={order} />
          </span>
        )}
      </span>
    </>
  )
}

function OrderLink({ order: { id, number } }: { order: NonNullable<OrderDetail['paid_with']> }) {
  return <NameLink to={`/admin/purchases/${id}`}>{`Order ${formatOrderNumber(number)}`}</NameLink>
}

function Amount({ purchase }: { purchase: OrderDetail }) {
  const { amount, refunded, currency, status, discount, code, shipping, tax, is_given } = purchase
  const { kept, link_tax, presented } = purchase
  const format = (sum: number) => formatMoney(sum, currency)
  const back = status === 'disputed' ? 'given back or disputed' : 'given back'
  const details = [
    is_given && 'a free copy, given by the author',
    discount && `after a discount of ${format(discount)}${code ? ` with the code ${code}` : ''}`,
    shipping &&
      shipping.amount > 0 &&
      `${format(shipping.amount)} of it for ${shippingLabel(shipping.country).replace('S', 's')}`,
    presented && `paid as ${formatMoney(presented.amount, presented.currency)}`,
    tax && link_tax === null && `${format(tax)} of it tax`,
    refunded > 0 && `less ${format(refunded)} ${back}`,
    link_tax !== null &&
      `of this, Link’s tax: ${format(link_tax)}; without it ${format(fromCents(toCents(kept) - toCents(link_tax)))}`,
  ].filter(Boolean)
  return (
    <span className="tabular-nums">
      <span className="font-semibold">{format(amount)}</span>
      <Details details={details} />
    </span>
  )
}

function Details({ details }: { details: (string | number | false | null)[] }) {
  return details.map((detail) => (
    <span key={detail || ''} className="block text-sm text-soft">
      {detail}
    </span>
  ))
}

const orders = adminClient<OrdersApi>()

export function hasMoneyLeft({ status, amount, refunded }: OrderDetail): boolean {
  return isCompleted(status) && refunded < amount
}

export function Refund({ purchase }: { purchase: OrderDetail }) {
  const { id, refunded, currency, is_going_back, is_by_provider } = purchase
  const [isBusy, run] = useAdminCall()
  const [entered, setEntered] = useState<z.infer<ReturnType<typeof refundForm>>>()
  const isParcelOut = purchase.open_withdrawal !== null && purchase.withdrawal?.waits_for === 'return'
  const paid = wordsOfPaid(purchase)
  const left = fromCents(toCents(purchase.amount) - toCents(refunded))
  const { form, field, ...state } = useForm(bySchema(refundForm(left, currency)), setEntered, {
    asksBeforeLeaving: true,
  })
  function refund(values: NonNullable<typeof entered>) {
    setEntered(undefined)
    const sent = { param: { id }, json: { ...values, refunded } }
    const call = () => responseOf(orders.purchases[':id'].refund.$post(sent))
    void state.run(() =>
      run(call, {
        done: is_by_provider ? refundSent : refundRecorded(formatMoney(values.amount, currency)),
        failed: 'Couldn’t refund',
      }),
    )
  }
  if (is_going_back) return <RefundOnItsWay />
  return (
    <Card title="Refund">
      <form key={left} {...form} className="grid gap-4 p-5">
        <PriceField
          currency={currency}
          label={`Amount (${currencySign(currency)})`}
          defaultValue={toDecimal(left, currency)}
          {...field('amount')}
        />
        <Field
          label="Note (optional)"
          hint="It is shown in the timeline of this order, and not in the email to the reader."
          name="reason"
          maxLength={1000}
          required={false}
        />
        <Button type="submit" look="outline" disabled={isBusy}>
          {is_by_provider ? 'Refund' : 'Record a refund'}
        </Button>
      </form>
      {is_by_provider && purchase.sold_by === 'stripe' && (
        <p className="px-5 pb-5 text-sm text-pretty text-soft">
          Link sold this and sends the money back, its tax included. In some countries Stripe has to pay that
          tax all the same, and takes it from your balance.
        </p>
      )}
      {!is_by_provider && (
        <p className="px-5 pb-5 text-sm text-pretty text-soft">
          This was not paid through Stripe, so you send the money to the reader yourself. The shop only{' '}
          {purchase.email ? 'records the refund and writes an email to the reader.' : 'records the refund.'}
        </p>
      )}
      {entered && (
        <Confirm
          {...(is_by_provider ? refundedByStripe : recorded)(formatMoney(entered.amount, currency))}
          isDanger
          onClose={() => setEntered(undefined)}
          onConfirm={() => refund(entered)}
        >
          {isParcelOut && <span>{`${parcelIsOut} `}</span>}
          {!is_by_provider && <span>{'The shop moves no money: you send it to the reader yourself. '}</span>}
          <span>
            {entered.amount === left
              ? `This refunds all that is left of the payment${paid.ends}.`
              : `This refunds a part of the payment. The reader keeps ${paid.kept}.`}
          </span>
          {purchase.email && <span>{' The shop writes an email about it to the reader.'}</span>}
        </Confirm>
      )}
    </Card>
  )
}

/** What was paid for, as a refund leaves it or ends it. Of a bundle that waits for its day, some files may be out. */
function wordsOfPaid({ release_on, product }: OrderDetail): { kept: string; ends: string } {
  if (release_on && product.format !== 'bundle')
    return { kept: 'the pre-order', ends: ', and the pre-order ends' }
  if (isOnPaper(product.format)) return { kept: 'the book', ends: '' }
  return { kept: 'access to the book', ends: ', and access to the book ends' }
}

/** Stripe mostly needs some seconds. */
const refreshMs = 5_000

function RefundOnItsWay() {
  useRefresh(true, refreshMs)
  return (
    <Card title="Refund">
      <p className="px-5 py-4 text-soft">
        A refund is on its way. It appears in the timeline once Stripe has processed it.
      </p>
    </Card>
  )
}

/** A free order has nothing to refund. */
export function TakeBack({ purchase: { id, email, product } }: { purchase: OrderDetail }) {
  return (
    <Card title="Free order" contentClass="grid gap-4 px-5 py-4">
      <p className="text-sm text-pretty text-soft">It cost nothing, so there is nothing to refund.</p>
      <CallButton
        label="Take back"
        busyLabel="One moment..."
        question={{ title: 'Take the order back?', action: 'Take it back', isDanger: true }}
        call={() => responseOf(orders.purchases[':id'].refund.$post({ param: { id }, json: {} }))}
        done={() =>
          mailedNotice(
            { title: 'Order taken back', description: 'The reader is told by email.' },
            { title: 'Order taken back', description: 'Email is not set up, so the reader was not told.' },
          )
        }
        failed="Couldn’t take it back"
      >
        {email || 'The reader'} does not get {product.name} any more: {endOf(product)}.
      </CallButton>
    </Card>
  )
}

function endOf(product: OrderDetail['product']): string {
  if (product.format === 'digital') return 'no file opens'
  const waiting = isOnPaper(product.format) ? 'no parcel waits' : 'no parcel waits, no file opens'
  return `${waiting}, and a copy whose stock is counted is in stock again`
}

/** The shop moves no money where no provider was paid. */
const refundRecorded = (amount: string) => ({ title: `Recorded. Now send ${amount} to the reader yourself.` })
const refundedByStripe = (sum: string) => ({ title: `Refund ${sum}?`, action: 'Refund' })
const recorded = (sum: string) => ({ title: `Record a refund of ${sum}?`, action: 'Record refund' })

function refundForm(left: number, currency: string) {
  const amount = wholeCents
    .positive('Please enter an amount above 0.')
    .max(left, `${toDecimal(left, currency)} at most.`)
  return z.object({ amount, reason: adminRefundRequest.shape.reason })
}
