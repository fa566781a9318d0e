import type { AttentionApi } from '#features/payments/attention-routes.ts'
import type { OrderDetail } from '#features/orders/contract/orders.ts'
import { formatMoment, formatMoney } from '../../../format.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ExternalLink } from '../../../components/further-icons.tsx'
import { adminClient } from '../admin-client.ts'
import { adminNotices } from '../notices.ts'
import { ConfirmedButton } from '../confirmed-button.tsx'

const api = adminClient<AttentionApi>().payments

type DismissedProps = { purchase: OrderDetail; dismissed: NonNullable<OrderDetail['dismissed']> }

export function Dismissed({ purchase: { id, email, currency }, dismissed }: DismissedProps) {
  const { at, reason, paid, stripe_url } = dismissed
  const sum = paid && formatMoney(paid.total, paid.currency)
  return (
    <Card title="Payment dismissed">
      <div className="grid gap-4 px-5 py-4">
        <p className="max-w-prose text-pretty">
          {sum ? `A payment of ${sum} was held` : 'This purchase was held without a payment'}: {reason} It was
          dismissed on <time dateTime={at}>{formatMoment(at)}</time>. Nothing completes it automatically,
          whatever Stripe reports or is in stock.
        </p>
        <p className="flex flex-wrap gap-2 max-sm:*:grow">
          {paid?.currency === currency && (
            <ConfirmedButton
              label="Accept after all"
              title={`Accept ${sum} after all?`}
              action="Accept as paid"
              call={() => api.dismissed[':id'].accept.$post({ param: { id }, json: {} })}
              done={adminNotices.heldAccepted}
              failed="Couldn’t accept"
            >
              The shop asks Stripe whether the money is still there. If so, the purchase is completed at the
              amount that was paid, and {email} gets the book and the receipt.
            </ConfirmedButton>
          )}
          {stripe_url && (
            <a href={stripe_url} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
              Open at Stripe
              <ExternalLink aria-hidden className="size-4" />
            </a>
          )}
        </p>
      </div>
    </Card>
  )
}
