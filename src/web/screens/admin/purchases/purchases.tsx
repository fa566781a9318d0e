import { ShoppingBag } from '../../../components/further-icons.tsx'
import { useSearchParams } from 'react-router'
import { formats } from '#contract/catalog/products.ts'
import { purchaseStatuses } from '#contract/orders/purchases.ts'
import type { OrderListRequest } from '#contract/payments/orders.ts'
import type { OrdersApi } from '#domains/payments/orders.routes.ts'
import { searchQuery } from '../../../api.ts'
import { Note } from '../../../components/note.tsx'
import { FilterDay, FilterSelect, SearchField } from '../../../components/search-field.tsx'
import { ExportButton } from '../call-button.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import { TableCard } from '../frame.tsx'
import type { Route } from './+types/purchases.ts'
import { orderColumns } from './columns.tsx'

const api = adminClient<OrdersApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch purchases', request, (query: OrderListRequest) =>
    api.purchases.$get({ query }),
  )
}

export default function Purchases({ loaderData: page }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const { after: _after, ...narrowing } = searchQuery<OrderListRequest>(search)
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <SearchField label="Search purchases" placeholder="#1042, email, name or product..." />
        <div className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0 sm:gap-3">
          <FilterSelect label="Status" name="status" all="Every status" options={purchaseStatuses} />
          <FilterSelect label="Format" name="format" all="Every format" options={formats} />
        </div>
        <div className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0 sm:gap-3">
          <FilterDay label="From" name="from" />
          <FilterDay label="To" name="to" />
        </div>
      </div>
      <TableCard
        title="Purchases"
        action={
          <ExportButton request={{ list: 'purchases', ...narrowing }}>
            {Object.values(narrowing).some(Boolean) ? 'These purchases' : 'All purchases'}
          </ExportButton>
        }
        page={page}
        failed="The purchases could not be loaded"
        empty={
          search.size > 0 ? (
            <Note icon={ShoppingBag} title="No purchases found">
              Try other words, or fewer filters.
            </Note>
          ) : (
            <Note icon={ShoppingBag} title="No purchases yet">
              Purchases will appear here once customers start buying
            </Note>
          )
        }
        label="Purchases"
        rowKey={({ id }) => id}
        columns={orderColumns}
      />
    </div>
  )
}
