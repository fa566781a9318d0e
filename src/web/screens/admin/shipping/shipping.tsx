import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  shipmentViews,
  shippedFormats,
  type ShipmentList,
  type ShipmentListRequest,
  type ShipmentView,
} from '#features/shipping/contract/admin-shipments.ts'
import { responseOf, searchQuery } from '../../../api.ts'
import { formatCount } from '../../../format.ts'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { FilterSelect } from '../../../components/search-field.tsx'
import { ViewLinks } from '../../../components/view-links.tsx'
import { load } from '../load.ts'
import type { Route } from './+types/shipping.ts'
import { api, submitAction } from './actions.ts'
import { Shipped } from './shipped.tsx'
import { ToShip } from './to-ship.tsx'
import { adminNotices } from '../notices.ts'

export { NotHere as ErrorBoundary } from '../not-here.tsx'

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = searchQuery<ShipmentListRequest>(new URL(request.url).searchParams)
  return load(adminNotices.shipmentsFailed, () => responseOf(api.shipments.$get({ query })))
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return submitAction(await request.formData())
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
        <FilterSelect
          label="Format"
          name="format"
          options={[
            { value: '', label: 'Every format' },
            ...shippedFormats.map((value) => ({ value, label: value })),
          ]}
        />
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
