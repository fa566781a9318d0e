import { lazy } from '#platform/contract/lazy.ts'
import type { ChartStep, SalesChart } from '#features/reports/contract/sales.ts'

// A day of the shop is no moment: it is read and written as if the shop were in Greenwich.
const inWords = (parts: Intl.DateTimeFormatOptions) =>
  lazy(() => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...parts }))
const short = inWords({ month: 'short', day: 'numeric' })
const long = inWords({ month: 'short', day: 'numeric', year: 'numeric' })
const monthOnly = inWords({ month: 'short', year: 'numeric' })

export function stepName(day: string, by: ChartStep): string {
  if (by === 'month') return monthOnly().format(new Date(day))
  return by === 'week' ? `Week of ${short().format(new Date(day))}` : short().format(new Date(day))
}

export function dayName(day: string): string {
  return long().format(new Date(day))
}

export function purchasesInWords(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'purchase' : 'purchases'}`
}

export function daysBefore(days: number): string {
  return days === 1 ? 'the day before' : `the ${days.toLocaleString('en-US')} days before`
}

/** "+12 % against the 30 days before ($1,204.00)"; where there was nothing to compare with, that. */
export function change(
  { total, before }: Pick<SalesChart, 'total' | 'before'>,
  formatMoney: (amount: number) => string,
): string {
  if (before.revenue <= 0) return `Nothing was earned in ${daysBefore(before.days)}`
  const percent = Math.round((total.revenue / before.revenue - 1) * 100)
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±'
  const size = Math.abs(percent).toLocaleString('en-US')
  return `${sign}${size} % against ${daysBefore(before.days)} (${formatMoney(before.revenue)})`
}
