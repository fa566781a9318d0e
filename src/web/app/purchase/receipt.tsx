// The receipt of an order that was bought with an address only, for who can open the order.
import { guestTexts } from '#words/guest.ts'
import { receiptTexts } from '#words/dashboard.ts'
import { useLocation } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { loadFailure } from '../../notices/send.ts'
import { findProof } from '../../purchase/guest-purchases.ts'
import { ReceiptLoading, receiptMeta, ReceiptScreen } from '../receipt-paper.tsx'
import { toast } from '../../notices/toasts.tsx'
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
  return receiptMeta(matches[0].loaderData.book)
}

/** Rendered once for all orders. */
export function HydrateFallback() {
  return <ReceiptLoading back={{ to: '/purchases', label: receiptTexts.back }} />
}

export default function GuestReceipt({ params: { id }, loaderData }: Route.ComponentProps) {
  const { receipt, refusal } = loaderData
  // The token of a link is in the fragment.
  const order = `/purchase/${id}${useLocation().hash}`
  const back = { to: order, label: guestTexts.backToOrder }
  return <ReceiptScreen back={back} receipt={receipt} orderPlace={order} refusal={refusal} />
}
