// What is to be shipped, oldest first, and what was: chosen, printed, sent off.
import { Link, useSearchParams } from 'react-router'
import type { ShipmentList, ShipmentListRequest } from '#features/shipping/contract/admin-shipments.ts'
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

export default function Shipping({ loaderData: page }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const isShipped = search.get('state') === 'shipped'
  return (
    <div className="grid gap-5">
      <h2 className="sr-only">{isShipped ? 'Shipped' : 'To ship'}</h2>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Views page={page} isShipped={isShipped} />
        <FilterSelect
          label="Format"
          name="format"
          options={[
            { value: '', label: 'Every format' },
            ...['paperback', 'hardcover', 'bundle'].map((value) => ({ value, label: value })),
          ]}
        />
      </div>
      {!page && (
        <Card>
          <Failed title="The shipments could not be loaded" />
        </Card>
      )}
      {page && (isShipped ? <Shipped page={page} /> : <ToShip key={search.toString()} page={page} />)}
    </div>
  )
}

type ViewsProps = { page: ShipmentList | undefined; isShipped: boolean }

function Views({ page, isShipped }: ViewsProps) {
  const [search] = useSearchParams()
  const format = search.get('format')
  const to = (state: string) =>
    `?${new URLSearchParams({ ...(state && { state }), ...(format && { format }) })}`
  const shape =
    'flex min-h-11 items-center justify-center gap-2 rounded-sm px-4 font-semibold text-soft hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_-3px_0_var(--color-gold-text)] forced-colors:aria-[current=page]:underline'
  return (
    <nav
      aria-label="Shipments"
      className="grid grow auto-cols-fr grid-flow-col gap-1 rounded-md border border-edge bg-ink/7 p-1 sm:grow-0"
    >
      <Link to={to('')} className={shape} aria-current={isShipped ? undefined : 'page'}>
        To ship
        {page && (
          <span className="rounded-full bg-ink/10 px-2 py-0.5 text-sm leading-5 tabular-nums">
            {formatCount(page.to_ship.count)}
            {page.to_ship.isMore && '+'}
          </span>
        )}
      </Link>
      <Link to={to('shipped')} className={shape} aria-current={isShipped ? 'page' : undefined}>
        Shipped
      </Link>
    </nav>
  )
}
