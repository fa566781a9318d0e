import { useSearchParams } from 'react-router'
import { formats } from '#contract/catalog/products.ts'
import type { ReportRequest, SalesReport } from '#contract/operations/sales.ts'
import type { ReportsApi } from '#domains/operations/reports.routes.ts'
import { Card } from '../../../components/card.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { ExportButton } from '../export-button.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import type { Route } from './+types/sales.ts'
import { chartOfReport } from './chart-data.ts'
import { RevenueChart } from './chart.tsx'
import { RangeBar } from './range-bar.tsx'
import { CountedApart, ReportCards } from './report-cards.tsx'
import { ReportTableCard } from './report-table.tsx'
import { dayName, daysBefore } from './labels.ts'

const api = adminClient<ReportsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch sales data', request, (query: Partial<ReportRequest>) =>
    api.sales.report.$get({ query }),
  )
}

export default function AdminSales({ loaderData: report }: Route.ComponentProps) {
  return (
    <div className="grid gap-6">
      <RangeBar chart={report} />
      {!report && <LoadFailed card="Revenue" title="The figures could not be loaded" />}
      {report && <Figures report={report} />}
      <ExportCard days={report && { from: report.from, to: report.to }} />
    </div>
  )
}

function Figures({ report }: { report: SalesReport }) {
  const { from, to, by } = report
  const format = useAskedFormat()
  const tables = { report, format }
  return (
    <>
      <ReportCards {...report} />
      <CountedApart {...report} />
      <Card
        title="Revenue"
        action={<p className="text-sm text-soft">{`${dayName(from)} – ${dayName(to)}`}</p>}
      >
        <RevenueChart chart={chartOfReport(report)} />
      </Card>
      <ReportTableCard {...tables} table="steps" by={by} empty="" />
      <ReportTableCard {...tables} table="formats" by="format" empty="Nothing was sold in these days." />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <ReportTableCard
          {...tables}
          table="countries"
          by="country"
          empty="No country is known in these days."
        />
        <ReportTableCard
          {...tables}
          table="codes"
          by="discount code"
          empty="No code was used in these days."
        />
      </div>
      <Explanation {...report} />
    </>
  )
}

function Explanation({ time_zone, before }: SalesReport) {
  return (
    <p className="text-sm text-soft">
      Days begin at midnight in {time_zone}. “Before” is {daysBefore(before.days)}, {dayName(before.from)} to{' '}
      {dayName(before.to)}. Refunds, and disputes that took money, count on the day they were made; “Sold”
      leaves out what was refunded in full. Checkouts count on the day they were begun. A country is where the
      parcel goes, otherwise where the order was paid from.
    </p>
  )
}

function useAskedFormat() {
  const [search] = useSearchParams()
  return formats.find((each) => each === search.get('format'))
}

function ExportCard({ days }: { days: { from: string; to: string } | undefined }) {
  const format = useAskedFormat()
  return (
    <Card title="Export">
      <div className="flex flex-wrap gap-3 px-5 pt-4">
        {days && (
          <ExportButton request={{ list: 'purchases', ...days, format }}>
            Purchases of these days{format && <span>{`, ${format} only`}</span>}
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
