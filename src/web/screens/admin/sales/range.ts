// Ranges of days, as the address holds them.
import type { SalesChart } from '#contract/sales.ts'

export type Range = { from: string; to: string }
export type By = 'day' | 'week' | 'month'

/** The last `days` days, today included. */
export function rangeOfDays(days: number, now = new Date()): Range {
  return { from: isoDay(new Date(now.getTime() - (days - 1) * 86_400_000)), to: isoDay(now) }
}

function isoDay(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 10)
}

/** What the address asks for; thirty days by day where it asks for nothing. */
export function askedRange(search: URLSearchParams): Range & { by: By } {
  const last = rangeOfDays(30)
  const from = search.get('from') || last.from
  const to = search.get('to') || last.to
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
  const fitting = days > 366 ? 'month' : days > 92 ? 'week' : 'day'
  const by = search.get('by')
  return { from, to, by: by === 'day' || by === 'week' || by === 'month' ? by : fitting }
}

const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const monthOnly = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** "Nov 5", "Week of Nov 2", "Nov 2026". */
export function stepName(day: string, by: By): string {
  if (by === 'month') return monthOnly.format(new Date(day))
  return by === 'week' ? `Week of ${short.format(new Date(day))}` : short.format(new Date(day))
}

export function dayName(day: string): string {
  return long.format(new Date(day))
}

/** "+12 %", or undefined where there is nothing to compare with. */
export function change({ total, before }: Pick<SalesChart, 'total' | 'before'>): string | undefined {
  if (before.revenue <= 0) return undefined
  const percent = Math.round((total.revenue / before.revenue - 1) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)} %`
}
