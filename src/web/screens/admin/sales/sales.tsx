// What was sold in a range of days: its course, its formats, and the list to take away.
import { Download } from 'lucide-react'
import { useNavigation, useSearchParams } from 'react-router'
import type { ExportRequest } from '#contract/exports.ts'
import { formats, type Format } from '#contract/products.ts'
import type { SalesChart } from '#contract/sales.ts'
import type { ExportsApi } from '#server/api/exports.ts'
import type { SalesApi } from '#server/api/sales.ts'
import { answerOf, deskClient } from '../../../api.ts'
import { failure, notices } from '../../../copy.ts'
import { formatCount, formatDollars } from '../../../format.ts'
import { save } from '../../../save.ts'
import { toast } from '../../../toasts.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Failed } from '../../../ui/note.tsx'
import { FilterSelect, useNarrowing } from '../../../ui/search-field.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { load } from '../load.ts'
import type { Route } from './+types/sales.ts'
import { SalesChartView } from './chart.tsx'
import { askedRange, rangeOfDays } from './range.ts'

const salesApi = deskClient<SalesApi>()
const exportsApi = deskClient<ExportsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const search = new URL(request.url).searchParams
  const format = search.get('format') as Format | null
  const query = { ...askedRange(search), ...(format && { format }) }
  return load(notices.salesFailed, () => answerOf(salesApi.sales.chart.$get({ query })))
}

export default function DeskSales({ loaderData: chart }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const range = askedRange(search)
  return (
    <div className="grid gap-6" aria-busy={useNavigation().state !== 'idle'}>
      <RangeBar />
      {!chart && <Failed title="The figures could not be loaded" />}
      {chart && (
        <>
          <Card title="Revenue">
            <SalesChartView chart={chart} by={range.by} />
          </Card>
          <Card title="By format">
            <FormatTable chart={chart} />
          </Card>
          <p className="text-sm text-soft">
            Days begin at midnight in {chart.time_zone}. What was given back counts on the day it went back.
          </p>
        </>
      )}
      <Lists from={range.from} to={range.to} />
    </div>
  )
}

const presets = [
  { title: '7 days', range: () => rangeOfDays(7) },
  { title: '30 days', range: () => rangeOfDays(30) },
  { title: '90 days', range: () => rangeOfDays(90) },
  { title: 'This year', range: () => ({ from: `${new Date().getFullYear()}-01-01`, to: rangeOfDays(1).to }) },
]

function RangeBar() {
  const [search, setSearch] = useSearchParams()
  const [, narrow] = useNarrowing()
  const { from, to } = askedRange(search)
  const dayField = 'min-h-11 rounded-md border border-ink/45 bg-surface px-3'
  return (
    <div className="flex flex-wrap items-center gap-2">
      {presets.map(({ title, range }) => {
        const wanted = range()
        const isChosen = wanted.from === from && wanted.to === to
        return (
          <Button
            key={title}
            look={isChosen ? 'primary' : 'outline'}
            aria-pressed={isChosen}
            onClick={() => setSearch({ ...Object.fromEntries(search), ...wanted, by: '' }, { replace: true })}
          >
            {title}
          </Button>
        )
      })}
      <label className="flex items-center gap-2 text-sm text-soft">
        From
        <input
          type="date"
          className={dayField}
          value={from}
          max={to}
          onChange={(e) => narrow('from', e.target.value)}
        />
      </label>
      <label className="flex items-center gap-2 text-sm text-soft">
        To
        <input
          type="date"
          className={dayField}
          value={to}
          min={from}
          onChange={(e) => narrow('to', e.target.value)}
        />
      </label>
      <FilterSelect
        label="Steps"
        name="by"
        options={[
          { value: '', label: 'Fitting steps' },
          { value: 'day', label: 'By day' },
          { value: 'week', label: 'By week' },
          { value: 'month', label: 'By month' },
        ]}
      />
      <FilterSelect
        label="Format"
        name="format"
        options={[{ value: '', label: 'All formats' }, ...formats.map((value) => ({ value, label: value }))]}
      />
    </div>
  )
}

const formatColumns: Column<SalesChart['by_format'][number]>[] = [
  { title: 'Format', cell: ({ format }) => <Badge>{format}</Badge> },
  { title: 'Purchases', align: 'right', cell: ({ purchases }) => formatCount(purchases) },
  { title: 'Completed', align: 'right', cell: ({ completed }) => formatCount(completed) },
  { title: 'Revenue', align: 'right', cell: ({ revenue }) => formatDollars(revenue) },
]

function FormatTable({ chart }: { chart: SalesChart }) {
  if (chart.by_format.length === 0)
    return <p className="px-5 py-4 text-soft">Nothing was sold in these days.</p>
  return (
    <Table
      label="Sales by format"
      rows={chart.by_format}
      rowKey={({ format }) => format}
      columns={formatColumns}
    />
  )
}

function Lists({ from, to }: { from: string; to: string }) {
  async function take(request: ExportRequest) {
    try {
      save((await answerOf(exportsApi.exports.$post({ json: request }))).url)
    } catch (error) {
      toast(failure('Export Failed', error))
    }
  }
  return (
    <Card title="Lists to take away">
      <div className="flex flex-wrap gap-3 px-5 py-4">
        <Button look="outline" onClick={() => void take({ list: 'purchases', from, to })}>
          <Download aria-hidden className="size-4.5" />
          Purchases of these days (CSV)
        </Button>
        <Button look="outline" onClick={() => void take({ list: 'purchases' })}>
          <Download aria-hidden className="size-4.5" />
          All purchases (CSV)
        </Button>
        <Button look="outline" onClick={() => void take({ list: 'users' })}>
          <Download aria-hidden className="size-4.5" />
          All users (CSV)
        </Button>
      </div>
    </Card>
  )
}
