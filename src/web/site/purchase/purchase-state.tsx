// The page of a purchase, by what became of it.
import { useEffect, useState, type ReactNode } from 'react'
import { dashboardTexts } from '#words/dashboard.ts'
import { chosenPath } from '#contract/chosen-product.ts'
import { giftTexts } from '#words/gift.ts'
import { guestTexts } from '#words/guest.ts'
import type { GuestPurchase } from '#contract/orders/guest-purchases.ts'
import { acknowledgementOf, endedWords, SaveAcknowledgement } from '../../purchase/acknowledgement.tsx'
import { Button, ButtonLink, Spinner, Link } from '../../components/button.tsx'
import { Downloads } from '../../purchase/downloads.tsx'
import { formatMoment } from '../../format/format.tsx'
import { findEntry } from '../../purchase/guest-purchases.ts'
import { canGuestTakeBack, endingOf, RefundButton, TakeRequestBack } from '../../purchase/refund-button.tsx'
import { useBookFacts, useDeliveryDays, useParcels, useSendsMail } from '../../shop.ts'
import { Tracking } from '../../purchase/tracking.tsx'
import { HowToRead } from '../../purchase/how-to-read.tsx'
import { saveTypedEmail } from '../../forms/typed-email.ts'
import { codePath } from '#contract/paths.ts'
import { WaysToOrder } from '../../purchase/ways-to-order.tsx'
import { downloadOf, refundOf, takeBackOf } from './guest-calls.ts'
import { AccountWay } from './account-way.tsx'
import { OrderLink } from './order-link.tsx'
import {
  orderFacts,
  outcomeOf,
  overWords,
  parcelWords,
  releaseWords,
  untilWords,
  type Outcome,
} from './outcome.ts'
import { ReceiptAddress } from './receipt-address.tsx'

type StateProps = {
  purchase: GuestPurchase
  isLink: boolean
  reload: () => Promise<void>
}

export function PurchaseState(props: StateProps) {
  const { purchase } = props
  const { state, ...words } = outcomeOf(purchase, useBookFacts().legal)
  if (state === 'bought' && purchase.is_over) return <Over {...props} {...words} />
  if (state === 'bought') return <Bought {...props} {...words} />
  return (
    <Message {...words}>
      {state === 'pending' && <Confirming purchase={purchase} />}
      {state === 'ended' && <Acknowledged purchase={purchase} />}
      {canGuestTakeBack(purchase) && (
        <p>
          <TakeRequestBack look="outline" takeBack={takeBackOf(purchase.id)} reload={props.reload} />
        </p>
      )}
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

/** A payment that was made is mostly known by then. */
const paidMs = 8_000

/** Who left the payment page goes on there by the form: with the same address and code it leads to the same payment. */
function Confirming({ purchase: { id, product } }: Pick<StateProps, 'purchase'>) {
  const sendsMail = useSendsMail()
  // Another browser would begin another payment.
  const begun = findEntry(id)
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), paidMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <p role="status" className="flex items-center justify-center gap-3 text-soft">
        <Spinner />
        {sendsMail ? guestTexts.slowMail : guestTexts.slow}
      </p>
      {isSlow && begun && (
        <div className="grid justify-items-center gap-4">
          <p className="text-pretty">{dashboardTexts.notPaid}</p>
          <ButtonLink to={chosenPath(product.id, begun.code)} look="outline">
            {dashboardTexts.continuePayment}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

function Bought({ purchase, isLink, reload, title, text }: StateProps & Omit<Outcome, 'state'>) {
  const { id, number, product, parcel, own, is_givable, refund_right, ended_right } = purchase
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
          <Downloads product={product} ask={downloadOf(id)} onChanged={() => void reload()} />
          {until && <p className="mt-4 text-sm text-pretty text-soft">{until}</p>}
          {parcel && <Parcel {...{ purchase, parcel }} />}
          <HowToRead files={product.files} />
        </div>
      )}
      {parcel && !hasDownload && <Parcel {...{ purchase, parcel }} />}
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
      {own && !sendsMail && (
        <p className="text-pretty text-soft">{hasDownload ? guestTexts.noMail : guestTexts.noMailYet}</p>
      )}
      {own && entry && <ReceiptAddress {...{ id, own, reload }} proof={entry.proof} />}
      {own && entry && (
        <OrderLink
          id={id}
          number={number}
          release={product.release}
          proof={entry.proof}
          email={own.receipt_to}
          onNewLink={({ ends_at }) => setNewLinkUntil(ends_at)}
        />
      )}
      <Facts purchase={purchase} />
      <ReceiptLink {...{ purchase, isLink }} />
      {ended_right && <p className="text-pretty text-soft">{endedWords(ended_right)}</p>}
      {(refund_right || ended_right) && <GiveBack {...{ purchase, reload }} />}
    </Message>
  )
}

function GiveBack({ purchase, reload }: Pick<StateProps, 'purchase' | 'reload'>) {
  return (
    <p>
      <RefundButton
        look="outline"
        purchase={{ ...purchase, isOfGuest: true }}
        refund={refundOf(purchase.id, purchase.refund_right === null)}
        reload={reload}
        ending={endingOf(purchase)}
      />
    </p>
  )
}

/** It only gives the purchase back. */
function Over({ purchase, isLink, reload, text }: StateProps & Omit<Outcome, 'state'>) {
  const { parcel, last_link, withdrawal, refund_right } = purchase
  const sendsMail = useSendsMail()
  const hasMadeLink = !isLink && last_link !== null && !last_link.is_in_receipt
  return (
    <Message title={guestTexts.page} text={overWords(purchase, { isLink, sendsMail }, formatMoment)}>
      {hasMadeLink && (
        <p className="text-pretty text-soft">{untilWords(purchase, { isLink }, formatMoment)}</p>
      )}
      {isLink ? <WaysToOrder /> : <WaysFromBrowser />}
      <WriteWithoutMail />
      {withdrawal && <p className="text-pretty">{text}</p>}
      {parcel && <Parcel {...{ purchase, parcel }} />}
      <Facts purchase={purchase} />
      <ReceiptLink {...{ purchase, isLink }} />
      {refund_right && <GiveBack {...{ purchase, reload }} />}
    </Message>
  )
}

function ReceiptLink({
  purchase: { id, is_over, refund_right },
  isLink,
}: Pick<StateProps, 'purchase' | 'isLink'>) {
  // The receipt opens no longer than that.
  if (is_over && !refund_right) return null
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

type ParcelProps = Pick<StateProps, 'purchase'> & { parcel: NonNullable<GuestPurchase['parcel']> }

function Parcel({ purchase, parcel }: ParcelProps) {
  const days = useDeliveryDays()
  const { sender } = useParcels()
  const { shipped_at, carrier, tracking_number } = parcel
  if (!shipped_at)
    return (
      <div className="mt-4 grid gap-2">
        <p className="text-pretty wrap-anywhere">{parcelWords(purchase, sender, days)}</p>
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
    <AccountWay
      email={own.receipt_to}
      words={guestTexts.parcelAddressWrong}
      wordsSignedIn={dashboardTexts.canCorrect}
    />
  )
}

function Facts({ purchase }: Pick<StateProps, 'purchase'>) {
  return (
    <dl className="flex flex-wrap justify-center gap-x-8 gap-y-2 border-t border-line pt-6 text-sm text-soft">
      {orderFacts(purchase).map(([name, value]) => (
        <div key={name} className="flex gap-2">
          <dt>{name}</dt>
          <dd className="font-semibold text-ink tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function UnknownPurchase({ isLink }: { isLink: boolean }) {
  const sendsMail = useSendsMail()
  if (isLink) return <BrokenLink />
  return (
    <Message title={guestTexts.unknown} text={sendsMail ? guestTexts.unknownText : guestTexts.unknownNoMail}>
      <WaysFromBrowser />
      <WriteWithoutMail />
    </Message>
  )
}

/** The address is typed anew: somebody else may sit there by now. */
function WaysFromBrowser() {
  return (
    <p className="flex flex-wrap justify-center gap-3">
      {useSendsMail() ? (
        <ButtonLink to={codePath}>{guestTexts.getCode}</ButtonLink>
      ) : (
        <ButtonLink to="/auth?next=/dashboard">{guestTexts.signIn}</ButtonLink>
      )}
      <ButtonLink to="/" look="outline">
        {guestTexts.backToBook}
      </ButtonLink>
    </p>
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
