// The screen of sales: figures, chart, and tables of a period.
import { CsvSeparatorField } from '../csv-separator.tsx'
import { useSearchParams } from 'react-router'
import { formats } from '#contract/catalog/formats.ts'
import type { SalesReport, ReportSums, ReportRequest } from '#contract/reports/sales.ts'
import {
  reportTable,
  type Cell,
  type ReportColumn,
  type ReportTable,
} from '#contract/reports/report-tables.ts'
import { Button } from '../../../components/button.tsx'
import {
  Choice,
  DayField,
  FilterSelect,
  titleOnPhone,
  useAskedSearch,
  Table,
  type Column,
} from '../../table.tsx'
import { StatCard, Card, LoadFailed } from '../../card.tsx'
import { formatCalendarDay, formatCount } from '../../../format/format.tsx'
import { useFormatMoney } from '../../../format/money.tsx'
import { besideSold } from '../sold-in-words.ts'
import { averageOrder, inPercent, share } from './ratios.ts'
import { hasSeveralYears, stepName, nameBefore } from './period-names.ts'
import { chartOfReport, RevenueChart } from './chart.tsx'
import { useState } from 'react'
import { countryName } from '#contract/orders/postal.ts'
import { Badge } from '../../../components/note.tsx'
import { ExportButton, adminClient, loadPage } from '../calls.tsx'
import { fromCents, toCents } from '#contract/money.ts'
import type { ReportsApi } from '#domains/reports/reports.routes.ts'
import type { Route } from './+types/sales.ts'

const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'month', label: 'This month' },
  { value: 'last_month', label: 'Last month' },
  { value: 'year', label: 'This year' },
]
const ownDays = { value: 'days', label: 'Other days' }

function ReportBar({ report }: { report: Pick<SalesReport, 'from' | 'to'> | undefined }) {
  const [, setSearch] = useSearchParams()
  const search = useAskedSearch()
  const isOwn = search.has('from') || search.has('to')
  const from = search.get('from') ?? report?.from ?? ''
  const to = search.get('to') ?? report?.to ?? ''
  function ask(days: Record<string, string>) {
    const { from: _from, to: _to, range: _range, ...rest } = Object.fromEntries(search)
    setSearch({ ...rest, ...days }, { replace: true, preventScrollReset: true })
  }
  return (
    <div role="group" aria-label="Filters" className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
      <Choice
        label="Period"
        isLabelShown
        options={isOwn ? [...periods, ownDays] : periods}
        value={isOwn ? ownDays.value : (search.get('range') ?? '30')}
        onPick={(range) => ask({ range })}
      />
      <FilterSelect
        label="Compare with"
        isLabelShown
        name="compare"
        all="The period before"
        options={[{ value: 'year', label: 'The year before' }]}
      />
      <DayField
        label="From"
        day={from}
        required
        isAbove
        onPick={(day) => ask({ from: day, to: day > to ? day : to })}
      />
      <DayField
        label="To"
        day={to}
        required
        isAbove
        onPick={(day) => ask({ from: day < from ? day : from, to: day })}
      />
      <FilterSelect
        label="Step"
        isLabelShown
        name="by"
        all="Automatic"
        options={[
          { value: 'day', label: 'By day' },
          { value: 'week', label: 'By week' },
          { value: 'month', label: 'By month' },
        ]}
      />
      <FilterSelect label="Format" isLabelShown name="format" all="All formats" options={formats} />
    </div>
  )
}

/** Each figure above that of the period before. */
function ReportCards({ total, before }: Pick<SalesReport, 'total' | 'before'>) {
  const formatMoney = useFormatMoney()
  const money = (amount: number | null) => (amount === null ? '–' : formatMoney(amount))
  const refundRate = ({ refunded, gross }: ReportSums) => inPercent(share(refunded, gross))
  const paidRate = ({ paid, begun }: ReportSums) => inPercent(share(paid, begun))
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5">
      <StatCard name="Revenue" value={money(total.revenue)} hint={`Before: ${money(before.revenue)}`} />
      <StatCard name="Sold" value={formatCount(total.sold)} hint={`Before: ${formatCount(before.sold)}`} />
      <StatCard
        name="Average order"
        value={money(averageOrder(total))}
        hint={`Before: ${money(averageOrder(before))}`}
      />
      <StatCard
        name="Refund rate"
        value={refundRate(total)}
        hint={`${money(total.refunded)} of ${money(total.gross)}. Before: ${refundRate(before)}`}
      />
      <StatCard
        name="Checkouts paid"
        value={paidRate(total)}
        hint={`${formatCount(total.paid)} of ${formatCount(total.begun)} begun. Before: ${paidRate(before)}`}
      />
    </dl>
  )
}

function LinkTax({ total: { revenue, link_tax } }: Pick<SalesReport, 'total'>) {
  const formatMoney = useFormatMoney()
  if (link_tax === 0) return null
  const without = fromCents(toCents(revenue) - toCents(link_tax))
  return (
    <p className="text-sm text-soft">
      Of this revenue, Link’s tax: {formatMoney(link_tax)}. Without it: {formatMoney(without)}. The sums by
      discount code and by country have it inside.
    </p>
  )
}

function CountedApart({ total }: Pick<SalesReport, 'total'>) {
  const parts = besideSold(total, { isGivenAway: false })
  if (parts.length === 0) return null
  return <p className="text-sm text-soft">Counted apart, and not in these figures: {parts.join(' and ')}.</p>
}

const maxRows = 12

type ReportTableCardProps = {
  report: SalesReport
  table: ReportTable
  /** The word for a row, as "day": "By day", "Sales by day". */
  by: string
  format: SalesReport['by_format'][number]['format'] | undefined
  empty: string
}

function ReportTableCard({ report, table, by, format, empty }: ReportTableCardProps) {
  const [isWhole, setIsWhole] = useState(false)
  const cellIn = useCells(report)
  const { columns, rows } = reportTable(report, table)
  const shown = isWhole ? rows : rows.slice(0, maxRows)
  const { compare } = report.before
  const { from, to } = report
  const request = { list: 'sales', table, from, to, by: report.by, format, range: '30', compare } as const
  return (
    <Card
      title={`By ${by}`}
      action={
        rows.length > 0 && (
          <ExportButton request={request} name={`Download sales by ${by} (CSV)`}>
            Download
          </ExportButton>
        )
      }
    >
      {rows.length === 0 && <p className="px-5 py-4 text-soft">{empty}</p>}
      {rows.length > 0 && (
        <Table
          label={`Sales by ${by}`}
          rows={shown}
          rowKey={([first]) => `${first}`}
          columns={columns.flatMap((column, at): Column<Cell[]>[] => {
            if (!isAlwaysShown(column) && rows.every((row) => !row[at])) return []
            const align = at > 0 ? 'right' : undefined
            const onPhone = at === 0 ? titleOnPhone : (placesOnPhone[column.name] ?? 'max-sm:hidden')
            return [{ title: column.title, align, onPhone, cell: (row) => cellIn(column, row[at] ?? null) }]
          })}
        />
      )}
      {rows.length > shown.length && (
        <div className="border-t border-line px-5 py-3">
          <Button look="quiet" className="-ml-5" onClick={() => setIsWhole(true)}>
            Show all {formatCount(rows.length)}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** The others are in the file, and on wider screens. */
const placesOnPhone: Record<string, string> = {
  sold: "max-sm:order-1 max-sm:after:ml-1 max-sm:after:text-soft max-sm:after:content-['sold']",
  free: "max-sm:order-3 max-sm:after:ml-1 max-sm:after:text-soft max-sm:after:content-['free']",
  revenue: 'max-sm:order-1 max-sm:w-24 max-sm:text-right',
}

function isAlwaysShown({ kind, name }: ReportColumn): boolean {
  return (kind !== 'count' && kind !== 'money') || name === 'sold' || name === 'revenue'
}

/** Nothing for a zero but in the columns that each row has. */
function useCells({ steps, by }: SalesReport) {
  const formatMoney = useFormatMoney()
  const hasYears = hasSeveralYears(steps)
  return (column: ReportColumn, cell: Cell) => {
    const { kind } = column
    if (kind === 'country') return cell === null ? 'Unknown' : countryName(`${cell}`)
    if (kind === 'format') return <Badge>{cell}</Badge>
    if (kind === 'day') return stepName(`${cell}`, by, hasYears)
    if (typeof cell !== 'number') return cell
    if (cell === 0 && !isAlwaysShown(column)) return null
    return kind === 'money' ? formatMoney(cell) : formatCount(cell)
  }
}

const api = adminClient<ReportsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch sales data', request, (query: Partial<ReportRequest>) =>
    api.sales.report.$get({ query }),
  )
}

export default function AdminSales({ loaderData: report }: Route.ComponentProps) {
  return (
    <div className="grid gap-6">
      <ReportBar report={report} />
      {!report && <LoadFailed card="Revenue" title="The figures could not be loaded" />}
      {report && <Figures report={report} />}
      <ExportCard days={report && { from: report.from, to: report.to }} />
    </div>
  )
}

function Figures({ report }: { report: SalesReport }) {
  const format = useAskedFormat()
  const tables = { report, format }
  return (
    <>
      <ReportCards {...report} />
      <LinkTax {...report} />
      <CountedApart {...report} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 gap-6">
          <Card title="Revenue">
            <RevenueChart chart={chartOfReport(report)} />
          </Card>
          <ReportTableCard {...tables} table="steps" by={report.by} empty="" />
        </div>
        <div className="grid min-w-0 gap-6">
          <ReportTableCard {...tables} table="formats" by="format" empty="Nothing was sold in these days." />
          <ReportTableCard
            {...tables}
            table="codes"
            by="discount code"
            empty="No code was used in these days."
          />
          <ReportTableCard
            {...tables}
            table="countries"
            by="country"
            empty="No country is known in these days."
          />
        </div>
      </div>
      <Explanation {...report} />
    </>
  )
}

function Explanation(report: SalesReport) {
  const { time_zone, before } = report
  return (
    <p className="text-sm text-soft">
      Days begin at midnight in {time_zone}. “Before” is {nameBefore(report)},{' '}
      {formatCalendarDay(before.from)} to {formatCalendarDay(before.to)}. Refunds, and disputes that took
      money, count on the day they were made; “Sold” leaves out what was refunded in full. Checkouts count on
      the day they were begun. A country is where the parcel goes, otherwise where the order was paid from.
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
            Orders of these days{format && <span>{`, ${format} only`}</span>}
          </ExportButton>
        )}
        <ExportButton request={{ list: 'purchases' }}>All orders</ExportButton>
        <ExportButton request={{ list: 'users' }}>All readers</ExportButton>
      </div>
      <div className="max-w-md px-5 pt-4">
        <CsvSeparatorField />
      </div>
      <p className="px-5 pt-3 pb-4 text-sm text-soft">
        Refunded purchases are included; a column says how much of each was kept. Orders have their tax, and
        where their parcels go.
      </p>
    </Card>
  )
}
