import type { AttentionApi } from '#domains/payments/attention.routes.ts'
import type { OrderDetail } from '#contract/payments/orders.ts'
import { Time } from '../../../time.tsx'
import { formatMoney } from '../../../format.ts'
import { OpenAtStripe } from '../open-at-stripe.tsx'
import { Card } from '../../../components/card.tsx'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { heldAccepted } from '../payments/attention-buttons.tsx'

const api = adminClient<AttentionApi>().payments

type DismissedProps = { purchase: OrderDetail; dismissed: NonNullable<OrderDetail['dismissed']> }

export function Dismissed({ purchase: { id, email, currency }, dismissed }: DismissedProps) {
  const { at, reason, paid, stripe_url } = dismissed
  const sum = paid && formatMoney(paid.total, paid.currency)
  return (
    <Card title="Payment dismissed" contentClass="grid gap-4 px-5 py-4">
      <p className="max-w-prose text-pretty">
        {sum ? `A payment of ${sum} was held` : 'This purchase was held without a payment'}: {reason} It was
        dismissed on <Time at={at} />. Nothing completes it automatically, whatever Stripe reports or is in
        stock.
      </p>
      <p className="flex flex-wrap gap-2 max-sm:*:grow">
        {paid?.currency === currency && (
          <CallButton
            label="Accept after all"
            busyLabel="One moment..."
            question={{ title: `Accept ${sum} after all?`, action: 'Accept as paid' }}
            call={() => api.dismissed[':id'].accept.$post({ param: { id }, json: {} })}
            done={heldAccepted}
            failed="Couldn’t accept"
          >
            The shop asks Stripe whether the money is still there. If so, the purchase is completed at the
            amount that was paid, and {email} gets the book and the receipt.
          </CallButton>
        )}
        <OpenAtStripe url={stripe_url} />
      </p>
    </Card>
  )
}
