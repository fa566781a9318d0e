import { ShoppingBag } from '../../../components/further-icons.tsx'
import { useSearchParams } from 'react-router'
import type { Page } from '#platform/contract/paging.ts'
import { formats } from '#features/products/contract/products.ts'
import { purchaseStatuses } from '#features/purchases/contract/purchases.ts'
import type { OrderListRequest, Order } from '#features/orders/contract/orders.ts'
import type { OrdersApi } from '#features/orders/routes.ts'
import { responseOf, searchQuery } from '../../../api.ts'
import { adminNotices } from '../notices.ts'
import { Card } from '../../../components/card.tsx'
import { Failed, Note } from '../../../components/note.tsx'
import { Pager } from '../../../components/pager.tsx'
import { FilterDay, FilterSelect, SearchField } from '../../../components/search-field.tsx'
import { Table } from '../../../components/table.tsx'
import { ExportButton } from '../export-button.tsx'
import { adminClient } from '../admin-client.ts'
import { load } from '../load.ts'
import type { Route } from './+types/purchases.ts'
import {
  amountColumn,
  customerColumn,
  dateColumn,
  orderColumn,
  productColumn,
  statusColumn,
} from './columns.tsx'

export { NotHere as ErrorBoundary } from '../not-here.tsx'

const api = adminClient<OrdersApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = searchQuery<OrderListRequest>(new URL(request.url).searchParams)
  return load(adminNotices.purchasesFailed, () => responseOf(api.purchases.$get({ query })))
}

const words = (value: string) => ({ value, label: value.replaceAll('_', ' ') })

export default function Purchases({ loaderData: page }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <SearchField label="Search purchases" placeholder="#1042, email, name or product..." />
        <div className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0 sm:gap-3">
          <FilterSelect
            label="Status"
            name="status"
            options={[{ value: '', label: 'Every status' }, ...purchaseStatuses.map(words)]}
          />
          <FilterSelect
            label="Format"
            name="format"
            options={[{ value: '', label: 'Every format' }, ...formats.map(words)]}
          />
        </div>
        <div className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0 sm:gap-3">
          <FilterDay label="From" name="from" />
          <FilterDay label="To" name="to" />
        </div>
      </div>
      <Card title="Purchases" action={<Export />}>
        {page ? <PurchaseTable page={page} /> : <Failed title="The purchases could not be loaded" />}
      </Card>
    </div>
  )
}

function Export() {
  const [search] = useSearchParams()
  const { after: _after, ...narrowing } = searchQuery<OrderListRequest>(search)
  const isPart = Object.values(narrowing).some(Boolean)
  return (
    <ExportButton request={{ list: 'purchases', ...narrowing }}>
      {isPart ? 'These purchases' : 'All purchases'}
    </ExportButton>
  )
}

const columns = [orderColumn, productColumn, customerColumn, amountColumn, dateColumn, statusColumn]

function PurchaseTable({ page }: { page: Page<Order> }) {
  const [search] = useSearchParams()
  if (page.items.length > 0) {
    return (
      <>
        <Table label="Purchases" rows={page.items} rowKey={({ id }) => id} columns={columns} />
        <Pager next={page.next} />
      </>
    )
  }
  return [...search.keys()].length > 0 ? (
    <Note icon={ShoppingBag} title="No purchases found">
      Try other words, or fewer filters.
    </Note>
  ) : (
    <Note icon={ShoppingBag} title="No purchases yet">
      Purchases will appear here once customers start buying
    </Note>
  )
}
