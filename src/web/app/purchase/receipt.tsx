// The receipt of an order that was bought with an address only, for who can open the order.
import { guestTexts } from '#words/guest.ts'
import { receiptTexts } from '#words/dashboard.ts'
import { useLocation } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { loadFailure } from '../../notices/send.ts'
import { findProof, hasFragment } from '../../purchase/guest-purchases.ts'
import { WaysToOrder } from '../../purchase/ways-to-order.tsx'
import { ReceiptLoading, receiptMeta, ReceiptScreen } from '../receipt-paper.tsx'
import { toast } from '../../notices/toasts.tsx'
import { useSendsMail } from '../../shop.ts'
import type { Route } from './+types/receipt.ts'

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  const held = findProof(id)
  if (!held) return { closed: hasFragment() ? 'link' : 'browser' } as const
  try {
    const json = { proof: held.proof }
    return { receipt: await responseOf(api.guest.purchases[':id'].receipt.$post({ param: { id }, json })) }
  } catch (error) {
    const { status } = error instanceof ProblemError ? error : { status: 500 }
    if (held.isLink && [404, 410, 422].includes(status)) return { closed: 'link' } as const
    if (error instanceof ProblemError && status < 500) return { refusal: error.message }
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
  const { receipt, refusal, closed } = loaderData
  // The token of a link is in the fragment.
  const order = `/purchase/${id}${useLocation().hash}`
  const back = closed
    ? { to: '/', label: guestTexts.backToBook }
    : { to: order, label: guestTexts.backToOrder }
  return (
    <ReceiptScreen back={back} receipt={receipt} orderPlace={order} refusal={refusal}>
      {closed && <Closed by={closed} />}
    </ReceiptScreen>
  )
}

/** The receipt opens by a link of the order, or in the browser that bought. */
function Closed({ by }: { by: 'link' | 'browser' }) {
  const sendsMail = useSendsMail()
  const { linkUnread, orderLinkText, orderLinkNoMail, unknown, unknownText, unknownNoMail } = guestTexts
  const [title, text, textWithoutMail] =
    by === 'link' ? [linkUnread, orderLinkText, orderLinkNoMail] : [unknown, unknownText, unknownNoMail]
  return (
    <div className="grid gap-6 px-6 py-14 text-center">
      <div>
        <h1 className="text-lg font-semibold">{title}</h1>
        <p className="mt-1 text-pretty text-soft">{sendsMail ? text : textWithoutMail}</p>
      </div>
      <WaysToOrder />
    </div>
  )
}
