import { useSearchParams } from 'react-router'
import { formats } from '#features/products/contract/products.ts'
import type { ChartRequest, SalesChart } from '#features/reports/contract/sales.ts'
import type { ReportsApi } from '#features/reports/routes.ts'
import { formatCount } from '../../../format.ts'
import { Money } from '../../../money.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { Table, type Column } from '../../../components/table.tsx'
import { ExportButton } from '../export-button.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import type { Route } from './+types/sales.ts'
import { SalesChartView } from './chart.tsx'
import { RangeBar } from './range-bar.tsx'
import { dayName } from './labels.ts'

const api = adminClient<ReportsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch sales data', request, (query: Partial<ChartRequest>) =>
    api.sales.chart.$get({ query }),
  )
}

export default function AdminSales({ loaderData: chart }: Route.ComponentProps) {
  return (
    <div className="grid gap-6">
      <RangeBar chart={chart} />
      {!chart && <LoadFailed card="Revenue" title="The figures could not be loaded" />}
      {chart && <Figures chart={chart} />}
      <ExportCard days={chart && { from: chart.from, to: chart.to }} />
    </div>
  )
}

function Figures({ chart }: { chart: SalesChart }) {
  const { from, to, time_zone, by_format } = chart
  return (
    <>
      <Card
        title="Revenue"
        action={<p className="text-sm text-soft">{`${dayName(from)} – ${dayName(to)}`}</p>}
      >
        <SalesChartView chart={chart} />
      </Card>
      <Card title="By format">
        {by_format.length > 0 ? (
          <Table
            label="Sales by format"
            rows={by_format}
            rowKey={({ format }) => format}
            columns={formatColumns}
          />
        ) : (
          <p className="px-5 py-4 text-soft">Nothing was sold in these days.</p>
        )}
      </Card>
      <p className="text-sm text-soft">
        Days begin at midnight in {time_zone}. Refunds count on the day they were made.
      </p>
    </>
  )
}

const formatColumns: Column<SalesChart['by_format'][number]>[] = [
  { title: 'Format', cell: ({ format }) => <Badge>{format}</Badge> },
  { title: 'Purchases', align: 'right', cell: ({ purchases }) => formatCount(purchases) },
  { title: 'Completed', align: 'right', cell: ({ completed }) => formatCount(completed) },
  { title: 'Revenue', align: 'right', cell: ({ revenue }) => <Money amount={revenue} /> },
]

function ExportCard({ days }: { days: { from: string; to: string } | undefined }) {
  const [search] = useSearchParams()
  const format = formats.find((each) => each === search.get('format'))
  return (
    <Card title="Export">
      <div className="flex flex-wrap gap-3 px-5 pt-4">
        {days && (
          <ExportButton request={{ list: 'purchases', ...days, format }}>
            Purchases of these days{format && `, ${format} only`}
          </ExportButton>
        )}
        <ExportButton request={{ list: 'purchases' }}>All purchases</ExportButton>
        <ExportButton request={{ list: 'users' }}>All users</ExportButton>
      </div>
      <p className="px-5 pt-3 pb-4 text-sm text-soft">
        CSV files for any spreadsheet. Refunded purchases are included; a column says how much of each was
        kept.
      </p>
    </Card>
  )
}
