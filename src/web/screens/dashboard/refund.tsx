import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { Purchase } from '#features/purchases/contract/purchases.ts'
import { readText } from '../../form.ts'
import { api, responseOf } from '../../api.ts'
import { failure, notices } from '../../copy.ts'
import { formatMoney } from '../../format.ts'
import { mailedNotice } from '../../mailed-notice.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'

export async function requestRefund(form: FormData): Promise<void> {
  const param = { id: readText(form, 'purchase_id') }
  try {
    const call = api.purchases[':id'].refund.$post({ param, json: { reason: readText(form, 'reason') } })
    const { withdrawal } = await responseOf(call)
    toast(await mailedNotice(withdrawal?.state === 'waiting' ? notices.refundWaits : notices.refundAsked))
  } catch (error) {
    toast(failure('Couldn’t refund', error))
  }
}

export function RefundButton({ purchase }: { purchase: Purchase }) {
  const { id, product } = purchase
  const fetcher = useFetcher()
  const [isAsking, setIsAsking] = useState(false)
  const isBusy = fetcher.state !== 'idle'
  return (
    <>
      <Button
        look="quiet"
        className="max-sm:-my-2 max-sm:-ml-5 sm:ml-auto"
        disabled={isBusy}
        aria-label={`Refund ${product.name}`}
        onClick={() => setIsAsking(true)}
      >
        Refund
      </Button>
      {isAsking && (
        <Dialog title="Get your money back?" onClose={() => setIsAsking(false)}>
          <p className="mt-3 text-pretty text-soft">
            {consequence(purchase)}
            {product.is_digital && ` Your access to ${product.name} ends now.`}
          </p>
          <fetcher.Form method="post" className="mt-5 grid gap-5" onSubmit={() => setIsAsking(false)}>
            <input type="hidden" name="intent" value="refund" />
            <input type="hidden" name="purchase_id" value={id} />
            <TextField
              label="What was missing? (optional)"
              name="reason"
              rows={3}
              maxLength={1000}
              required={false}
            />
            <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
              <CancelButton>Keep the book</CancelButton>
              <Button type="submit" look="danger">
                Get my money back
              </Button>
            </p>
          </fetcher.Form>
        </Dialog>
      )}
    </>
  )
}

function consequence({ status, amount, currency, shipment, withdrawal }: Purchase): string {
  const what = status === 'partially_refunded' ? 'The rest of what you paid' : formatMoney(amount, currency)
  if (shipment?.shipped_at && !withdrawal)
    return `Your withdrawal is recorded right away. As the parcel has already left, the author refunds ${formatMoney(amount, currency)} once the book is back, or once you show that you have sent it.`
  return `${what} goes back to the card or account it came from within a few days. If you have already had a refund for the same product, the author looks at it first.`
}
