// One purchase in the dashboard: its files, its state, and what can be done with it.
import { giftTexts } from '#words/gift.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { useState, lazy, Suspense } from 'react'
import { useFetcher, useRevalidator, Link } from 'react-router'
import type { OwnEdition } from '#contract/delivery/editions.ts'
import type { ReturnTerms } from '#contract/book/shown-book.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { isCompleted, wasPaid } from '#contract/orders/purchase-status.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../notices/send.ts'
import { formatDate, formatMoney, Time } from '../../format/format.tsx'
import { toast } from '../../notices/toasts.tsx'
import { Button, Spinner } from '../../components/button.tsx'
import type { GivenCopy as Given, ReceivedCopy as Received } from '#contract/delivery/gifts.ts'
import { Confirm } from '../../components/dialog.tsx'
import { useBookFacts, useSendsMail } from '../../shop.ts'
import { giveCopy, type Gift, ContinuePayment, downloadOf, refundOf, takeBackOf } from './own-purchase.tsx'
import { HowToRead, textAction } from '../../purchase/how-to-read.tsx'
import { formatsTexts } from '#words/buying.ts'
import type { PostalAddress } from '#contract/orders/postal.ts'
import {
  acknowledgementOf,
  SaveAcknowledgement,
  declaredWords,
  endedWords,
} from '../../purchase/acknowledgement.tsx'
import { canTakeBack, endingOf, RefundButton, TakeRequestBack } from '../../purchase/refund-button.tsx'
import { StatusBadge } from '../../purchase/status-badge.tsx'
import { Cover } from '../../product/cover.tsx'
import { Badge } from '../../components/note.tsx'
import { Downloads, useDownload } from '../../purchase/downloads.tsx'
import { ReleaseNote } from './release-note.tsx'
import { ShipmentLine } from './shipment.tsx'

/** All editions, with what changed; asked for when it is opened. Nothing where there is one of each file. */
function EditionList({ purchase: { id, product } }: { purchase: Purchase }) {
  const [editions, setEditions] = useState<OwnEdition[]>()
  if (!product.files.some(({ edition }) => edition > 1)) return null

  async function loadOnce() {
    if (editions) return
    try {
      setEditions((await responseOf(api.purchases[':id'].editions.$get({ param: { id } }))).items)
    } catch (error) {
      toast(failure(dashboardTexts.editions.failed, error))
    }
  }
  return (
    <details className="open:w-full" onToggle={({ currentTarget }) => currentTarget.open && void loadOnce()}>
      <summary className={textAction}>{dashboardTexts.editions.summary}</summary>
      {editions ? (
        <ol className="mt-2 divide-y divide-line text-sm">
          {editions.map((edition) => (
            <EditionRow
              key={edition.product_id + edition.file_format + edition.edition}
              edition={edition}
              purchase={{ id, name: product.name }}
              isNewest={product.files.some((file) => isSameFile(file, edition))}
            />
          ))}
        </ol>
      ) : (
        <Spinner />
      )}
    </details>
  )
}

type FileOfEdition = Pick<OwnEdition, 'product_id' | 'file_format' | 'edition'>

const isSameFile = (one: FileOfEdition, other: FileOfEdition) =>
  one.product_id === other.product_id &&
  one.file_format === other.file_format &&
  one.edition === other.edition

type EditionRowProps = {
  edition: OwnEdition
  purchase: { id: string; name: string }
  isNewest: boolean
}

function EditionRow({ edition: found, purchase, isNewest }: EditionRowProps) {
  const { revalidate } = useRevalidator()
  const { isBusy, download } = useDownload(purchase.name, () => void revalidate())
  const { title, file_format, product_id, edition, changes, created_at, is_lost } = found
  const texts = dashboardTexts.editions
  const name = fill(texts.edition, { edition, format: file_format.toUpperCase() })
  const ask = () => downloadOf(purchase.id)({ product_id, file_format, edition })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 basis-60 grow">
        <p className="flex flex-wrap gap-x-3 tabular-nums">
          <span className="font-semibold">{name}</span>
          {title !== purchase.name && <span className="break-words">{title}</span>}
          <Time at={created_at} format={formatDate} />
          {isNewest && <span className="text-soft">{texts.newest}</span>}
        </p>
        {changes && <p className="mt-1 max-w-prose break-words whitespace-pre-line text-soft">{changes}</p>}
      </div>
      {!is_lost && (
        <Button
          look="outline"
          disabled={isBusy}
          aria-label={fill(dashboardTexts.downloadFile, { file: name })}
          onClick={() => void download(ask)}
        >
          {dashboardTexts.download}
        </Button>
      )}
    </li>
  )
}

const GiftDialog = lazy(() => import('./gift-dialog.tsx'))

type GiftProps = { purchase: Purchase }

function GiveButton({ purchase }: GiftProps) {
  const isMailed = useSendsMail()
  const { revalidate } = useRevalidator()
  const [isOpen, setIsOpen] = useState(false)
  if (!isMailed) return null
  async function give(gift: Gift) {
    const result = await giveCopy(purchase.id, gift)
    if (result.isSaved) {
      setIsOpen(false)
      void revalidate()
    }
    return result
  }
  return (
    <>
      <Button
        look="quiet"
        className={textAction}
        aria-label={fill(giftTexts.giveProduct, { product: purchase.product.name })}
        onClick={() => setIsOpen(true)}
      >
        {giftTexts.give}
      </Button>
      {isOpen && (
        <Suspense>
          <GiftDialog send={give} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function GivenCopy({ purchase, given }: GiftProps & { given: Given }) {
  const fetcher = useFetcher()
  const [isAsking, setIsAsking] = useState(false)
  const { email, state, at } = given
  const isBusy = fetcher.state !== 'idle'
  const send = (intent: string) =>
    void fetcher.submit({ intent, purchase_id: purchase.id, email }, { method: 'post' })
  return (
    <div className="w-full text-sm sm:ps-19">
      <p className="max-w-xl text-pretty wrap-anywhere text-soft">
        {fill(stateTexts()[state], { email, date: formatDate(at) })}
      </p>
      {state !== 'opened' && (
        <p className="mt-1 flex flex-wrap gap-x-5">
          {(state === 'sent' || state === 'failed') && (
            <Button look="quiet" className={textAction} disabled={isBusy} onClick={() => send('mail_gift')}>
              {giftTexts.sendAgain}
            </Button>
          )}
          <Button look="quiet" className={textAction} disabled={isBusy} onClick={() => setIsAsking(true)}>
            {giftTexts.takeBack}
          </Button>
        </p>
      )}
      {isAsking && (
        <Confirm
          title={giftTexts.question}
          action={giftTexts.takeBack}
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false)
            send('take_back')
          }}
        >
          {fill(state === 'scheduled' ? giftTexts.consequenceScheduled : giftTexts.consequence, { email })}
        </Confirm>
      )}
    </div>
  )
}

const stateTexts = (): Record<Given['state'], string> => ({
  scheduled: giftTexts.scheduled,
  on_its_way: giftTexts.onItsWay,
  sent: giftTexts.sent,
  failed: giftTexts.notDelivered,
  opened: giftTexts.opened,
})

function ReceivedCopy({ received: { from, note, is_over } }: { received: Received }) {
  return (
    <div className="mt-2 max-w-xl text-sm text-pretty wrap-anywhere text-soft">
      <p>
        {from
          ? fill(is_over ? giftTexts.receivedOver : giftTexts.received, { sender: from })
          : giftTexts.page}
      </p>
      {note && <p className="mt-1 border-s-2 border-line ps-3 whitespace-pre-line">{note}</p>}
    </div>
  )
}

type PurchaseRowProps = {
  purchase: Purchase
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
}

export function PurchaseRow({ purchase, countries, lastAddress }: PurchaseRowProps) {
  const { product, amount, currency, status, created_at, shipment } = purchase
  const { revalidate } = useRevalidator()
  const isWaiting = isCompleted(status) && purchase.withdrawal?.state === 'waiting'
  const isWithdrawn = purchase.withdrawal?.right === 'law'
  const isEnded = purchase.is_going_back || isWaiting || purchase.given || purchase.received?.is_over
  const isThere = !product.release || product.download_url !== null
  const canDownload = product.is_digital && isThere && isCompleted(status) && !isEnded
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5 sm:p-6">
      <div className="flex min-w-0 basis-80 grow items-center gap-4 sm:gap-5">
        <div
          aria-hidden
          className="w-12 shrink-0 overflow-hidden rounded-sm shadow-md outline outline-cover-edge sm:w-14"
        >
          <Cover sizes="3.5rem" loading="lazy" className="block h-auto w-full" />
        </div>
        <div className="min-w-0">
          <h3 className="font-semibold text-pretty break-words">{product.name}</h3>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-soft tabular-nums">
            {!purchase.received && (
              <span className="font-semibold text-ink">{formatMoney(amount, currency)}</span>
            )}
            <Time at={created_at} format={formatDate} />
            <span>
              <span className="sr-only">{dashboardTexts.orderLabel} </span>
              {formatOrderNumber(purchase.number)}
            </span>
            <Badge>{formatsTexts.within[product.format]}</Badge>
            <StatusBadge status={status} />
            {isWaiting && (
              <Badge look="toned">{dashboardTexts.refundAsked[isWithdrawn ? 'law' : 'promise']}</Badge>
            )}
            {wasPaid(status) && !purchase.received && (
              <Link
                to={`/dashboard/receipts/${purchase.id}`}
                aria-label={fill(dashboardTexts.receiptFor, { product: product.name })}
                className="rounded-sm underline underline-offset-4 hover:text-ink"
              >
                {dashboardTexts.receipt}
              </Link>
            )}
          </p>
          <PurchaseNotice purchase={purchase} />
          {isCompleted(status) && !isEnded && (
            <ReleaseNote purchase={purchase} className="mt-2 max-w-xl text-sm" />
          )}
          {purchase.received && <ReceivedCopy received={purchase.received} />}
        </div>
      </div>
      {status === 'pending' && !purchase.is_held && <ContinuePayment id={purchase.id} product={product} />}
      {canDownload && (
        <Downloads
          product={product}
          ask={downloadOf(purchase.id)}
          onChanged={() => void revalidate()}
          isNamed
        />
      )}
      {isCompleted(status) && purchase.given && <GivenCopy purchase={purchase} given={purchase.given} />}
      {shipment && (
        <ShipmentLine
          purchase={purchase}
          shipment={shipment}
          countries={countries}
          lastAddress={lastAddress}
        />
      )}
      <div className="flex w-full flex-wrap gap-x-6 empty:hidden sm:ps-19">
        {purchase.is_givable && <GiveButton purchase={purchase} />}
        {(purchase.is_refundable || purchase.ended_right) && (
          <RefundButton
            purchase={purchase}
            ending={
              purchase.given && purchase.refund_right
                ? fill(giftTexts.endsWithRefund, { email: purchase.given.email })
                : endingOf(purchase)
            }
            refund={refundOf(purchase.id, { is_request: !purchase.is_refundable })}
            reload={revalidate}
            className={textAction}
          />
        )}
        {canTakeBack(purchase) && (
          <TakeRequestBack takeBack={takeBackOf(purchase.id)} reload={revalidate} className={textAction} />
        )}
        {purchase.can_take_back && <TakeBackButton purchase={purchase} />}
        {canDownload && <HowToRead files={product.files} isFolded />}
        {canDownload && <EditionList purchase={purchase} />}
      </div>
    </li>
  )
}

/** A free order that is not out yet. */
function TakeBackButton({ purchase: { id, product } }: { purchase: Purchase }) {
  const { revalidate } = useRevalidator()
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  async function takeBack() {
    setIsAsking(false)
    setIsBusy(true)
    try {
      await refundOf(id, { is_request: false })('')
      await revalidate()
    } catch (error) {
      toast(failure(dashboardTexts.takeBackFailed, error))
    }
    setIsBusy(false)
  }
  return (
    <>
      <Button
        look="quiet"
        className={textAction}
        disabled={isBusy}
        aria-label={fill(dashboardTexts.takeBackProduct, { product: product.name })}
        onClick={() => setIsAsking(true)}
      >
        {dashboardTexts.takeBack}
      </Button>
      {isAsking && (
        <Confirm
          title={dashboardTexts.takeBackQuestion}
          action={dashboardTexts.takeBack}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void takeBack()}
        >
          {fill(dashboardTexts.takeBackText, { product: product.name })}
        </Confirm>
      )}
    </>
  )
}

function PurchaseNotice({ purchase }: { purchase: Purchase }) {
  const sendsMail = useSendsMail()
  const words = happening(purchase, useBookFacts().legal)
  const { withdrawal, ended_right } = purchase
  return (
    <>
      {words && <p className="mt-2 max-w-xl text-sm text-pretty text-soft">{words}</p>}
      {ended_right && (
        <p className="mt-2 max-w-xl text-sm text-pretty text-soft">{endedWords(ended_right)}</p>
      )}
      {!sendsMail && withdrawal?.right === 'law' && (
        <p className="mt-3">
          <SaveAcknowledgement facts={acknowledgementOf(withdrawal, purchase)} />
        </p>
      )}
    </>
  )
}

function happening(purchase: Purchase, returns: ReturnTerms): string | undefined {
  const { status, is_held, has_mismatch, is_going_back, product } = purchase
  if (purchase.withdrawal && isCompleted(status)) {
    const { state, right } = purchase.withdrawal
    const mayStay = right === 'request' || purchase.refund_is_of_paper
    const doFilesWait = state === 'waiting' && mayStay && product.is_digital
    const words = [declaredWords(purchase.withdrawal, returns), doFilesWait && dashboardTexts.filesWait]
    return words.filter(Boolean).join(' ')
  }
  if (is_going_back) return dashboardTexts.goingBack
  if (status === 'pending' && is_held && !has_mismatch) return dashboardTexts.noPaymentFound
  if (status === 'pending' && is_held) return dashboardTexts.paymentMismatch
  if (status === 'pending') return dashboardTexts.notPaid
  if (status === 'canceled' && is_held) return dashboardTexts.closed
  if (status === 'canceled' && purchase.amount === 0) return dashboardTexts.takenBack
  if (status === 'canceled') return dashboardTexts.notFinished
  if (status === 'partially_refunded') return dashboardTexts.partiallyRefunded
  if (status === 'refunded' && purchase.withdrawal)
    return fill(dashboardTexts.refundedOnRequest, { date: formatDate(purchase.withdrawal.declared_at) })
  if (status === 'refunded') return dashboardTexts.refunded
  if (purchase.is_dispute_lost) return dashboardTexts.disputeLost
  if (status === 'disputed')
    return product.is_digital ? dashboardTexts.disputedDigital : dashboardTexts.disputed
  return undefined
}
