// What is to be shipped, oldest first, and what was: chosen, printed, sent off.
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  shipmentViews,
  shippedFormats,
  type ShipmentList,
  type ShipmentListRequest,
  type ShipmentView,
} from '#features/shipping/contract/admin-shipments.ts'
import { responseOf, searchQuery } from '../../../api.ts'
import { formatCount } from '../../../format.ts'
import { Card } from '../../../components/card.tsx'
import { Failed } from '../../../components/note.tsx'
import { FilterSelect } from '../../../components/search-field.tsx'
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
        <Card>
          <Failed title="The shipments could not be loaded" />
        </Card>
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
  const shape =
    'flex min-h-11 items-center justify-center gap-2 rounded-sm px-4 font-semibold text-soft hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_-3px_0_var(--color-gold-text)] forced-colors:aria-[current=page]:underline'
  return (
    <nav
      aria-label="Shipments"
      className="grid grow auto-cols-fr grid-flow-col gap-1 rounded-md border border-edge bg-ink/7 p-1 sm:grow-0"
    >
      {shipmentViews.map((view) => (
        <Link key={view} to={to(view)} className={shape} aria-current={view === current ? 'page' : undefined}>
          {views[view].title}
          {view === 'to_ship' && page && (
            <span className="rounded-full bg-ink/10 px-2 py-0.5 text-sm leading-5 tabular-nums">
              {formatCount(page.to_ship.count)}
              {page.to_ship.isMore && '+'}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
