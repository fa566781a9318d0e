import type { RebuiltPurchases } from '#contract/payments/rebuilt-purchases.ts'
import { Card } from '../../../components/card.tsx'
import { formatCount } from '../../../format.ts'
import { OrderRow } from '../order-row.tsx'
import { StatusBadge } from '../../../status-badge.tsx'

export function Rebuilt({ rebuilt: { is_searching, count, items } }: { rebuilt: RebuiltPurchases }) {
  if (count === 0 && !is_searching) return null
  return (
    <Card title="Found at Stripe after a restore">
      <p className="px-5 py-3 text-sm text-soft" aria-live="polite">
        {is_searching && <span>{'The shop is looking up payments at Stripe since the backup. '}</span>}
        {count > 0 && (
          <span>
            {'These were paid after the backup was made. The shop has recreated them, with their buyers.'}
          </span>
        )}
        {count > items.length && <span>{` The newest ${items.length} of ${formatCount(count)}:`}</span>}
      </p>
      {count > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {items.map((order) => (
            <OrderRow
              key={order.id}
              order={order}
              product={order.product_name}
              buyer={order.email}
              badges={<StatusBadge status={order.status} />}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}
