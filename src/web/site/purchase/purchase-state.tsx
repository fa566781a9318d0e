// The page of a purchase, by what became of it.
import { useState, type ReactNode } from 'react'
import { giftTexts } from '#words/gift.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import { formatMoney } from '#contract/money.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { acknowledgementOf, SaveAcknowledgement } from '../../purchase/acknowledgement.tsx'
import { Button, ButtonLink, Spinner, Link } from '../../components/button.tsx'
import { Downloads } from '../../purchase/downloads.tsx'
import { formatMoment } from '../../format/format.tsx'
import { findEntry } from '../../purchase/guest-purchases.ts'
import { RefundButton } from '../../purchase/refund-button.tsx'
import { useBookFacts, useSendsMail } from '../../shop.ts'
import { Tracking } from '../../purchase/tracking.tsx'
import { HowToRead } from '../../purchase/how-to-read.tsx'
import { saveTypedEmail } from '../../forms/typed-email.ts'
import { codePath, WaysToOrder } from '../../purchase/ways-to-order.tsx'
import { downloadOf, refundOf } from './guest-calls.ts'
import { OrderLink } from './order-link.tsx'
import { outcomeOf, parcelWords, releaseWords, untilWords, type Outcome } from './outcome.ts'
import { ReceiptAddress } from './receipt-address.tsx'

type StateProps = {
  purchase: GuestPurchase
  isLink: boolean
  /** The name, or nothing. */
  author: string
  reload: () => Promise<void>
}

export function PurchaseState(props: StateProps) {
  const { purchase } = props
  const { state, ...words } = outcomeOf(purchase, useBookFacts().legal.returns_to)
  if (state === 'bought') return <Bought {...props} {...words} />
  return (
    <Message {...words}>
      {state === 'pending' && <Confirming />}
      {state === 'ended' && <Acknowledged purchase={purchase} />}
      {state === 'ended' && <ReceiptLink {...props} />}
      {(state === 'held' || state === 'pending') && <WriteWithoutMail />}
      {state === 'given_away' && (
        <p>
          <ButtonLink to={codePath}>{giftTexts.signIn}</ButtonLink>
        </p>
      )}
      {state === 'canceled' ? (
        <ButtonLink to="/#book-sales">{guestTexts.backToBook}</ButtonLink>
      ) : (
        <Facts purchase={purchase} />
      )}
    </Message>
  )
}

/** The page acknowledges the withdrawal where no email does. */
function Acknowledged({ purchase: { withdrawal, number, product } }: Pick<StateProps, 'purchase'>) {
  const sendsMail = useSendsMail()
  if (sendsMail || withdrawal?.right !== 'law') return null
  return (
    <p>
      <SaveAcknowledgement facts={acknowledgementOf(withdrawal, { number, product })} />
    </p>
  )
}

function Confirming() {
  const sendsMail = useSendsMail()
  return (
    <p role="status" className="flex items-center justify-center gap-3 text-soft">
      <Spinner />
      {sendsMail ? guestTexts.slowMail : guestTexts.slow}
    </p>
  )
}

function Bought({ purchase, isLink, author, reload, title, text }: StateProps & Omit<Outcome, 'state'>) {
  const { id, number, product, parcel, own, is_givable } = purchase
  const [newLinkUntil, setNewLinkUntil] = useState<string>()
  const entry = own && findEntry(id)
  const hasDownload = product.is_digital && product.download_url !== null
  const sendsMail = useSendsMail()
  const release = releaseWords(purchase, sendsMail)
  const until = untilWords(purchase, { isLink, newLinkUntil }, formatMoment)
  return (
    <Message title={title} text={text}>
      {release && <p className="text-lg text-pretty">{release}</p>}
      {hasDownload && (
        <div className="rounded-lg border border-line bg-surface p-6 text-start sm:p-8">
          <h2 className="mb-4 font-display text-2xl">{guestTexts.download}</h2>
          <Downloads product={product} ask={downloadOf(id)} />
          {until && <p className="mt-4 text-sm text-pretty text-soft">{until}</p>}
          {parcel && <Parcel {...{ purchase, parcel, author }} />}
          <HowToRead files={product.files} />
        </div>
      )}
      {parcel && !hasDownload && <Parcel {...{ purchase, parcel, author }} />}
      {is_givable && sendsMail && (
        <p className="text-pretty text-soft">
          <Link
            to={codePath}
            className="rounded-sm underline underline-offset-4 hover:text-ink"
            onClick={() => own && saveTypedEmail(own.receipt_to)}
          >
            {giftTexts.signInToGive}
          </Link>
        </p>
      )}
      {own && !sendsMail && <p className="text-pretty text-soft">{guestTexts.noMail}</p>}
      {own && entry && <ReceiptAddress {...{ id, own, reload }} proof={entry.proof} />}
      {own && entry && (
        <OrderLink
          id={id}
          number={number}
          proof={entry.proof}
          email={own.receipt_to}
          onNewLink={({ ends_at }) => setNewLinkUntil(ends_at)}
        />
      )}
      <Facts purchase={purchase} />
      <ReceiptLink {...{ purchase, isLink }} />
      {purchase.refund_right && (
        <p>
          <RefundButton
            look="outline"
            purchase={{ ...purchase, shipment: parcel }}
            refund={refundOf(id)}
            reload={reload}
            ending={
              product.is_digital ? fill(dashboardTexts.accessEnds, { product: product.name }) : undefined
            }
          />
        </p>
      )}
    </Message>
  )
}

function ReceiptLink({ purchase: { id }, isLink }: Pick<StateProps, 'purchase' | 'isLink'>) {
  return (
    <p>
      <Link
        to={`/purchase/${id}/receipt${isLink ? location.hash : ''}`}
        className="rounded-sm underline underline-offset-4 hover:text-ink"
      >
        {guestTexts.receiptToPrint}
      </Link>
    </p>
  )
}

type ParcelProps = Pick<StateProps, 'purchase' | 'author'> & { parcel: NonNullable<GuestPurchase['parcel']> }

function Parcel({ purchase, parcel, author }: ParcelProps) {
  const { shipped_at, carrier, tracking_number } = parcel
  if (!shipped_at)
    return (
      <div className="mt-4 grid gap-2">
        <p className="text-pretty wrap-anywhere">{parcelWords(purchase, author)}</p>
        <WrongAddress purchase={purchase} />
      </div>
    )
  return (
    <p className="mt-4 text-pretty">
      {guestTexts.parcelSent} <Tracking carrier={carrier} tracking_number={tracking_number} />
    </p>
  )
}

/** The dashboard has the form for it. */
function WrongAddress({ purchase: { own } }: Pick<StateProps, 'purchase'>) {
  const sendsMail = useSendsMail()
  if (!own || !sendsMail) return null
  return (
    <p className="text-sm text-pretty break-words text-soft">
      {fill(guestTexts.parcelAddressWrong, { email: own.receipt_to })}{' '}
      <Link
        to={codePath}
        className="rounded-sm underline underline-offset-4 hover:text-ink"
        onClick={() => saveTypedEmail(own.receipt_to)}
      >
        {guestTexts.getCode}
      </Link>
    </p>
  )
}

function Facts({ purchase: { number, amount, currency } }: Pick<StateProps, 'purchase'>) {
  return (
    <dl className="flex flex-wrap justify-center gap-x-8 gap-y-2 border-t border-line pt-6 text-sm text-soft">
      <div className="flex gap-2">
        <dt>{guestTexts.order}</dt>
        <dd className="font-semibold text-ink tabular-nums">{formatOrderNumber(number)}</dd>
      </div>
      <div className="flex gap-2">
        <dt>{guestTexts.amount}</dt>
        <dd className="font-semibold text-ink tabular-nums">{formatMoney(amount, currency)}</dd>
      </div>
    </dl>
  )
}

export function UnknownPurchase({ isLink }: { isLink: boolean }) {
  const sendsMail = useSendsMail()
  if (isLink) return <BrokenLink />
  return (
    <Message title={guestTexts.unknown} text={sendsMail ? guestTexts.unknownText : guestTexts.unknownNoMail}>
      <p className="flex flex-wrap justify-center gap-3">
        <ButtonLink to={sendsMail ? codePath : '/auth?next=/dashboard'}>{guestTexts.signIn}</ButtonLink>
        <ButtonLink to="/" look="outline">
          {guestTexts.backToBook}
        </ButtonLink>
      </p>
      <WriteWithoutMail />
    </Message>
  )
}

function BrokenLink() {
  const sendsMail = useSendsMail()
  const { linkUnread, orderLinkText, orderLinkNoMail } = guestTexts
  return (
    <Message title={linkUnread} text={sendsMail ? orderLinkText : orderLinkNoMail}>
      <WaysToOrder />
      <WriteWithoutMail />
    </Message>
  )
}

/** The author is the only one to ask where no email is sent. */
function WriteWithoutMail() {
  if (useSendsMail()) return null
  return (
    <p>
      <a href="/#contact" className="rounded-sm text-soft underline underline-offset-4 hover:text-ink">
        {guestTexts.writeToAuthor}
      </a>
    </p>
  )
}

export function LoadFailed({ reload }: Pick<StateProps, 'reload'>) {
  return (
    <Message title={guestTexts.loadFailed} text={guestTexts.loadFailedText}>
      <Button onClick={() => void reload()}>{guestTexts.tryAgain}</Button>
    </Message>
  )
}

function Message({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="grid gap-6 text-center">
      <div>
        <h1 className="font-display text-4xl text-balance">{title}</h1>
        <p className="mt-4 text-lg text-pretty text-soft">{text}</p>
      </div>
      {children}
    </section>
  )
}
