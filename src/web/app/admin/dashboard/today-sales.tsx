import type { Today } from '#contract/operations/today.ts'
import { useFormatMoney } from '../../../money.tsx'

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
const average = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

export function TodaySales({ day, sold, usual }: Pick<Today, 'day' | 'sold' | 'usual'>) {
  const formatMoney = useFormatMoney()
  return (
    <p className="text-sm text-soft tabular-nums">
      <span className="font-semibold text-ink">
        {sold.completed === 0 && sold.refunded === 0
          ? 'No sale yet'
          : `${sold.completed} sold, ${formatMoney(sold.revenue)}`}
        {sold.refunded > 0 && <span>{' after refunds'}</span>}
      </span>
      {usual && (
        <span>{` · a usual ${weekday.format(new Date(day))}: ${average.format(usual.completed)} sold, ${formatMoney(usual.revenue)}`}</span>
      )}
    </p>
  )
}
