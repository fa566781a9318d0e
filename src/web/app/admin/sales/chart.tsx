// The chart of revenue, its legend, and its table.
import type { ReportStep, SalesChart, SalesReport } from '#contract/reports/sales.ts'
import { useFormatShortMoney, useFormatMoney } from '../../../format/money.tsx'
import { type KeyboardEvent, type PointerEvent, useState, type ReactNode } from 'react'
import { formatCalendarDay, formatCount, formatPercent } from '../../../format/format.tsx'
import { Button } from '../../../components/button.tsx'
import { Table } from '../../table.tsx'
import { axisName, daysBefore, hasSeveralYears, nameBefore, stepName } from './period-names.ts'
import { allInWords } from '../sold-in-words.ts'
import type { SoldCounts } from '#contract/sold-counts.ts'

/** "+12% against the 30 days before ($1,204.00)"; where there was nothing to compare with, that. */
export function change(
  {
    total,
    before,
  }: { total: Pick<ChartData['total'], 'revenue'>; before: Omit<ChartData['before'], 'steps'> },
  formatMoney: (amount: number) => string,
): string {
  if (before.revenue <= 0) return `Nothing was earned in ${before.name}`
  const percent = Math.round((total.revenue / before.revenue - 1) * 100)
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±'
  return `${sign}${formatPercent(Math.abs(percent) / 100)} against ${before.name} (${formatMoney(before.revenue)})`
}

type ChartData = {
  by: ReportStep
  name: string
  /** The place of the step that is not over. */
  unfinished: number | undefined
  isGivenAway: boolean
  steps: (SoldCounts & { day: string; revenue: number })[]
  total: SoldCounts & { revenue: number }
  before: { name: string; revenue: number; steps: number[] }
}

function chartOfDays(chart: SalesChart): ChartData {
  const { steps, total, is_given_away: isGivenAway } = chart
  const name = `the last ${formatCount(steps.length)} days`
  const before = { ...chart.before, name: daysBefore(chart.before.days) }
  return { by: 'day', name, unfinished: steps.length - 1, isGivenAway, steps, total, before }
}

export function chartOfReport(report: SalesReport): ChartData {
  const { by, steps, total, from, to, today } = report
  const earlier = steps.map((step) => step.before).filter((amount) => amount !== null)
  return {
    by,
    name: [...new Set([from, to])].map(formatCalendarDay).join(' – '),
    unfinished: from <= today && today <= to ? steps.findLastIndex(({ day }) => day <= today) : undefined,
    isGivenAway: report.is_given_away,
    steps,
    total,
    before: { name: nameBefore(report), revenue: report.before.revenue, steps: earlier },
  }
}

type Mark = { amount: number; /** Per cent of the height, from above. */ at: number }

function AmountAxis({ marks }: { marks: readonly Mark[] }) {
  const formatShortMoney = useFormatShortMoney()
  const names = marks.map(({ amount }) => formatShortMoney(amount))
  const widest = names.toSorted((a, b) => b.length - a.length)[0]
  return (
    <div aria-hidden className="relative text-sm tabular-nums">
      <span className="invisible">{widest}</span>
      <svg className="absolute inset-0 size-full overflow-visible">
        {marks.map(({ at }, place) => (
          <text
            key={at}
            x="100%"
            y={`${at}%`}
            textAnchor="end"
            dominantBaseline="middle"
            className="fill-soft"
          >
            {names[place]}
          </text>
        ))}
      </svg>
    </div>
  )
}

// Odd, so that on phones, which show every other name, both ends have theirs.
const maxNames = 7

function DayAxis({ steps, by }: Pick<ChartData, 'steps' | 'by'>) {
  const count = Math.min(maxNames, steps.length)
  // Below a narrow bar, a name in its middle would stand out of the chart.
  const isAtEnd = (place: number) => steps.length > maxNames && place === steps.length - 1
  const hasYears = hasSeveralYears(steps)
  const places = Array.from({ length: count }, (_, at) =>
    Math.round((at / Math.max(1, count - 1)) * (steps.length - 1)),
  )
  return (
    <svg aria-hidden className="h-5 w-full overflow-visible text-sm">
      {places.map((place, at) => (
        <text
          key={place}
          x={isAtEnd(place) ? '100%' : `${((place + 0.5) / steps.length) * 100}%`}
          y="14"
          textAnchor={isAtEnd(place) ? 'end' : 'middle'}
          className={`fill-soft ${(count - at) % 2 === 0 && count > 4 ? 'max-sm:hidden' : ''}`}
        >
          {axisName(steps[place]?.day ?? '', by, hasYears)}
        </text>
      ))}
    </svg>
  )
}

type BarsProps = {
  chart: Pick<ChartData, 'steps' | 'before' | 'by' | 'unfinished' | 'isGivenAway'>
  pointed: number | undefined
  onPoint: (at: number | undefined) => void
}

// Per cent of the height, below which two amounts would overlap.
const minGap = 12

/** The drawing is stretched to its place, so its text stands beside it. Steps in which more was given back hang below the line. */
function Bars({ chart: { steps, before, by, unfinished, isGivenAway }, pointed, onPoint }: BarsProps) {
  const formatMoney = useFormatMoney()
  const last = steps.length - 1
  const earlier = before.steps.slice(0, steps.length)
  const { top, bottom } = scaleOf([...steps.map(({ revenue }) => revenue), ...earlier])
  const y = (amount: number) => ((top - amount) / (top - bottom)) * 100
  const marks = [top, top / 2, 0, ...(y(bottom) - y(0) > minGap ? [bottom] : [])]
  const at = pointed === undefined ? undefined : steps[pointed]
  function pointAt(event: PointerEvent<SVGSVGElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const place = Math.floor(((event.clientX - left) / width) * steps.length)
    onPoint(Math.min(last, Math.max(0, place)))
  }
  function walk(event: KeyboardEvent) {
    const next = placeOf(event.key, pointed, last)
    if (next === undefined) return
    event.preventDefault()
    onPoint(next)
  }
  return (
    <div className="mt-5 grid grid-cols-[auto_1fr] gap-x-3 gap-y-2">
      <AmountAxis marks={marks.map((amount) => ({ amount, at: y(amount) }))} />
      <svg
        viewBox={`0 0 ${steps.length} 100`}
        preserveAspectRatio="none"
        role="slider"
        tabIndex={0}
        aria-label={`Revenue by ${by}: arrow keys go through it`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={pointed ?? last}
        aria-valuetext={
          at
            ? `${stepName(at.day, by)}${pointed === unfinished ? soFar : ''}: ${formatMoney(at.revenue)}, ${allInWords(at, { isGivenAway })}`
            : `${steps.length} bars`
        }
        className="h-44 w-full cursor-crosshair sm:h-52 touch-pan-y overflow-visible"
        onPointerMove={pointAt}
        onPointerDown={pointAt}
        onPointerLeave={() => onPoint(undefined)}
        onKeyDown={walk}
        onBlur={() => onPoint(undefined)}
      >
        {marks.map((amount) => (
          <path
            key={amount}
            d={`M0 ${y(amount)}H${steps.length}`}
            vectorEffect="non-scaling-stroke"
            className={amount === 0 ? 'stroke-soft' : 'stroke-line'}
          />
        ))}
        {steps.map(({ day, revenue }, place) => (
          <rect
            key={day}
            x={place + 0.14}
            width="0.72"
            y={Math.min(y(revenue), y(0))}
            height={Math.abs(y(revenue) - y(0))}
            vectorEffect="non-scaling-stroke"
            className={`${revenue < 0 ? 'fill-danger' : 'fill-bar'} ${place === unfinished ? 'stroke-bar [fill-opacity:0.25] [stroke-dasharray:3_2]' : ''} ${pointed === undefined || pointed === place ? '' : 'opacity-45'}`}
          />
        ))}
        {earlier.some((amount) => amount !== 0) && (
          <path
            d={earlier.map((amount, place) => `${place ? 'L' : 'M'}${place + 0.5} ${y(amount)}`).join('')}
            vectorEffect="non-scaling-stroke"
            className="fill-none stroke-bar-before stroke-[1.5] [stroke-dasharray:4_3]"
          />
        )}
      </svg>
      <span />
      <DayAxis steps={steps} by={by} />
    </div>
  )
}

/** Up to a round number above the highest value, and down to the lowest one where there is one below nothing. */
function scaleOf(values: readonly number[]): { top: number; bottom: number } {
  const highest = Math.max(1, ...values)
  const power = 10 ** Math.floor(Math.log10(highest))
  const top = ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= highest) ?? 10) * power
  return { top, bottom: Math.min(0, ...values) }
}

function placeOf(key: string, from: number | undefined, last: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, (from ?? -1) + 1)
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, (from ?? last + 1) - 1)
  return undefined
}

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
  /** They stand in the place of the bars. */
  children?: ReactNode
}

export function RevenueChart({ chart, action, children }: RevenueChartProps) {
  const [pointed, setPointed] = useState<number>()
  const { steps, by, unfinished } = chart
  const formatMoney = useFormatMoney()
  // Another range may have come while one pointed at a step that it does not have.
  const step = pointed === undefined ? undefined : steps[pointed]
  return (
    <div className="px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div>
          <p className="text-xl font-semibold tabular-nums">{formatMoney((step ?? chart.total).revenue)}</p>
          <p className="text-sm text-soft tabular-nums">
            {allInWords(step ?? chart.total, chart)}
            {' · '}
            {step
              ? `${stepName(step.day, by)}${pointed === unfinished ? soFar : ''}`
              : change(chart, formatMoney)}
          </p>
        </div>
        {action}
      </div>
      {children || (
        <>
          <Bars chart={chart} pointed={step && pointed} onPoint={setPointed} />
          <Legend chart={chart} />
        </>
      )}
    </div>
  )
}

const soFar = ', so far'
const currentSteps = { day: 'today', week: 'this week', month: 'this month' }

/** The figures beside the chart say the same in words. */
function Legend({ chart: { name, by, unfinished, before } }: { chart: ChartData }) {
  const marks = [
    ['size-3 bg-bar', name],
    before.steps.some((amount) => amount !== 0) && [
      'w-5 border-t-2 border-dashed border-bar-before',
      before.name,
    ],
    unfinished !== undefined && [
      'size-3 border border-dashed border-bar bg-bar/25',
      `${currentSteps[by]}${soFar}`,
    ],
  ].filter((mark) => mark !== false)
  return (
    <ul aria-hidden className="mt-3 flex flex-wrap justify-center gap-x-6 gap-y-1 text-sm text-soft">
      {marks.map(([look, text]) => (
        <li key={text} className="flex items-center gap-2">
          <span className={look} />
          <span className="first-letter:uppercase">{text}</span>
        </li>
      ))}
    </ul>
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
        { title: 'Sold', align: 'right', cell: ({ sold }) => formatCount(sold) },
        { title: 'Free', align: 'right', cell: ({ free }) => formatCount(free) },
        { title: 'Revenue', align: 'right', cell: ({ revenue }) => formatMoney(revenue) },
      ]}
    />
  )
}
