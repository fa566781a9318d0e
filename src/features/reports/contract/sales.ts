// The figures of the admin area. All of them come from one definition: a purchase counts as completed while nothing, or only
// a part, of it was given back; revenue is what was paid less what was given back, each on its own day.
import { z } from 'zod'
import { day } from '#platform/contract/day.ts'
import { adminOrder } from '../../orders/contract/admin-order.ts'
import { format } from '../../products/contract/products.ts'

const money = z.number()
const count = z.number().int()

export const salesTotals = z.object({
  total_revenue: money,
  total_users: count,
  total_purchases: count,
  completed_purchases: count,
})
export type SalesTotals = z.infer<typeof salesTotals>

export const sales = z.object({
  totals: salesTotals,
  /** The latest ten, newest first. */
  recent: z.array(adminOrder),
})
export type Sales = z.infer<typeof sales>

const chartSteps = ['day', 'week', 'month'] as const
export type ChartStep = (typeof chartSteps)[number]
const chartRanges = ['7', '30', '90', 'year'] as const

export const chartRequest = z.object({
  /** Days counted back from today as the shop's clock has it, or since New Year; `from` goes before it. */
  range: z.enum(chartRanges).default('30'),
  from: day.optional(),
  /** Without it, today. */
  to: day.optional(),
  /** Without it, what suits the length of the range. */
  by: z.enum(chartSteps).optional(),
  format: format.optional(),
})
export type ChartRequest = z.infer<typeof chartRequest>

const sums = z.object({ purchases: count, completed: count, revenue: money })
export type Sums = z.infer<typeof sums>

export const salesChart = z.object({
  time_zone: z.string(),
  from: day,
  to: day,
  by: z.enum(chartSteps),
  /** One each, also where nothing was sold; `day` is its first. */
  steps: z.array(sums.extend({ day: z.iso.date() })),
  by_format: z.array(sums.extend({ format })),
  total: sums,
  /** The same number of days just before; `steps` holds their revenue, to be laid under ours from the first on. */
  before: sums.extend({ days: count, steps: z.array(money) }),
})
export type SalesChart = z.infer<typeof salesChart>
