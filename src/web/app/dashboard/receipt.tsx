// The page of a receipt, for a signed-in buyer.
import { receiptTexts } from '#words/dashboard.ts'
import { redirect } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { loadFailure } from '../../notices/send.ts'
import { useFollowSession } from '../private-page.tsx'
import { ReceiptLoading, receiptMeta, ReceiptScreen } from '../receipt-paper.tsx'
import { storedSession } from '../../session/session.ts'
import { namedNotice } from '../../notices/named-notice.ts'
import { toast } from '../../notices/toasts.tsx'
import type { Route } from './+types/receipt.ts'

const back = () => ({ to: '/dashboard', label: receiptTexts.back })
const signInPath = () => `/auth?next=${encodeURIComponent(location.pathname)}`

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  if (!storedSession()) return redirect(signInPath())
  try {
    return { receipt: await responseOf(api.purchases[':id'].receipt.$get({ param: params })) }
  } catch (error) {
    const status = error instanceof ProblemError ? error.status : undefined
    if (status === 401) {
      toast(namedNotice('session-ended'))
      return redirect(signInPath())
    }
    if (status === 404 || status === 422) return { isMissing: true }
    if (error instanceof ProblemError && status === 409) return { refusal: error.message }
    toast(loadFailure(receiptTexts.failed, error))
    return {}
  }
}

export function meta({ matches }: Route.MetaArgs) {
  return receiptMeta(matches[0].loaderData.book)
}

export function HydrateFallback() {
  return <ReceiptLoading back={back()} />
}

export default function ReceiptPage({ loaderData: { receipt, refusal, isMissing } }: Route.ComponentProps) {
  useFollowSession('/auth?next=/dashboard')
  return (
    <ReceiptScreen back={back()} receipt={receipt} orderPlace="/dashboard" refusal={refusal}>
      {isMissing && <NoSuchReceipt />}
    </ReceiptScreen>
  )
}

function NoSuchReceipt() {
  return (
    <div className="px-6 py-14 text-center">
      <h1 className="text-lg font-semibold">{receiptTexts.notFound}</h1>
      <p className="mt-1 text-soft">{receiptTexts.mistyped}</p>
    </div>
  )
}
