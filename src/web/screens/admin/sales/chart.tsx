// The course of sales: a bar a step, its value where one points, and all of it as a table for whoever prefers words.
import { useState } from 'react'
import type { SalesChart } from '#contract/sales.ts'
import { formatCount, formatDollars } from '../../../format.ts'
import { Button } from '../../../ui/button.tsx'
import { Table } from '../../../ui/table.tsx'
import { change, dayName, stepName, type By } from './range.ts'

type Step = SalesChart['steps'][number]

export function SalesChartView({ chart, by }: { chart: SalesChart; by: By }) {
  const [pointed, setPointed] = useState<Step>()
  const [isTable, setIsTable] = useState(false)
  const { steps } = chart
  return (
    <div className="px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <Readout chart={chart} pointed={pointed} by={by} />
        <Button look="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {isTable ? (
        <div className="-mx-5 mt-3 max-h-96 overflow-y-auto border-t border-line">
          <StepTable steps={steps} by={by} />
        </div>
      ) : (
        <>
          <Bars steps={steps} pointed={pointed} onPoint={setPointed} />
          <p aria-hidden className="mt-2 flex justify-between text-sm text-soft">
            <span>{stepName(steps[0]!.day, by)}</span>
            <span>{stepName(steps.at(-1)!.day, by)}</span>
          </p>
        </>
      )}
    </div>
  )
}

function Readout({ chart, pointed, by }: { chart: SalesChart; pointed: Step | undefined; by: By }) {
  const { revenue, purchases } = pointed ?? chart.total
  const since = change(chart)
  const { from, to } = chart.before
  const words = since
    ? `${since} against ${dayName(from)} – ${dayName(to)} (${formatDollars(chart.before.revenue)})`
    : `Nothing was sold from ${dayName(from)} to ${dayName(to)}, just before`
  return (
    <div>
      <p className="text-xl font-semibold tabular-nums">{formatDollars(revenue)}</p>
      <p className="text-sm text-soft tabular-nums">
        {formatCount(purchases)} {purchases === 1 ? 'purchase' : 'purchases'}
        {' · '}
        {pointed ? stepName(pointed.day, by) : words}
      </p>
    </div>
  )
}

type BarsProps = {
  steps: readonly Step[]
  pointed: Step | undefined
  onPoint: (step: Step | undefined) => void
}

/** The drawing is stretched to its place, so it holds no text. Days on which more was given back hang below the line. */
function Bars({ steps, pointed, onPoint }: BarsProps) {
  const top = Math.max(1, ...steps.map(({ revenue }) => revenue))
  const bottom = Math.min(0, ...steps.map(({ revenue }) => revenue))
  const height = (dollars: number) => (Math.abs(dollars) / (top - bottom)) * 100
  const zero = height(top)
  const best = steps.reduce((a, b) => (b.revenue > a.revenue ? b : a))
  return (
    <svg
      viewBox={`0 0 ${steps.length} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Revenue of ${steps.length} steps, at most ${formatDollars(best.revenue)}. All values are in the table.`}
      className="mt-4 h-44 w-full overflow-visible"
      onPointerLeave={() => onPoint(undefined)}
    >
      <line
        x1="0"
        x2={steps.length}
        y1={zero}
        y2={zero}
        vectorEffect="non-scaling-stroke"
        className="stroke-line"
      />
      {steps.map((step, at) => (
        <g key={step.day} onPointerEnter={() => onPoint(step)}>
          <rect x={at} y="0" width="1" height="100" fill="transparent" />
          <rect
            x={at + 0.12}
            width="0.76"
            y={step.revenue < 0 ? zero : zero - height(step.revenue)}
            height={height(step.revenue)}
            className={pointed === step ? 'fill-gold' : step.revenue < 0 ? 'fill-danger' : 'fill-ink/75'}
          />
        </g>
      ))}
    </svg>
  )
}

function StepTable({ steps, by }: { steps: readonly Step[]; by: By }) {
  return (
    <Table
      label="Sales by step"
      rows={steps.toReversed()}
      rowKey={({ day }) => day}
      columns={[
        {
          title: by === 'day' ? 'Day' : by === 'week' ? 'Week' : 'Month',
          cell: ({ day }) => stepName(day, by),
        },
        { title: 'Purchases', align: 'right', cell: ({ purchases }) => formatCount(purchases) },
        { title: 'Completed', align: 'right', cell: ({ completed }) => formatCount(completed) },
        { title: 'Revenue', align: 'right', cell: ({ revenue }) => formatDollars(revenue) },
      ]}
    />
  )
}
