import { Link } from 'react-router'
import { formatOrderNumber } from '#features/purchases/contract/order-number.ts'
import type { PostalAddress } from '#platform/contract/postal-address.ts'
import { isCompleted, wasPaid, type Purchase } from '#features/purchases/contract/purchases.ts'
import type { WaitingReason } from '#features/withdrawals/contract/withdrawals.ts'
import { formatDate, formatMoney } from '../../format.ts'
import { StatusBadge } from '../../status-badge.tsx'
import { Badge } from '../../components/badge.tsx'
import { ContinuePayment } from './continue-payment.tsx'
import { Downloads } from './downloads.tsx'
import { RefundButton } from './refund.tsx'
import { ShipmentLine } from './shipment.tsx'

type PurchaseRowProps = {
  purchase: Purchase
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
}

export function PurchaseRow({ purchase, countries, lastAddress }: PurchaseRowProps) {
  const { product, amount, currency, status, created_at, shipment } = purchase
  const isWaiting = purchase.withdrawal?.state === 'waiting'
  const canDownload = product.is_digital && isCompleted(status) && !purchase.is_going_back && !isWaiting
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5 sm:p-6">
      <div className="min-w-0 basis-64 grow">
        <h3 className="font-semibold text-pretty break-words">{product.name}</h3>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-soft tabular-nums">
          <span className="font-semibold text-ink">{formatMoney(amount, currency)}</span>
          <time dateTime={created_at}>{formatDate(created_at)}</time>
          <span>
            <span className="sr-only">Order </span>
            {formatOrderNumber(purchase.number)}
          </span>
          <Badge>{product.format}</Badge>
          <StatusBadge status={status} />
          {wasPaid(status) && (
            <Link
              to={`/dashboard/receipts/${purchase.id}`}
              aria-label={`Receipt for ${product.name}`}
              className="rounded-sm underline underline-offset-4 hover:text-ink"
            >
              Receipt
            </Link>
          )}
        </p>
        <PurchaseNotice purchase={purchase} />
      </div>
      {status === 'pending' && !purchase.is_held && <ContinuePayment id={purchase.id} product={product} />}
      {canDownload && <Downloads product={product} purchase_id={purchase.id} isNamed />}
      {purchase.is_refundable && <RefundButton purchase={purchase} />}
      {shipment && (
        <ShipmentLine
          purchase={purchase}
          shipment={shipment}
          countries={countries}
          lastAddress={lastAddress}
        />
      )}
    </li>
  )
}

function PurchaseNotice({ purchase }: { purchase: Purchase }) {
  const words = happening(purchase)
  return words && <p className="mt-2 max-w-xl text-sm text-pretty text-soft">{words}</p>
}

const waitingWords: Record<WaitingReason, string> = {
  return:
    'The author refunds you once the book is back, or once you show that you have sent it. Please send it within 14 days.',
  repeat: 'You have already had a refund for the same product, so the author looks at it first.',
  other_refund: 'Another refund of this purchase was under way, so the author looks at it first.',
}

function declared({ withdrawal, status }: Purchase): string | undefined {
  if (!withdrawal || !isCompleted(status)) return undefined
  const { declared_at, state, waits_for, refusal } = withdrawal
  const received = `We received your withdrawal on ${formatDate(declared_at)}.`
  if (state === 'waiting') return `${received} ${waits_for ? waitingWords[waits_for] : ''}`
  if (state === 'refused') return `${received} The author does not refund it and says: “${refusal}”`
  if (state === 'on_its_way') return `${received} Your money is on its way back to you.`
  return `${received} The money could not be sent to you, and the author is looking into it.`
}

function happening(purchase: Purchase): string | undefined {
  const { status, is_held, has_misfit, is_going_back, product } = purchase
  const words = declared(purchase)
  if (words) return words
  if (is_going_back) return 'Your money is on its way back to you.'
  if (status === 'pending' && is_held && !has_misfit)
    return 'We have not found a payment for this purchase. The author is looking into it, and there is nothing you need to do.'
  if (status === 'pending' && is_held)
    return 'Your payment arrived but does not match this purchase. The author is looking into it, and there is nothing you need to do.'
  if (status === 'pending')
    return 'Not paid yet: nothing is charged until you finish. If you have just paid, your bank may need a little longer.'
  if (status === 'canceled' && is_held)
    return 'This purchase was closed. Please write to the author if you have questions.'
  if (status === 'canceled') return 'The payment was not finished. Nothing was charged.'
  if (status === 'partially_refunded') return 'A part of your money went back to you. The book stays yours.'
  if (status === 'refunded' && purchase.withdrawal)
    return `Your money went back to you, as you wanted on ${formatDate(purchase.withdrawal.declared_at)}.`
  if (status === 'refunded') return 'Your money went back to you.'
  if (status === 'disputed') {
    const end = product.is_digital ? ' Until it has decided, the book cannot be downloaded.' : ''
    return `Your bank is looking into this payment.${end}`
  }
  return undefined
}
