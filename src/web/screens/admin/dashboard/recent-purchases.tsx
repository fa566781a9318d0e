import { Link } from 'react-router'
import { formatOrderNumber } from '#features/purchases/contract/order-number.ts'
import type { Order } from '#features/orders/contract/orders.ts'
import { formatDate, formatMoney } from '../../../format.ts'
import { Badge } from '../../../components/badge.tsx'
import { OrderBadges } from '../order-badges.tsx'

export function RecentPurchases({ purchases }: { purchases: readonly Order[] }) {
  return (
    <ul className="divide-y divide-line">
      {purchases.map((purchase) => (
        <li
          key={purchase.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3"
        >
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-2 font-semibold">
              <Link to={`/admin/purchases/${purchase.id}`} className="rounded-sm hover:underline">
                {purchase.product.name}
              </Link>
              <Badge>{purchase.product.format}</Badge>
            </p>
            <p className="text-sm break-words text-soft">
              Customer: {purchase.display_name || purchase.email}
            </p>
          </div>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm tabular-nums">
            <span className="text-soft">{formatOrderNumber(purchase.number)}</span>
            <span className="font-semibold">{formatMoney(purchase.amount, purchase.currency)}</span>
            <time dateTime={purchase.created_at} className="text-soft">
              {formatDate(purchase.created_at)}
            </time>
            <OrderBadges order={purchase} />
          </p>
        </li>
      ))}
    </ul>
  )
}
