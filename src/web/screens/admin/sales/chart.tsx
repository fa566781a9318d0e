import { useState } from 'react'
import type { SalesChart } from '#features/reports/contract/sales.ts'
import { formatCount } from '../../../format.ts'
import { useFormatMoney } from '../../../money.tsx'
import { Button } from '../../../components/button.tsx'
import { Table } from '../../../components/table.tsx'
import { Bars } from './bars.tsx'
import { change, daysBefore, purchasesInWords, stepName } from './labels.ts'

export function SalesChartView({ chart }: { chart: SalesChart }) {
  const [pointed, setPointed] = useState<number>()
  const [isTable, setIsTable] = useState(false)
  const { steps, by, before } = chart
  const formatMoney = useFormatMoney()
  // Another range may have come while one pointed at a step that it does not have.
  const [first, last] = [steps[0], steps.at(-1)]
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
        <Button look="quiet" className="-ml-5 text-sm sm:-mr-5 sm:ml-0" onClick={() => setIsTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {isTable ? (
        <div className="-mx-5 mt-3 -mb-4 border-t border-line">
          <StepTable chart={chart} />
        </div>
      ) : (
        <>
          <Bars chart={chart} pointed={step && pointed} onPoint={setPointed} />
          <div aria-hidden className="mt-2 flex flex-wrap justify-between gap-x-4 text-sm text-soft">
            <span>{first && stepName(first.day, by)}</span>
            {before.steps.some((amount) => amount !== 0) && (
              <span className="order-last flex basis-full items-center justify-center gap-2 sm:order-none sm:basis-auto">
                <span className="h-0.5 w-5 bg-gold" />
                {daysBefore(before.days)}
              </span>
            )}
            <span>{last && stepName(last.day, by)}</span>
          </div>
        </>
      )}
    </div>
  )
}

const stepTitles = { day: 'Day', week: 'Week', month: 'Month' }

function StepTable({ chart: { steps, by } }: { chart: SalesChart }) {
  const formatMoney = useFormatMoney()
  return (
    <Table
      label={`Sales by ${by}`}
      rows={steps.toReversed()}
      rowKey={({ day }) => day}
      columns={[
        { title: stepTitles[by], cell: ({ day }) => stepName(day, by) },
        { title: 'Purchases', align: 'right', cell: ({ purchases }) => formatCount(purchases) },
        { title: 'Completed', align: 'right', cell: ({ completed }) => formatCount(completed) },
        { title: 'Revenue', align: 'right', cell: ({ revenue }) => formatMoney(revenue) },
      ]}
    />
  )
}
