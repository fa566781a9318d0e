import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  shipmentViews,
  shippedFormats,
  type AdminShipment,
  type ShipmentList,
  type ShipmentListRequest,
  type ShipmentView,
} from '#contract/orders/admin-shipments.ts'
import type { ShipmentsApi } from '#domains/orders/shipping.routes.ts'
import { Time } from '../../../time.tsx'
import { formatCount, formatDate } from '../../../format.ts'
import { StatusBadge } from '../../../status-badge.tsx'
import { Tracking } from '../../../tracking.tsx'
import { Truck } from '../../../components/icons.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { Note } from '../../../components/note.tsx'
import { FilterSelect } from '../../../components/search-field.tsx'
import type { Column } from '../../../components/table.tsx'
import { ViewLinks } from '../../../components/view-links.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import { TableCard } from '../list-card.tsx'
import type { Route } from './+types/shipping.ts'
import { AfterShipping } from './after-shipping.tsx'
import { addressColumn, bookColumn, orderColumn, parcelName } from './columns.tsx'
import { ToShip } from './to-ship.tsx'

const api = adminClient<ShipmentsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch shipments', request, (query: ShipmentListRequest) =>
    api.shipments.$get({ query }),
  )
}

const views: Record<ShipmentView, { title: string; List: (props: { page: ShipmentList }) => ReactNode }> = {
  to_ship: { title: 'To ship', List: ToShip },
  shipped: { title: 'Shipped', List: Shipped },
}

export default function Shipping({ loaderData: page }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const view = shipmentViews.find((each) => each === search.get('view')) ?? 'to_ship'
  const { title, List } = views[view]
  return (
    <div className="grid gap-5">
      <h2 className="sr-only">{title}</h2>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Views page={page} current={view} />
        <FilterSelect label="Format" name="format" all="Every format" options={shippedFormats} />
      </div>
      {page ? (
        <List key={search.toString()} page={page} />
      ) : (
        <LoadFailed title="The shipments could not be loaded" />
      )}
    </div>
  )
}

type ViewsProps = { page: ShipmentList | undefined; current: ShipmentView }

function Views({ page, current }: ViewsProps) {
  const [search] = useSearchParams()
  const format = search.get('format')
  const to = (view: ShipmentView) =>
    `?${new URLSearchParams({ ...(view !== 'to_ship' && { view }), ...(format && { format }) })}`
  const toShip = page && `${formatCount(page.to_ship.count)}${page.to_ship.isMore ? '+' : ''}`
  return (
    <ViewLinks
      label="Shipments"
      views={shipmentViews.map((view) => ({
        to: to(view),
        title: views[view].title,
        isCurrent: view === current,
        count: view === 'to_ship' && toShip,
      }))}
    />
  )
}

function Shipped({ page }: { page: ShipmentList }) {
  return (
    <TableCard
      page={page}
      failed="The shipments could not be loaded"
      empty={
        <Note icon={Truck} title="Nothing shipped yet">
          What you mark as shipped is kept here, with its tracking number.
        </Note>
      }
      label="Shipped"
      rowKey={({ purchase_id }) => purchase_id}
      columns={shippedColumns}
    />
  )
}

const shippedColumns: Column<AdminShipment>[] = [
  orderColumn,
  addressColumn,
  bookColumn,
  {
    title: 'Shipped',
    cell: ({ shipped_at, purchase_status }) => (
      <span className="flex flex-wrap gap-2 max-sm:justify-end">
        {shipped_at && <Time at={shipped_at} format={formatDate} className="whitespace-nowrap" />}
        {purchase_status !== 'completed' && <StatusBadge status={purchase_status} />}
      </span>
    ),
  },
  {
    title: 'Tracking',
    cell: (row) =>
      row.carrier || row.tracking_number ? (
        <span className="min-w-0">
          <Tracking {...row} />
        </span>
      ) : (
        <span className="text-soft">None</span>
      ),
  },
  {
    title: 'Actions',
    align: 'right',
    cell: (row) => (
      <span className="-my-2 inline-flex justify-end">
        <AfterShipping purchase_id={row.purchase_id} name={parcelName(row)} shipment={row} />
      </span>
    ),
  },
]
