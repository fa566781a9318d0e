import { dashboardTexts } from '#words/dashboard.ts'
import { useEffect } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import type { Purchase } from '#contract/orders/purchases.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { announcePurchase } from '../../just-bought.ts'
import { toast } from '../../toasts.tsx'
import { Spinner } from '../../components/spinner.tsx'

const pauseMs = 1_500
const tries = 20

export function ConfirmPayment() {
  const [search, setSearch] = useSearchParams()
  const { revalidate } = useRevalidator()
  const id = search.get('paid')
  useEffect(() => {
    if (!id) return undefined
    const leaving = new AbortController()
    const finish = async () => {
      if (!(await confirm(id, leaving.signal))) return
      setSearch({}, { replace: true })
      await revalidate()
    }
    void finish()
    return () => leaving.abort()
  }, [id, setSearch, revalidate])
  if (!id) return null
  return (
    <p role="status" className="mb-8 flex items-center gap-3 rounded-lg border border-gold/60 bg-gold/10 p-5">
      <Spinner />
      {dashboardTexts.confirmingPayment}
    </p>
  )
}

async function confirm(id: string, leaving: AbortSignal): Promise<boolean> {
  try {
    for (let asked = 0; asked < tries; asked += 1) {
      const purchase = await settle(id)
      if (leaving.aborted) return false
      if (purchase?.status === 'completed') {
        announcePurchase(purchase)
      }
      if (purchase?.status === 'canceled' && !purchase.is_held) toast(dashboardTexts.paymentCanceled)
      if (purchase && (purchase.status !== 'pending' || purchase.is_held)) return true
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    toast({ title: dashboardTexts.notConfirmed, description: dashboardTexts.bankIsSlow })
  } catch (error) {
    if (leaving.aborted) return false
    toast(failure(dashboardTexts.notConfirmed, error))
  }
  return true
}

/** Undefined while the payment service cannot be asked: a buyer who has just paid is not shown that. */
async function settle(id: string): Promise<Purchase | undefined> {
  try {
    return await responseOf(api.purchases[':id'].settle.$post({ param: { id } }))
  } catch (error) {
    if (error instanceof ProblemError && error.status === 503) return undefined
    throw error
  }
}
