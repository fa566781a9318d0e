// The receipt of an order that was bought with an address only, for who can open the order.
import { guestTexts } from '#words/guest.ts'
import { receiptTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { useLocation } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { loadFailure } from '../../send.ts'
import { findProof } from '../../guest-purchases.ts'
import { ReceiptFrame, ReceiptPaper } from '../receipt-paper.tsx'
import { toast } from '../../toasts.tsx'
import { Bar, Failed } from '../card.tsx'
import type { Route } from './+types/receipt.ts'

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  const held = findProof(id)
  if (!held) return { refusal: guestTexts.unknown }
  try {
    const json = { proof: held.proof }
    return { receipt: await responseOf(api.guest.purchases[':id'].receipt.$post({ param: { id }, json })) }
  } catch (error) {
    if (error instanceof ProblemError && error.status < 500) return { refusal: error.message }
    toast(loadFailure(receiptTexts.failed, error))
    return {}
  }
}

export function meta({ matches }: Route.MetaArgs) {
  const { book } = matches[0].loaderData
  return [{ title: fill(receiptTexts.page, { book: book.title }) }, { name: 'robots', content: 'noindex' }]
}

/** Rendered once for all orders. */
export function HydrateFallback() {
  return (
    <ReceiptFrame back={{ to: '/purchases', label: receiptTexts.back }} isBusy>
      <p className="sr-only" role="status">
        {receiptTexts.loading}
      </p>
      <Bar className="h-[36rem]" />
    </ReceiptFrame>
  )
}

export default function GuestReceipt({ params: { id }, loaderData }: Route.ComponentProps) {
  const { receipt, refusal } = loaderData
  // The token of a link is in the fragment.
  const order = `/purchase/${id}${useLocation().hash}`
  return (
    <ReceiptFrame back={{ to: order, label: guestTexts.backToOrder }} canPrint={receipt !== undefined}>
      {receipt && <ReceiptPaper receipt={receipt} orderPlace={order} />}
      {!receipt && (
        <div className="rounded-lg border border-line bg-surface">
          {refusal ? (
            <p className="px-6 py-14 text-center">{refusal}</p>
          ) : (
            <Failed title={receiptTexts.notLoaded} />
          )}
        </div>
      )}
    </ReceiptFrame>
  )
}
