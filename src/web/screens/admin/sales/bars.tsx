import type { KeyboardEvent, PointerEvent } from 'react'
import { useFormatMoney } from '../../../money.tsx'
import { AmountAxis, DayAxis } from './axes.tsx'
import type { ChartData } from './chart-data.ts'
import { purchasesInWords, stepName } from './labels.ts'

type BarsProps = {
  chart: Pick<ChartData, 'steps' | 'before' | 'by'>
  pointed: number | undefined
  onPoint: (at: number | undefined) => void
}

// Per cent of the height, below which two amounts would overlap.
const minGap = 12

/** The drawing is stretched to its place, so its text stands beside it. Steps in which more was given back hang below the line. */
export function Bars({ chart: { steps, before, by }, pointed, onPoint }: BarsProps) {
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
            ? `${stepName(at.day, by)}: ${formatMoney(at.revenue)}, ${purchasesInWords(at.purchases)}`
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
            className={`${revenue < 0 ? 'fill-danger' : 'fill-ink'} ${pointed === undefined || pointed === place ? 'opacity-80' : 'opacity-35'}`}
          />
        ))}
        {earlier.some((amount) => amount !== 0) && (
          <path
            d={earlier.map((amount, place) => `${place ? 'L' : 'M'}${place + 0.5} ${y(amount)}`).join('')}
            vectorEffect="non-scaling-stroke"
            className="fill-none stroke-gold stroke-2"
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
