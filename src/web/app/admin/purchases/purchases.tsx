// The screen that lists orders.
import { ShoppingBag } from '../../../components/further-icons.tsx'
import { formats } from '#contract/catalog/formats.ts'
import { purchaseStatuses } from '#contract/orders/purchase-status.ts'
import type { OrderList, OrderListRequest } from '#contract/orders/admin-orders.ts'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import { responseOf } from '../../../api.ts'
import { formatCount, formatMoney } from '../../../format/format.tsx'
import { adminClient } from '../calls.tsx'
import { defineList } from '../list-screen.tsx'
import { orderColumns } from '../cells.tsx'

const api = adminClient<OrdersApi>()

/** "38 orders · $412.00 earned": what was paid less refunds. */
function sumsInWords({ count, isMore, earned }: OrderList['shown'], currency: string): string {
  const orders = `${isMore ? 'More than ' : ''}${formatCount(count)} ${count === 1 ? 'order' : 'orders'}`
  return earned === null ? orders : `${orders} · ${formatMoney(earned, currency)} earned`
}

const list = defineList({
  title: 'Orders',
  load: (query: OrderListRequest) => responseOf(api.purchases.$get({ query })),
  failed: 'Failed to fetch orders',
  notLoaded: 'The orders could not be loaded',
  search: { label: 'Search orders', placeholder: '#1042, email, name or street...' },
  filters: [
    { label: 'Status', name: 'status', all: 'All statuses', options: purchaseStatuses },
    { label: 'Format', name: 'format', all: 'All formats', options: formats },
    { label: 'From', name: 'from', isDay: true },
    { label: 'To', name: 'to', isDay: true },
  ],
  counted: ({ items: [first], shown }) => first && sumsInWords(shown, first.currency),
  exported: (query) => ({ list: 'purchases', ...query }),
  empty: {
    icon: ShoppingBag,
    title: 'No orders yet',
    text: 'Orders will appear here once customers start buying',
  },
  emptySearch: { title: 'No orders found', text: 'Try other words, or fewer filters.' },
  rowKey: ({ id }) => id,
  columns: orderColumns,
})

export const clientLoader = list.clientLoader
export default list.Screen
