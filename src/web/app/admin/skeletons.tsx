// The shapes that stand in place of a screen while it loads for the first time: figures, a list, or a form.
import { Bar } from '../card.tsx'
import { adminViews } from './admin-views.ts'

const box = 'rounded-md border border-line bg-surface'

/** These screens show figures above their lists. */
const figures = new Set(['/admin', '/admin/sales'])
/** These are in the navigation, and are no lists. */
const forms = new Set(['/admin/book', '/admin/settings', '/admin/backups'])
const lists = new Set(adminViews.map(({ to }) => to).filter((to) => !figures.has(to) && !forms.has(to)))

export function Skeleton({ pathname }: { pathname: string }) {
  const path = pathname.replace(/(?<=.)\/$/, '')
  if (figures.has(path)) return <FiguresSkeleton />
  return lists.has(path) ? <ListSkeleton /> : <FormSkeleton />
}

const rows = (count: number) => Array.from({ length: count }, (_, at) => at)

function FiguresSkeleton() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className={`${box} grid gap-4 px-5 py-5`}>
        <Bar className="h-5 w-24" />
        <Bar className="h-8 w-64" />
      </div>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {rows(4).map((card) => (
          <div key={card} className={`${box} grid gap-2.5 px-4 py-4 sm:px-5`}>
            <Bar className="h-4 w-24" />
            <Bar className="h-7 w-16" />
          </div>
        ))}
      </div>
      <RowsSkeleton count={4} />
    </div>
  )
}

function ListSkeleton() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="h-11 w-full rounded-md border border-line sm:max-w-96" />
      <RowsSkeleton count={8} />
    </div>
  )
}

function RowsSkeleton({ count }: { count: number }) {
  return (
    <div className={`${box} divide-y divide-line`}>
      <div className="px-5 py-4">
        <Bar className="h-5 w-36" />
      </div>
      {rows(count).map((row) => (
        <div key={row} className="flex justify-between gap-6 px-5 py-3.5">
          <Bar className="h-4 w-1/2" />
          <Bar className="h-4 w-1/6" />
        </div>
      ))}
    </div>
  )
}

function FormSkeleton() {
  return (
    <div className={`${box} max-w-184`}>
      <div className="border-b border-line px-5 py-4">
        <Bar className="h-5 w-36" />
      </div>
      <div className="grid gap-6 px-5 py-5">
        {rows(4).map((field) => (
          <div key={field} className="grid gap-2">
            <Bar className="h-4 w-28" />
            <div className="h-11 rounded-md border border-line" />
          </div>
        ))}
      </div>
    </div>
  )
}
