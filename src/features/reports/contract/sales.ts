// The figures of the admin area, by one definition: a purchase counts as completed while nothing, or only a part, of it was
// refunded; revenue is what was paid less what was refunded, each on its own day.
import { z } from 'zod'
import { day } from '#platform/contract/fields.ts'
import { adminOrder } from '../../orders/contract/orders.ts'
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
  recent: z.array(adminOrder),
})
export type Sales = z.infer<typeof sales>

const chartStep = z.enum(['day', 'week', 'month'])
export type ChartStep = z.infer<typeof chartStep>

export const chartRequest = z.object({
  /** Days back from today in the shop's time zone, or since New Year; `from` overrides it. */
  range: z.enum(['7', '30', '90', 'year']).default('30'),
  from: day.optional(),
  to: day.optional(),
  by: chartStep.optional(),
  format: format.optional(),
})
export type ChartRequest = z.infer<typeof chartRequest>

const sums = z.object({ purchases: count, completed: count, revenue: money })

export const salesChart = z.object({
  time_zone: z.string(),
  from: day,
  to: day,
  by: chartStep,
  steps: z.array(sums.extend({ day: z.iso.date() })),
  by_format: z.array(sums.extend({ format })),
  total: sums,
  before: sums.extend({ days: count, steps: z.array(money) }),
})
export type SalesChart = z.infer<typeof salesChart>
