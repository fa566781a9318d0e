import { siteTexts } from '#words/site.ts'
import { receiptTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import { redirect } from 'react-router'
import { api, ProblemError, responseOf } from '../../api.ts'
import { loadFailure } from '../../send.ts'
import { useFollowSession } from '../private-page.tsx'
import { ReceiptFrame, ReceiptPaper } from '../receipt-paper.tsx'
import { storedSession } from '../../session.ts'
import { toast } from '../../toasts.tsx'
import { Bar, Failed } from '../card.tsx'
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
      toast({ title: siteTexts.signedOut, description: siteTexts.sessionEnded })
      return redirect(signInPath())
    }
    if (status === 404 || status === 422) return { isMissing: true }
    if (error instanceof ProblemError && status === 409) return { refusal: error.message }
    toast(loadFailure(receiptTexts.failed, error))
    return {}
  }
}

export function meta({ matches }: Route.MetaArgs) {
  const { book } = matches[0].loaderData
  return [{ title: fill(receiptTexts.page, { book: book.title }) }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return (
    <ReceiptFrame back={back()} isBusy>
      <p className="sr-only" role="status">
        {receiptTexts.loading}
      </p>
      <Bar className="h-[36rem]" />
    </ReceiptFrame>
  )
}

export default function ReceiptPage({ loaderData: { receipt, refusal, isMissing } }: Route.ComponentProps) {
  useFollowSession('/auth?next=/dashboard')
  return (
    <ReceiptFrame back={back()} canPrint={receipt !== undefined}>
      {receipt && <ReceiptPaper receipt={receipt} orderPlace="/dashboard" />}
      {!receipt && (
        <div className="rounded-lg border border-line bg-surface">
          {isMissing && <NoSuchReceipt />}
          {refusal && <p className="px-6 py-14 text-center">{refusal}</p>}
          {!isMissing && !refusal && <Failed title={receiptTexts.notLoaded} />}
        </div>
      )}
    </ReceiptFrame>
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
