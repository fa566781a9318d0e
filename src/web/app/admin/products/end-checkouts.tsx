// The button beside a product's price that ends the checkouts which were opened at another one.
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import type { EndedAtOldPrice } from '#contract/payments/needs-attention.ts'
import type { OldPricesApi } from '#domains/payments/withdrawals.routes.ts'
import { responseOf } from '../../../api.ts'
import { useFormatMoney } from '../../../money.tsx'
import { useSaleMode } from '../../../shop.ts'
import type { Toast } from '../../../toasts.tsx'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'

const api = adminClient<OldPricesApi>()

export function EndCheckouts({ product: { id, price } }: { product: AdminProduct }) {
  const format = useFormatMoney()
  if (useSaleMode() !== 'paid') return null
  return (
    <CallButton
      className="mt-3"
      look="quiet"
      label="End checkouts at an old price"
      busyLabel="Ending them..."
      question={{ title: 'End checkouts at an old price?', action: 'End them', isDanger: true }}
      call={() => responseOf(api.products[':id']['old-price-checkouts'].$delete({ param: { id } }))}
      done={describeEnded}
      failed="Some checkouts are still open"
    >
      Somebody who opened the payment page before the price changed can pay the old price there for up to 25
      hours. The payment pages close at Stripe, and nothing more is charged there. Anyone who buys again pays
      today’s price, {format(price)}. A payment that is made at this very moment stays valid.
    </CallButton>
  )
}

export function describeEnded({ ended, paid, kept, failed }: EndedAtOldPrice): Toast {
  const parts = [
    `${ended} ended.`,
    paid > 0 && `${paid} paid before the page closed, and kept.`,
    kept > 0 && `${kept} not ended, because a payment is already on its way or waits for you.`,
    failed > 0 && `${failed} still open, because Stripe did not respond. Please try again.`,
  ]
  const description = parts.filter(Boolean).join(' ')
  if (ended + paid + kept + failed === 0) return { title: 'No checkout is open at an old price' }
  return failed === 0
    ? { title: 'Checkouts ended', description }
    : { title: 'Some checkouts are still open', description, destructive: true }
}
