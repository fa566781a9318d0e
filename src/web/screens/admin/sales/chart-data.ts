import type { ReportStep, SalesChart, SalesReport } from '#contract/operations/sales.ts'

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
