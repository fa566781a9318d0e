// All purchases: searched, narrowed, page by page.
import { ShoppingBag } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import type { Page } from '#contract/paging.ts'
import { formats } from '#contract/products.ts'
import { purchaseStatuses } from '#contract/purchases.ts'
import type { SoldPurchase } from '#contract/sales.ts'
import type { SoldListRequest } from '#contract/sold.ts'
import type { SoldApi } from '#server/api/sold.ts'
import { answerOf, deskClient } from '../../../api.ts'
import { notices } from '../../../copy.ts'
import { formatDate, formatDollars } from '../../../format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { Failed, Note } from '../../../ui/note.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { DayField, FilterSelect, SearchField } from '../../../ui/search-field.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { load } from '../load.ts'
import { StatusBadge } from '../status-badge.tsx'
import type { Route } from './+types/purchases.ts'

const api = deskClient<SoldApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = Object.fromEntries(new URL(request.url).searchParams) as SoldListRequest
  return load(notices.purchasesFailed, () => answerOf(api.purchases.$get({ query })))
}

const words = (value: string) => ({ value, label: value.replaceAll('_', ' ') })

export default function Purchases({ loaderData: page }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <SearchField label="Search purchases" placeholder="E-mail, name, product or id..." />
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
          <DayField label="From" name="from" />
          <DayField label="To" name="to" />
        </div>
      </div>
      <Card>
        {page ? <PurchaseTable page={page} /> : <Failed title="The purchases could not be loaded" />}
      </Card>
    </div>
  )
}

const columns: Column<SoldPurchase>[] = [
  {
    title: 'Product',
    cell: ({ id, product }) => (
      <span className="flex flex-wrap items-center gap-2 max-sm:justify-end">
        <Link to={`/admin/purchases/${id}`} className="rounded-sm font-semibold hover:underline">
          {product.name}
        </Link>
        <Badge>{product.format}</Badge>
      </span>
    ),
  },
  {
    title: 'Customer',
    cell: ({ user_id, display_name, email }) => (
      <Link to={`/admin/users/${user_id}`} className="rounded-sm wrap-anywhere hover:underline">
        {display_name ?? email}
      </Link>
    ),
  },
  { title: 'Amount', align: 'right', cell: ({ amount }) => formatDollars(amount) },
  {
    title: 'Date',
    isOneLine: true,
    cell: ({ created_at }) => <time dateTime={created_at}>{formatDate(created_at)}</time>,
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
]

function PurchaseTable({ page }: { page: Page<SoldPurchase> }) {
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
