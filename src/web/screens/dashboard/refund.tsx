import { dashboardTexts } from '#words/dashboard.ts'
import { giftTexts } from '#words/gift.ts'
import { fill } from '#words/fill.ts'
import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { Purchase } from '#features/purchases/contract/purchases.ts'
import { readText } from '../../form.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
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
    toast(
      await mailedNotice(
        withdrawal?.state === 'waiting' ? dashboardTexts.refundWaits : dashboardTexts.refundAsked,
      ),
    )
  } catch (error) {
    toast(failure(dashboardTexts.refundFailed, error))
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
        className="max-sm:-my-2 max-sm:-ms-5 sm:ml-auto"
        disabled={isBusy}
        aria-label={fill(dashboardTexts.refundProduct, { product: product.name })}
        onClick={() => setIsAsking(true)}
      >
        {dashboardTexts.refund}
      </Button>
      {isAsking && (
        <Dialog title={dashboardTexts.refundQuestion} onClose={() => setIsAsking(false)}>
          <p className="mt-3 text-pretty text-soft">
            {consequence(purchase)}
            {product.is_digital && ` ${ending(purchase)}`}
          </p>
          <fetcher.Form method="post" className="mt-5 grid gap-5" onSubmit={() => setIsAsking(false)}>
            <input type="hidden" name="intent" value="refund" />
            <input type="hidden" name="purchase_id" value={id} />
            <TextField
              label={dashboardTexts.missing}
              name="reason"
              rows={3}
              maxLength={1000}
              required={false}
            />
            <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
              <CancelButton>{dashboardTexts.keepBook}</CancelButton>
              <Button type="submit" look="danger">
                {dashboardTexts.getMoneyBack}
              </Button>
            </p>
          </fetcher.Form>
        </Dialog>
      )}
    </>
  )
}

function ending({ given, product }: Purchase): string {
  return given
    ? fill(giftTexts.endsWithRefund, { email: given.email })
    : fill(dashboardTexts.accessEnds, { product: product.name })
}

function consequence({ status, amount, currency, shipment, withdrawal }: Purchase): string {
  const { restOfPayment, refundAfterReturn, refundGoesBack } = dashboardTexts
  const paid = formatMoney(amount, currency)
  if (shipment?.shipped_at && !withdrawal) return fill(refundAfterReturn, { amount: paid })
  return fill(refundGoesBack, { amount: status === 'partially_refunded' ? restOfPayment : paid })
}
