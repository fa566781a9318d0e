// The names of periods and of their steps, in a chart and in what is compared.
import { dayMs } from '#contract/durations.ts'
import { lazy } from '#contract/intl.ts'
import type { ReportStep, SalesReport } from '#contract/reports/sales.ts'
import { formatCalendarDay, formatCount } from '../../../format/format.tsx'

/** A day of the shop is no moment: it is read and written as if the shop were in Greenwich. */
const inWords = (parts: Intl.DateTimeFormatOptions) =>
  lazy(() => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...parts }))
const short = inWords({ month: 'short', day: '2-digit' })
const monthOnly = inWords({ month: 'short', year: 'numeric' })

/** The name has the year where the steps are of several years. */
export function stepName(day: string, by: ReportStep, hasYears = false): string {
  if (by === 'month') return monthOnly().format(new Date(day))
  const name = hasYears ? formatCalendarDay(day) : short().format(new Date(day))
  return by === 'week' ? `Week of ${name}` : name
}

/** The name under the first day of a step is the month where the steps are of several years. */
export function axisName(day: string, by: ReportStep, hasYears: boolean): string {
  return (by === 'month' || hasYears ? monthOnly : short)().format(new Date(day))
}

export function hasSeveralYears(steps: readonly { day: string }[]): boolean {
  return steps[0]?.day.slice(0, 4) !== steps.at(-1)?.day.slice(0, 4)
}

export function daysBefore(days: number): string {
  return days === 1 ? 'the day before' : `the ${formatCount(days)} days before`
}

/** The name of the period that a report is compared with. */
export function nameBefore({ to, before: { compare, days } }: Pick<SalesReport, 'to' | 'before'>): string {
  if (compare === 'days') return daysBefore(days)
  if (compare === 'year') return 'the same days a year before'
  const isWhole = new Date(Date.parse(to) + dayMs).getUTCDate() === 1
  return isWhole ? 'the month before' : 'the same days of the month before'
}
