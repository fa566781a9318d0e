import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { giftTexts } from '#words/gift.ts'
import { formatsTexts } from '#words/formats.ts'
import { Link } from 'react-router'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { formatDay } from '#contract/format-day.ts'
import type { PostalAddress } from '#contract/postal-address.ts'
import { isCompleted, wasPaid, type Purchase } from '#contract/orders/purchases.ts'
import { Time } from '../../time.tsx'
import { formatDate, formatMoney } from '../../format.ts'
import { useSendsMail } from '../../shop.ts'
import { acknowledgementOf, SaveAcknowledgement } from '../../acknowledgement.tsx'
import { declaredWords, RefundButton } from '../../refund-button.tsx'
import { StatusBadge } from '../../status-badge.tsx'
import { Cover } from '../../cover.tsx'
import { Badge } from '../../components/badge.tsx'
import { ContinuePayment } from './continue-payment.tsx'
import { Downloads } from '../../downloads.tsx'
import { EditionList } from './edition-list.tsx'
import { GiveButton, GivenCopy, ReceivedCopy } from './gift.tsx'
import { HowToRead } from './how-to-read.tsx'
import { ShipmentLine } from './shipment.tsx'

type PurchaseRowProps = {
  purchase: Purchase
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
}

export function PurchaseRow({ purchase, countries, lastAddress }: PurchaseRowProps) {
  const { product, amount, currency, status, created_at, shipment } = purchase
  const isWaiting = purchase.withdrawal?.state === 'waiting'
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
          {product.release && isCompleted(status) && !isEnded && <ReleaseNote purchase={purchase} />}
          {purchase.received && <ReceivedCopy received={purchase.received} />}
        </div>
      </div>
      {status === 'pending' && !purchase.is_held && <ContinuePayment id={purchase.id} product={product} />}
      {canDownload && <Downloads product={product} purchase_id={purchase.id} isNamed />}
      {isCompleted(status) && purchase.given && <GivenCopy purchase={purchase} given={purchase.given} />}
      {purchase.is_givable && <GiveButton purchase={purchase} />}
      {purchase.is_refundable && (
        <RefundButton
          purchase={purchase}
          ending={endingOf(purchase)}
          className="max-sm:-my-2 max-sm:-ms-5 sm:ml-auto"
        />
      )}
      {shipment && (
        <ShipmentLine
          purchase={purchase}
          shipment={shipment}
          countries={countries}
          lastAddress={lastAddress}
        />
      )}
      {canDownload && <EditionList purchase={purchase} />}
      {canDownload && <HowToRead files={product.files} isFolded />}
    </li>
  )
}

function ReleaseNote({ purchase: { product, is_refundable } }: { purchase: Purchase }) {
  const sendsMail = useSendsMail()
  const { release } = product
  if (!release) return null
  const { waits, partly, mailed, takeBack } = dashboardTexts.release
  const words = [
    fill(release.is_partial ? partly : waits, { date: formatDay(release.on) }),
    sendsMail && mailed,
    is_refundable && takeBack,
  ]
  return <p className="mt-2 max-w-xl text-sm text-pretty text-soft">{words.filter(Boolean).join(' ')}</p>
}

function PurchaseNotice({ purchase }: { purchase: Purchase }) {
  const sendsMail = useSendsMail()
  const words = happening(purchase)
  const { withdrawal } = purchase
  return (
    <>
      {words && <p className="mt-2 max-w-xl text-sm text-pretty text-soft">{words}</p>}
      {!sendsMail && withdrawal?.right === 'law' && (
        <p className="mt-3">
          <SaveAcknowledgement facts={acknowledgementOf(withdrawal, purchase)} />
        </p>
      )}
    </>
  )
}

/** Paper that was sent is not ended. */
function endingOf({ given, product }: Purchase): string | undefined {
  if (!product.is_digital) return undefined
  return given
    ? fill(giftTexts.endsWithRefund, { email: given.email })
    : fill(dashboardTexts.accessEnds, { product: product.name })
}

function happening(purchase: Purchase): string | undefined {
  const { status, is_held, has_misfit, is_going_back, product } = purchase
  if (purchase.withdrawal && isCompleted(status)) return declaredWords(purchase.withdrawal)
  if (is_going_back) return dashboardTexts.goingBack
  if (status === 'pending' && is_held && !has_misfit) return dashboardTexts.noPaymentFound
  if (status === 'pending' && is_held) return dashboardTexts.paymentMismatch
  if (status === 'pending') return dashboardTexts.notPaid
  if (status === 'canceled' && is_held) return dashboardTexts.closed
  if (status === 'canceled') return dashboardTexts.notFinished
  if (status === 'partially_refunded') return dashboardTexts.partiallyRefunded
  if (status === 'refunded' && purchase.withdrawal)
    return fill(dashboardTexts.refundedAsWanted, { date: formatDate(purchase.withdrawal.declared_at) })
  if (status === 'refunded') return dashboardTexts.refunded
  if (status === 'disputed')
    return product.is_digital ? dashboardTexts.disputedDigital : dashboardTexts.disputed
  return undefined
}
