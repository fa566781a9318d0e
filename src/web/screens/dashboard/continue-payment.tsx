// Back to the open checkout of a purchase that is not paid yet.
import { useFetcher } from 'react-router'
import type { Purchase, PurchaseMade } from '#contract/purchases.ts'
import { api } from '../../api.ts'
import { failure, notices, purchaseSucceeded } from '../../copy.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const leavingMs = 5000

/** A checkout that is open is resumed by whoever asks for the same product: nothing is bought twice. */
export async function continuePayment(form: FormData): Promise<void> {
  try {
    const json = { product_id: form.get('product_id') as string }
    const header = { 'idempotency-key': crypto.randomUUID() }
    const purchase = (await (await api.purchases.$post({ json, header })).json()) as PurchaseMade
    if (purchase.checkout_url) {
      location.assign(purchase.checkout_url)
      // The button stays busy while the browser leaves.
      await new Promise((resolve) => setTimeout(resolve, leavingMs))
    } else {
      toast(purchase.status === 'completed' ? purchaseSucceeded(purchase) : notices.paymentWaits)
    }
  } catch (error) {
    toast(failure('Payment Not Continued', error))
  }
}

export function ContinuePayment({ product }: Pick<Purchase, 'product'>) {
  const fetcher = useFetcher()
  const isBusy = fetcher.state !== 'idle'
  return (
    <Button
      className="max-sm:w-full"
      disabled={isBusy}
      aria-label={`Continue payment of ${product.name}`}
      onClick={() => void fetcher.submit({ intent: 'pay', product_id: product.id }, { method: 'post' })}
    >
      {isBusy && <Spinner />}
      Continue payment
    </Button>
  )
}
