import { useFormatShortMoney } from '../../../money.tsx'
import type { ChartData } from './chart-data.ts'
import { axisName, hasSeveralYears } from './labels.ts'

type Mark = { amount: number; /** Per cent of the height, from above. */ at: number }

export function AmountAxis({ marks }: { marks: readonly Mark[] }) {
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

const maxNames = 6

export function DayAxis({ steps, by }: Pick<ChartData, 'steps' | 'by'>) {
  const every = Math.ceil(steps.length / maxNames)
  const hasYears = hasSeveralYears(steps)
  const named = steps.map(({ day }, place) => ({ day, place })).filter(({ place }) => place % every === 0)
  return (
    <svg aria-hidden className="h-5 w-full overflow-visible text-sm">
      {named.map(({ day, place }, at) => (
        <text
          key={day}
          x={`${((place + 0.5) / steps.length) * 100}%`}
          y="14"
          textAnchor="middle"
          className={`fill-soft ${at % 2 === 1 && named.length > 3 ? 'max-sm:hidden' : ''}`}
        >
          {axisName(day, by, hasYears)}
        </text>
      ))}
    </svg>
  )
}
