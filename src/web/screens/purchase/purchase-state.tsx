// After the payment: a link that opens this order on other devices, to copy or to save. The shop can show it only once.
import { fill } from '#words/fill.ts'
import { guestTexts } from '#words/guest.ts'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { linkDays, type AccessLink, type GuestPurchase } from '#contract/orders/guest-checkout.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { CopyButton } from '../../copy-button.tsx'
import { formatMoment } from '../../format.tsx'
import { showRefusal } from '../../refusal.ts'
import { saveFile } from '../../save-file.ts'
import { useSendsMail } from '../../shop.ts'
import { toast } from '../../toasts.tsx'
import { Button, ButtonLink, Spinner } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { CodeWay, codePath } from './code-way.tsx'
import { useRevalidator } from 'react-router'
import { Link } from '../../components/link.tsx'
import { asEntered, readText, useForm, type FormResult } from '../../form.ts'
import { findEntry, saveEntry } from '../../guest-purchases.ts'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { dashboardTexts } from '#words/dashboard.ts'
import { giftTexts } from '#words/gift.ts'
import { formatDay } from '#contract/format-day.ts'
import { formatMoney } from '#contract/money.ts'
import { Downloads } from '../../downloads.tsx'
import { acknowledgementOf, SaveAcknowledgement, declaredWords, RefundButton } from '../../refund-button.tsx'
import { Tracking } from '../../tracking.tsx'

type OrderLinkProps = { id: string; number: number; proof: string; email: string }

function OrderLink({ id, number, proof, email }: OrderLinkProps) {
  const titleId = useId()
  const sendsMail = useSendsMail()
  const [link, setLink] = useState<AccessLink>()
  const [isBusy, setIsBusy] = useState(false)
  async function make() {
    setIsBusy(true)
    try {
      setLink(await responseOf(api.guest.purchases[':id'].link.$post({ param: { id }, json: { proof } })))
    } catch (error) {
      toast(failure(guestTexts.linkFailed, error))
    }
    setIsBusy(false)
  }
  return (
    <section
      aria-labelledby={titleId}
      className="rounded-lg border border-line bg-surface p-6 text-start sm:p-8"
    >
      <h2 id={titleId} className="font-display text-2xl">
        {guestTexts.linkTitle}
      </h2>
      <p className="mt-2 mb-5 text-pretty text-soft">
        {fill(sendsMail ? guestTexts.linkTextMailed : guestTexts.linkText, { days: linkDays })}
      </p>
      {link ? (
        <NewLink link={link} name={fill(guestTexts.linkFile, { number: formatOrderNumber(number) })} />
      ) : (
        <Button look="outline" disabled={isBusy} onClick={() => void make()}>
          {isBusy ? guestTexts.makingLink : guestTexts.makeLink}
        </Button>
      )}
      {sendsMail && <CodeWay email={email} />}
    </section>
  )
}

function NewLink({ link: { url, ends_at }, name }: { link: AccessLink; name: string }) {
  const field = useRef<HTMLInputElement>(null)
  // The button that was pressed is gone.
  useEffect(() => field.current?.select(), [])
  return (
    <>
      <Field
        ref={field}
        label={guestTexts.link}
        hint={fill(guestTexts.linkUntil, { time: formatMoment(ends_at) })}
        readOnly
        value={url}
        onFocus={({ target }) => target.select()}
      />
      <p className="mt-4 flex flex-wrap gap-3 max-sm:*:grow">
        <CopyButton
          label={guestTexts.copyLink}
          text={url}
          copied={{ title: guestTexts.linkCopied }}
          notCopied={{ title: guestTexts.notCopied, description: guestTexts.copyByHand }}
        />
        <Button look="outline" onClick={() => saveFile(`${name}.txt`, `${url}\n`)}>
          {guestTexts.saveLink}
        </Button>
      </p>
    </>
  )
}

// After the payment: where the receipt goes, and the way to correct a mistyped address.

type ReceiptAddressProps = { id: string; own: NonNullable<GuestPurchase['own']>; proof: string }

function ReceiptAddress({ id, own, proof }: ReceiptAddressProps) {
  const sendsMail = useSendsMail()
  const [isOpen, setIsOpen] = useState(false)
  const words = sendsMail ? guestTexts.receiptComes : guestTexts.boughtWith
  return (
    <div className="grid justify-items-center gap-2">
      <p className="text-pretty break-words text-soft">{fill(words, { email: own.receipt_to })}</p>
      {own.is_correctable && (
        <Button look="quiet" onClick={() => setIsOpen(true)}>
          {guestTexts.correctAddress}
        </Button>
      )}
      {isOpen && <Correct id={id} proof={proof} typed={own.receipt_to} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

type CorrectProps = { id: string; proof: string; typed: string; onClose: () => void }

function Correct({ id, proof, typed, onClose }: CorrectProps) {
  const { revalidate } = useRevalidator()
  /** One for all tries: a repeated request moves once. */
  const moveId = useRef(crypto.randomUUID())
  const { form, isBusy, field } = useForm(asEntered, correct)

  async function correct(entered: FormData): Promise<FormResult | void> {
    const email = readText(entered, 'email').trim()
    if (email === typed) return onClose()
    try {
      const json = { proof, id: moveId.current, email }
      await responseOf(api.guest.purchases[':id'].address.$post({ param: { id }, json }))
      const entry = findEntry(id)
      if (entry) saveEntry({ ...entry, email })
      onClose()
      toast({ title: guestTexts.addressCorrected })
      await revalidate()
    } catch (error) {
      return showRefusal(guestTexts.addressNotCorrected, error)
    }
  }

  return (
    <Dialog title={guestTexts.correctTitle} isBusy={isBusy} onClose={onClose}>
      <p className="mt-3 text-pretty text-soft">{fill(guestTexts.correctText, { email: typed })}</p>
      <form {...form} className="mt-5 grid gap-5">
        <Field
          label={guestTexts.email}
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={typed}
          readOnly={isBusy}
          {...field('email')}
        />
        <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <CancelButton />
          <Button type="submit" busy={isBusy} aria-disabled={isBusy}>
            {isBusy ? guestTexts.continuing : guestTexts.correctIt}
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

type StateProps = { purchase: GuestPurchase; isLink: boolean }

export function PurchaseState({ purchase, isLink }: StateProps) {
  const { status, is_held } = purchase
  if (is_held)
    return (
      <Message title={guestTexts.held} text={guestTexts.heldText}>
        <WriteWithoutMail />
        <Facts purchase={purchase} />
      </Message>
    )
  if (status === 'pending') return <Confirming purchase={purchase} />
  if (status === 'canceled')
    return (
      <Message title={guestTexts.canceled} text={guestTexts.canceledText}>
        <ButtonLink to="/#book-sales">{guestTexts.backToBook}</ButtonLink>
      </Message>
    )
  if (purchase.is_given_away) return <GivenAway purchase={purchase} />
  const ended = endOf(purchase)
  if (ended)
    return (
      <Message {...ended}>
        <Acknowledged purchase={purchase} />
        <Facts purchase={purchase} />
      </Message>
    )
  return <Bought purchase={purchase} isLink={isLink} />
}

function endOf({ status, withdrawal, is_withdrawn, is_going_back, product }: GuestPurchase) {
  const { ended, endedText, filesEnded } = guestTexts
  const isDisputed = status === 'disputed'
  if (!isDisputed && !is_withdrawn && status !== 'refunded' && !is_going_back) return undefined
  const words = isDisputed ? dashboardTexts.disputed : withdrawal ? declaredWords(withdrawal) : endedText
  return { title: ended, text: product.is_digital ? `${words} ${filesEnded}` : words }
}

/** Where no email says it. */
function Acknowledged({ purchase: { withdrawal, number, product } }: Pick<StateProps, 'purchase'>) {
  const sendsMail = useSendsMail()
  if (sendsMail || withdrawal?.right !== 'law') return null
  return (
    <p>
      <SaveAcknowledgement facts={acknowledgementOf(withdrawal, { number, product })} />
    </p>
  )
}

function Confirming({ purchase }: Pick<StateProps, 'purchase'>) {
  const sendsMail = useSendsMail()
  return (
    <Message title={guestTexts.confirming} text={guestTexts.confirmingText}>
      <p role="status" className="flex items-center justify-center gap-3 text-soft">
        <Spinner />
        {sendsMail ? guestTexts.slowMail : guestTexts.slow}
      </p>
      <WriteWithoutMail />
      <Facts purchase={purchase} />
    </Message>
  )
}

function Bought({ purchase, isLink }: StateProps) {
  const { id, number, product, parcel, own, access_ends_at, is_givable } = purchase
  const entry = own && findEntry(id)
  const sendsMail = useSendsMail()
  const { release } = product
  const isWaiting = release !== null && !release.is_partial
  const time = access_ends_at ? formatMoment(access_ends_at) : ''
  return (
    <Message
      title={guestTexts.thanks}
      text={fill(isWaiting ? guestTexts.preordered : guestTexts.yours, { product: product.name })}
    >
      {release && (
        <p className="text-lg text-pretty">
          {fill(sendsMail ? guestTexts.outOnMailed : guestTexts.outOn, { date: formatDay(release.on) })}
        </p>
      )}
      {product.is_digital && product.download_url !== null && (
        <div className="rounded-lg border border-line bg-surface p-6 text-start sm:p-8">
          <h2 className="mb-4 font-display text-2xl">{guestTexts.download}</h2>
          <Downloads product={product} purchase_id={id} />
          <p className="mt-4 text-sm text-pretty text-soft">
            {fill(isLink ? guestTexts.untilLink : guestTexts.untilHere, { time })}
          </p>
        </div>
      )}
      {is_givable && sendsMail && (
        <p className="text-pretty text-soft">
          <Link to={codePath} className="rounded-sm underline underline-offset-4 hover:text-ink">
            {giftTexts.signInToGive}
          </Link>
        </p>
      )}
      {parcel && <Parcel parcel={parcel} />}
      {own && !sendsMail && <p className="text-pretty text-soft">{guestTexts.noMail}</p>}
      {own && entry && <ReceiptAddress id={id} own={own} proof={entry.proof} />}
      {own && entry && <OrderLink id={id} number={number} proof={entry.proof} email={own.receipt_to} />}
      <Facts purchase={purchase} />
      <p>
        <Link
          to={`/purchase/${id}/receipt${isLink ? location.hash : ''}`}
          className="rounded-sm underline underline-offset-4 hover:text-ink"
        >
          {guestTexts.receiptToPrint}
        </Link>
      </p>
      {purchase.refund_right && (
        <p>
          <RefundButton
            look="outline"
            purchase={{ ...purchase, shipment: parcel }}
            ending={
              product.is_digital ? fill(dashboardTexts.accessEnds, { product: product.name }) : undefined
            }
          />
        </p>
      )}
    </Message>
  )
}

function GivenAway({ purchase }: Pick<StateProps, 'purchase'>) {
  return (
    <Message title={giftTexts.givenAway} text={giftTexts.givenAwayText}>
      <p>
        <ButtonLink to={codePath}>{giftTexts.signIn}</ButtonLink>
      </p>
      <Facts purchase={purchase} />
    </Message>
  )
}

function Parcel({ parcel }: { parcel: NonNullable<GuestPurchase['parcel']> }) {
  const { shipped_at, carrier, tracking_number } = parcel
  if (!shipped_at) return <p className="text-pretty">{guestTexts.parcelToShip}</p>
  return (
    <p className="text-pretty">
      {guestTexts.parcelSent} <Tracking carrier={carrier} tracking_number={tracking_number} />
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

export function UnknownPurchase() {
  const sendsMail = useSendsMail()
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

/** Where no email is sent, the author is the only one to ask. */
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

export function LoadFailed() {
  const { revalidate } = useRevalidator()
  return (
    <Message title={guestTexts.loadFailed} text={guestTexts.loadFailedText}>
      <Button onClick={() => void revalidate()}>{guestTexts.tryAgain}</Button>
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
