// The screen of parcels to ship.
import { Time, formatCalendarDay, formatDate, formatCount } from '../../../format/format.tsx'
import { Truck } from '../../../components/icons.tsx'
import { PackageCheck, Printer } from '../../../components/further-icons.tsx'
import type { BoundedCount } from '#contract/fields.ts'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  type AdminShipment,
  type ShipmentList,
  shipmentViews,
  shippedFormats,
  type ShipmentListRequest,
  type ShipmentView,
} from '#contract/orders/admin-orders.ts'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { Note } from '../../../components/note.tsx'
import { Pager, Table, type Column, FilterSelect, ViewLinks } from '../../table.tsx'
import { addressColumn, bookColumn, orderColumn, parcelName } from './parcels.tsx'
import ShipDialog, { AfterShipping } from './ship-dialog.tsx'
import type { ShipmentsApi } from '#domains/orders/shipments.routes.ts'
import { StatusBadge } from '../../../purchase/status-badge.tsx'
import { Tracking } from '../../../purchase/tracking.tsx'
import { adminClient, loadPage } from '../calls.tsx'
import { TableCard } from '../list-screen.tsx'
import type { Route } from './+types/shipping.ts'

type ListProps = { page: ShipmentList }

function ToShip({ page }: ListProps) {
  return <Waiting page={page} label="To ship" columns={columns} empty={<NothingToShip page={page} />} />
}

function PreOrders({ page }: ListProps) {
  return (
    <Waiting page={page} label="Pre-orders" columns={[...columns, releaseColumn]} empty={<NoPreOrder />}>
      <p className="border-b border-line px-4 py-3 text-sm text-pretty text-soft">
        These books are not out yet. Their parcels may leave before the day; on the day they move to To ship.
      </p>
    </Waiting>
  )
}

type WaitingProps = ListProps & {
  label: string
  columns: readonly Column<AdminShipment>[]
  empty: ReactNode
  children?: ReactNode
}

function Waiting({ page: { items, next }, label, columns, empty, children }: WaitingProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [leaving, setLeaving] = useState<readonly AdminShipment[]>()
  // The choice has only what is still in the list: another admin may have shipped the rest.
  const chosen = items.filter(({ purchase_id }) => ticked.has(purchase_id))
  function tick(ids: readonly string[], isTicked: boolean) {
    const others = [...ticked].filter((id) => !ids.includes(id))
    setTicked(new Set(isTicked ? [...others, ...ids] : others))
  }
  if (items.length === 0) return empty
  const all = items.map(({ purchase_id }) => purchase_id)
  return (
    <Card>
      {children}
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
        <label className="flex min-h-11 items-center gap-3 text-sm font-semibold">
          <Tick
            isOn={chosen.length === items.length}
            isPart={chosen.length > 0}
            onTurn={(isOn) => tick(all, isOn)}
          />
          {chosen.length > 0 ? `${chosen.length} of ${items.length} chosen` : 'Choose all'}
        </label>
        <BatchActions chosen={chosen} onShip={() => setLeaving(chosen)} />
      </div>
      <Table
        label={label}
        rows={items}
        rowKey={({ purchase_id }) => purchase_id}
        columns={[tickColumn(ticked, tick), ...columns, shipColumn((row) => setLeaving([row]))]}
      />
      <Pager next={next} />
      {leaving && (
        <ShipDialog
          parcels={leaving.map((row) => ({
            purchase_id: row.purchase_id,
            name: parcelName(row),
            address: row.address,
            is_test: row.is_test,
            updated_at: row.updated_at,
          }))}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  )
}

const columns: Column<AdminShipment>[] = [
  orderColumn,
  addressColumn,
  bookColumn,
  {
    title: 'Bought',
    cell: ({ created_at }) => <Time at={created_at} format={formatDate} className="whitespace-nowrap" />,
  },
]

const releaseColumn: Column<AdminShipment> = {
  title: 'Out on',
  cell: ({ release_on }) =>
    release_on && (
      <span className="font-semibold whitespace-nowrap tabular-nums">{formatCalendarDay(release_on)}</span>
    ),
}

type Tickable = (ids: readonly string[], isTicked: boolean) => void

function tickColumn(ticked: ReadonlySet<string>, tick: Tickable): Column<AdminShipment> {
  return {
    title: 'Choose',
    cell: (row) => (
      <span className="-my-2 grid size-11 place-items-center max-sm:-mr-3 sm:-ml-3">
        <Tick
          label={`Choose parcel ${parcelName(row)}`}
          isOn={ticked.has(row.purchase_id)}
          onTurn={(isOn) => tick([row.purchase_id], isOn)}
        />
      </span>
    ),
  }
}

function shipColumn(onShip: (row: AdminShipment) => void): Column<AdminShipment> {
  return {
    title: 'Action',
    align: 'right',
    cell: (row) => (
      <Button
        look="outline"
        aria-label={`Ship parcel ${parcelName(row)}`}
        className="-my-1 px-4!"
        onClick={() => onShip(row)}
      >
        Ship
      </Button>
    ),
  }
}

type BatchActionsProps = { chosen: readonly AdminShipment[]; onShip: () => void }

function BatchActions({ chosen, onShip }: BatchActionsProps) {
  const ids = chosen.map(({ purchase_id }) => purchase_id).join(',')
  return (
    <p className="flex flex-wrap gap-2 max-sm:w-full">
      {chosen.length > 0 ? (
        <ButtonLink look="outline" to={`/admin/shipping/slips?ids=${ids}`} className="px-4! max-sm:grow">
          <Printer aria-hidden className="size-4.5" />
          Packing slips
        </ButtonLink>
      ) : (
        <Button look="outline" disabled className="px-4! max-sm:grow">
          <Printer aria-hidden className="size-4.5" />
          Packing slips
        </Button>
      )}
      <Button disabled={chosen.length === 0} className="px-4! max-sm:grow" onClick={onShip}>
        <Truck aria-hidden className="size-4.5" />
        Mark as shipped
      </Button>
    </p>
  )
}

type TickProps = { label?: string; isOn: boolean; isPart?: boolean; onTurn: (isOn: boolean) => void }

function Tick({ label, isOn, isPart = false, onTurn }: TickProps) {
  return (
    <input
      ref={(input) => {
        if (input) input.indeterminate = isPart && !isOn
      }}
      type="checkbox"
      aria-label={label}
      className="tick"
      checked={isOn}
      onChange={({ target }) => onTurn(target.checked)}
    />
  )
}

function NothingToShip({ page: { pre_orders } }: ListProps) {
  const [search] = useSearchParams()
  const which = pre_orders.count > 0 ? 'Every book on paper that is out and' : 'Every book on paper that'
  return (
    <Card>
      <Note icon={PackageCheck} title="Nothing to ship">
        {search.get('format')
          ? 'No parcel of this format waits.'
          : `${which} was paid for has left. The next one appears here.`}
      </Note>
    </Card>
  )
}

function NoPreOrder() {
  const [search] = useSearchParams()
  return (
    <Card>
      <Note icon={PackageCheck} title="No pre-order waits">
        {search.get('format')
          ? 'No pre-order of this format waits.'
          : 'Parcels of books that are not out yet stand here until their day.'}
      </Note>
    </Card>
  )
}

const api = adminClient<ShipmentsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch shipments', request, (query: ShipmentListRequest) =>
    api.shipments.$get({ query }),
  )
}

const views: Record<ShipmentView, { title: string; List: (props: ListProps) => ReactNode }> = {
  to_ship: { title: 'To ship', List: ToShip },
  pre_orders: { title: 'Pre-orders', List: PreOrders },
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
        <FilterSelect label="Format" name="format" all="All formats" options={shippedFormats} />
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
  const counts: Partial<Record<ShipmentView, BoundedCount>> = page ?? {}
  const hasPreOrders = current === 'pre_orders' || (page && page.pre_orders.count > 0)
  return (
    <ViewLinks
      label="Shipments"
      views={shipmentViews
        .filter((view) => view !== 'pre_orders' || hasPreOrders)
        .map((view) => ({
          to: to(view),
          title: views[view].title,
          isCurrent: view === current,
          count: inWords(counts[view]),
        }))}
    />
  )
}

const inWords = (counted: BoundedCount | undefined) =>
  counted && `${formatCount(counted.count)}${counted.isMore ? '+' : ''}`

function Shipped({ page }: ListProps) {
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
      <span className="-my-2 inline-flex flex-wrap justify-end xl:flex-nowrap">
        <AfterShipping purchase_id={row.purchase_id} name={parcelName(row)} shipment={row} />
      </span>
    ),
  },
]
