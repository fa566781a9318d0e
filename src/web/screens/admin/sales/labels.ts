import { lazy } from '#contract/lazy.ts'
import type { ReportStep, SalesChart, SalesReport } from '#contract/operations/sales.ts'

// A day of the shop is no moment: it is read and written as if the shop were in Greenwich.
const inWords = (parts: Intl.DateTimeFormatOptions) =>
  lazy(() => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...parts }))
const short = inWords({ month: 'short', day: 'numeric' })
const long = inWords({ month: 'short', day: 'numeric', year: 'numeric' })
const monthOnly = inWords({ month: 'short', year: 'numeric' })

/** With the year where steps are of several. */
export function stepName(day: string, by: ReportStep, hasYears = false): string {
  if (by === 'month') return monthOnly().format(new Date(day))
  const name = (hasYears ? long : short)().format(new Date(day))
  return by === 'week' ? `Week of ${name}` : name
}

/** Under the first day of a step; the month where steps are of several years. */
export function axisName(day: string, by: ReportStep, hasYears: boolean): string {
  return (by === 'month' || hasYears ? monthOnly : short)().format(new Date(day))
}

export function hasSeveralYears(steps: readonly { day: string }[]): boolean {
  return steps[0]?.day.slice(0, 4) !== steps.at(-1)?.day.slice(0, 4)
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
  {
    total,
    before,
  }: { total: Pick<ChartData['total'], 'revenue'>; before: Omit<ChartData['before'], 'steps'> },
  formatMoney: (amount: number) => string,
): string {
  if (before.revenue <= 0) return `Nothing was earned in ${daysBefore(before.days)}`
  const percent = Math.round((total.revenue / before.revenue - 1) * 100)
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±'
  const size = Math.abs(percent).toLocaleString('en-US')
  return `${sign}${size} % against ${daysBefore(before.days)} (${formatMoney(before.revenue)})`
}

/** Null where nothing was paid. */
export function averageOrder({ gross, paid }: { gross: number; paid: number }): number | null {
  return paid === 0 ? null : gross / paid
}

export function share(part: number, whole: number): number | null {
  return whole <= 0 ? null : part / whole
}

/** "4.2 %"; a dash where there is nothing to compare with. */
export function inPercent(ratio: number | null): string {
  return ratio === null
    ? '–'
    : `${(ratio * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })}\u00A0%`
}

export type ChartData = {
  by: ReportStep
  steps: { day: string; purchases: number; revenue: number }[]
  total: { purchases: number; revenue: number }
  before: { days: number; revenue: number; steps: number[] }
}

export function chartOfDays(chart: SalesChart): ChartData {
  return { by: 'day', ...chart }
}

export function chartOfReport({ by, steps, total, before }: SalesReport): ChartData {
  return {
    by,
    steps: steps.map(({ day, sold, revenue }) => ({ day, purchases: sold, revenue })),
    total: { purchases: total.sold, revenue: total.revenue },
    before: { ...before, steps: steps.map((step) => step.before ?? 0) },
  }
}
