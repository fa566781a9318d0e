import { useState, type ReactNode } from 'react'
import type { SalesChart } from '#contract/operations/sales.ts'
import { formatCount } from '../../../format.ts'
import { useFormatMoney } from '../../../money.tsx'
import { Button } from '../../../components/button.tsx'
import { Table } from '../../../components/table.tsx'
import { Bars } from './bars.tsx'
import { chartOfDays, type ChartData } from './chart-data.ts'
import { change, daysBefore, purchasesInWords, stepName } from './labels.ts'

/** The chart, and its table in the place of it. */
export function SalesChartView({ chart }: { chart: SalesChart }) {
  const [isTable, setIsTable] = useState(false)
  const button = (
    <Button look="quiet" className="-ml-5 text-sm sm:-mr-5 sm:ml-0" onClick={() => setIsTable(!isTable)}>
      {isTable ? 'Show as chart' : 'Show as table'}
    </Button>
  )
  return (
    <RevenueChart chart={chartOfDays(chart)} action={button}>
      {isTable && (
        <div className="-mx-5 mt-3 -mb-4 border-t border-line">
          <DayTable chart={chart} />
        </div>
      )}
    </RevenueChart>
  )
}

type RevenueChartProps = {
  chart: ChartData
  action?: ReactNode
  /** In the place of the bars. */
  children?: ReactNode
}

export function RevenueChart({ chart, action, children }: RevenueChartProps) {
  const [pointed, setPointed] = useState<number>()
  const { steps, by, before } = chart
  const formatMoney = useFormatMoney()
  // Another range may have come while one pointed at a step that it does not have.
  const step = pointed === undefined ? undefined : steps[pointed]
  return (
    <div className="px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div>
          <p className="text-xl font-semibold tabular-nums">{formatMoney((step ?? chart.total).revenue)}</p>
          <p className="text-sm text-soft tabular-nums">
            {purchasesInWords((step ?? chart.total).purchases)}
            {' · '}
            {step ? stepName(step.day, by) : change(chart, formatMoney)}
          </p>
        </div>
        {action}
      </div>
      {children || (
        <>
          <Bars chart={chart} pointed={step && pointed} onPoint={setPointed} />
          {before.steps.some((amount) => amount !== 0) && (
            <p aria-hidden className="mt-2 flex items-center justify-center gap-2 text-sm text-soft">
              <span className="h-0.5 w-5 bg-gold" />
              {daysBefore(before.days)}
            </p>
          )}
        </>
      )}
    </div>
  )
}

function DayTable({ chart: { steps } }: { chart: SalesChart }) {
  const formatMoney = useFormatMoney()
  return (
    <Table
      label="Sales by day"
      rows={steps.toReversed()}
      rowKey={({ day }) => day}
      columns={[
        { title: 'Day', cell: ({ day }) => stepName(day, 'day') },
        { title: 'Purchases', align: 'right', cell: ({ purchases }) => formatCount(purchases) },
        { title: 'Completed', align: 'right', cell: ({ completed }) => formatCount(completed) },
        { title: 'Revenue', align: 'right', cell: ({ revenue }) => formatMoney(revenue) },
      ]}
    />
  )
}
