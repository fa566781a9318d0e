import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { useFetcher } from 'react-router'
import type { Purchase, PurchaseMade } from '#contract/orders/purchases.ts'
import { readText } from '../../form.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { announcePurchase } from '../../just-bought.ts'
import { leaveFor } from '../../leave-for.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'

/** Asks for the status first: what was paid in another tab must not be bought again. */
export async function continuePayment(form: FormData): Promise<void> {
  try {
    const param = { id: readText(form, 'purchase_id') }
    const settled = await responseOf(api.purchases[':id'].settle.$post({ param }))
    if (settled.status !== 'pending' || settled.is_held) return notify(settled)
    const created = await resume(settled)
    if (!created.checkout_url) return notify(created)
    await leaveFor(created.checkout_url)
  } catch (error) {
    toast(failure(dashboardTexts.continueFailed, error))
  }
}

/** Asking for the same product, country and discount resumes its open checkout, whatever the key. */
async function resume({ product, shipping, discount_code: code }: Purchase): Promise<PurchaseMade> {
  const header = { 'idempotency-key': crypto.randomUUID() }
  const country = shipping?.country
  const json = { product_id: product.id, ...(country && { country }), ...(code && { code }) }
  return responseOf(api.purchases.$post({ json, header }))
}

function notify(purchase: Purchase): void {
  if (purchase.status === 'completed') announcePurchase(purchase)
  else if (purchase.status === 'canceled') toast(dashboardTexts.paymentCanceled)
  else toast({ title: dashboardTexts.notConfirmed, description: dashboardTexts.bankIsSlow })
}

export function ContinuePayment({ id, product }: Pick<Purchase, 'id' | 'product'>) {
  const fetcher = useFetcher()
  const isBusy = fetcher.state !== 'idle'
  return (
    <Button
      busy={isBusy}
      className="max-sm:w-full"
      disabled={isBusy}
      aria-label={fill(dashboardTexts.continuePaymentOf, { product: product.name })}
      onClick={() => void fetcher.submit({ intent: 'pay', purchase_id: id }, { method: 'post' })}
    >
      {dashboardTexts.continuePayment}
    </Button>
  )
}
