// The figures of the admin area, by one definition: a purchase counts as completed while nothing, or only a part, of it was
// refunded; revenue is what was paid less what was refunded, each on its own day.
import { z } from 'zod'
import { day } from '../fields.ts'
import { soldCounts } from '../sold-counts.ts'
import { adminOrder } from '../orders/admin-orders.ts'
import { format } from '../catalog/products.ts'

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

/** Nothing that is for sale has a price. */
const is_given_away = z.boolean()

/** The last 30 days, for the first screen: with the figures that the report of these days has. */
export const salesChart = z.object({
  is_given_away,
  steps: z.array(soldCounts.extend({ day: z.iso.date(), revenue: money })),
  total: soldCounts.extend({ revenue: money }),
  before: z.object({ revenue: money, days: count, steps: z.array(money) }),
})
export type SalesChart = z.infer<typeof salesChart>

const reportStep = z.enum(['day', 'week', 'month'])
export type ReportStep = z.infer<typeof reportStep>

const comparison = z.enum(['days', 'month', 'year'])

export const reportRequest = z.object({
  /** Days back from today in the shop's time zone, this month or year until today, or the month before; `from` overrides it. */
  range: z.enum(['7', '30', '90', 'month', 'last_month', 'year']).default('30'),
  /** The period before has as many days, or the same days of the month or year before. Months are compared with months. */
  compare: comparison.optional(),
  from: day.optional(),
  to: day.optional(),
  by: reportStep.optional(),
  format: format.optional(),
})
export type ReportRequest = z.infer<typeof reportRequest>

/** All but `tests` without the test orders that count no more, in the currency of the shop. */
const reportSums = soldCounts.extend({
  /** Orders with a price that were begun on these days, and how many of them were paid since. */
  begun: count,
  paid: count,
  /** The sum of the orders of these days, before refunds. */
  gross: money,
  /** Refunds on these days, also of earlier orders. Disputes that took money are refunds. */
  refunded: money,
  revenue: money,
  /** Tax that Link owes, a part of the revenue. */
  link_tax: money,
})
export type ReportSums = z.infer<typeof reportSums>

const fewSums = reportSums.pick({ sold: true, free: true, revenue: true })

export const salesReport = z.object({
  time_zone: z.string(),
  from: day,
  to: day,
  today: day,
  is_given_away,
  by: reportStep,
  /** Newest last. `before` is the revenue of the step at the same place in the period before. */
  steps: z.array(reportSums.extend({ day: z.iso.date(), before: money.nullable() })),
  by_format: z.array(reportSums.extend({ format })),
  /** Null: the country is unknown. */
  by_country: z.array(fewSums.extend({ country: z.string().nullable() })),
  by_code: z.array(fewSums.extend({ code: z.string() })),
  total: reportSums,
  before: reportSums.extend({ compare: comparison, days: count, from: day, to: day }),
})
export type SalesReport = z.infer<typeof salesReport>
