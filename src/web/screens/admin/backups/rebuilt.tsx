import type { RebuiltPurchases } from '#features/payments/contract/rebuilt-purchases.ts'
import { formatOrderNumber } from '#features/purchases/contract/order-number.ts'
import { TextLink } from '../../../components/text-link.tsx'
import { Time } from '../../../time.tsx'
import { Card } from '../../../components/card.tsx'
import { formatCount, formatDate, formatMoney } from '../../../format.ts'
import { StatusBadge } from '../../../status-badge.tsx'

export function Rebuilt({ rebuilt: { is_searching, count, items } }: { rebuilt: RebuiltPurchases }) {
  if (count === 0 && !is_searching) return null
  return (
    <Card title="Found at Stripe after a restore">
      <p className="px-5 py-3 text-sm text-soft" aria-live="polite">
        {is_searching && 'The shop is looking up payments at Stripe since the backup. '}
        {count > 0 &&
          'These were paid after the backup was made. The shop has recreated them, with their buyers.'}
        {count > items.length && ` The newest ${items.length} of ${formatCount(count)}:`}
      </p>
      {count > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {items.map(({ id, number, amount, currency, status, created_at, email, product_name }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3">
              <div className="min-w-0">
                <TextLink to={`/admin/purchases/${id}`} look="name">
                  {product_name}
                </TextLink>
                <p className="text-sm break-words text-soft">{email}</p>
              </div>
              <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm tabular-nums">
                <span className="text-soft">{formatOrderNumber(number)}</span>
                <span className="font-semibold">{formatMoney(amount, currency)}</span>
                <Time at={created_at} format={formatDate} className="text-soft" />
                <StatusBadge status={status} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
